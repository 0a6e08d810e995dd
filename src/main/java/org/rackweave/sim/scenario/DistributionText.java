package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.Popularity;

/** How distributions are written in a scenario, for instance {@code log-uniform 100kB 10GB}. */
final class DistributionText {

  private static final String SHAPES =
      "a value, uniform LOW HIGH, log-uniform LOW HIGH, exponential MEAN, normal MEAN DEVIATION,"
          + " choice A B ..., quantiles 0% A 50% B 100% C, or SHARE of ONE else ANOTHER";

  private static final String ELSE = "else";

  /** Nobody reads a longer mixture. */
  private static final int PARTS_MAX = 20;

  private final ValueKind<Double> value;

  private DistributionText(ValueKind<Double> value) {
    this.value = value;
  }

  /** Distributions whose every parameter is a quantity between two others. */
  static ValueKind<Distribution> kind(Units units, double low, double high) {
    DistributionText text = new DistributionText(ValueKind.quantity(units, low, high));
    return new ValueKind<>(
        units.range(low, high) + ", or a distribution of such", text::parse, text::format);
  }

  /** How often files are read. */
  static ValueKind<Popularity> popularity() {
    ValueKind<Double> exponent = ValueKind.quantity(Units.NUMBER, 0, 10);
    DistributionText reads = new DistributionText(ValueKind.quantity(Units.NUMBER, 0, 1e12));
    String allowed = "zipf EXPONENT with 0 to 10, or drawn DISTRIBUTION";
    return new ValueKind<>(
        allowed,
        text -> {
          String[] words = text.split("\\s+", 2);
          if (words.length == 2 && words[0].equals("zipf")) {
            return new Popularity.Zipf(exponent.parse(words[1]));
          }
          if (words.length == 2 && words[0].equals("drawn")) {
            return new Popularity.Drawn(reads.parse(words[1]));
          }
          throw ValueKind.notAllowed(text, allowed);
        },
        popularity ->
            popularity instanceof Popularity.Zipf zipf
                ? "zipf " + exponent.format(zipf.exponent())
                : "drawn " + reads.format(((Popularity.Drawn) popularity).reads()));
  }

  private Distribution parse(String text) throws BadValueException {
    List<String> words = Arrays.asList(text.strip().split("\\s+"));
    if (Collections.frequency(words, ELSE) > PARTS_MAX) {
      throw new BadValueException("has more than " + PARTS_MAX + " parts with " + ELSE);
    }
    try {
      return parse(words);
    } catch (IllegalArgumentException e) {
      throw new BadValueException("is " + InputException.quote(text) + ": " + e.getMessage());
    }
  }

  private Distribution parse(List<String> words) throws BadValueException {
    int otherwise = words.indexOf(ELSE);
    if (words.size() > 2 && words.get(1).equals("of") && otherwise > 2) {
      double share = Units.SHARE.parse(words.get(0));
      Distribution first = parse(words.subList(2, otherwise));
      return new Distribution.Mixture(
          share, first, parse(words.subList(otherwise + 1, words.size())));
    }
    String shape = words.isEmpty() ? "" : words.get(0);
    List<String> rest = words.subList(Math.min(1, words.size()), words.size());
    if (shape.equals("quantiles") && rest.size() >= 4 && rest.size() % 2 == 0) {
      return quantiles(rest);
    }
    if (shape.equals("choice") && !rest.isEmpty()) {
      return new Distribution.Choice(values(rest));
    }
    return switch (shape + " " + rest.size()) {
      case "uniform 2" -> new Distribution.Uniform(at(rest, 0), at(rest, 1));
      case "log-uniform 2" -> new Distribution.LogUniform(at(rest, 0), at(rest, 1));
      case "exponential 1" -> new Distribution.Exponential(at(rest, 0));
      case "normal 2" -> new Distribution.Normal(at(rest, 0), at(rest, 1));
      default -> {
        if (words.size() != 1) {
          throw ValueKind.notAllowed(String.join(" ", words), SHAPES);
        }
        yield new Distribution.Fixed(value.parse(shape));
      }
    };
  }

  private double at(List<String> words, int index) throws BadValueException {
    return value.parse(words.get(index));
  }

  private List<Double> values(List<String> words) throws BadValueException {
    List<Double> values = new ArrayList<>();
    for (String word : words) {
      values.add(value.parse(word));
    }
    return values;
  }

  private Distribution quantiles(List<String> words) throws BadValueException {
    List<Double> shares = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < words.size(); i += 2) {
      shares.add(Units.SHARE.parse(words.get(i)));
      values.add(value.parse(words.get(i + 1)));
    }
    return new Distribution.Quantiles(shares, values);
  }

  private String format(Distribution distribution) {
    if (distribution instanceof Distribution.Fixed fixed) {
      return value.format(fixed.value());
    }
    if (distribution instanceof Distribution.Uniform uniform) {
      return "uniform " + both(uniform.low(), uniform.high());
    }
    if (distribution instanceof Distribution.LogUniform uniform) {
      return "log-uniform " + both(uniform.low(), uniform.high());
    }
    if (distribution instanceof Distribution.Exponential exponential) {
      return "exponential " + value.format(exponential.mean());
    }
    if (distribution instanceof Distribution.Normal normal) {
      return "normal " + both(normal.mean(), normal.deviation());
    }
    if (distribution instanceof Distribution.Choice choice) {
      return "choice "
          + choice.values().stream().map(value::format).collect(Collectors.joining(" "));
    }
    if (distribution instanceof Distribution.Quantiles quantiles) {
      return "quantiles " + marks(quantiles);
    }
    Distribution.Mixture mixture = (Distribution.Mixture) distribution;
    return Units.SHARE.format(mixture.probability())
        + " of "
        + format(mixture.first())
        + " "
        + ELSE
        + " "
        + format(mixture.second());
  }

  private String both(double first, double second) {
    return value.format(first) + " " + value.format(second);
  }

  private String marks(Distribution.Quantiles quantiles) {
    List<String> marks = new ArrayList<>();
    for (int i = 0; i < quantiles.shares().size(); i++) {
      marks.add(Units.SHARE.format(quantiles.shares().get(i)));
      marks.add(value.format(quantiles.values().get(i)));
    }
    return String.join(" ", marks);
  }
}
