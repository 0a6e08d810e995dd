package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.Popularity;

/** How distributions are written in a scenario, for instance {@code log-uniform 100kB 10GB}. */
final class DistributionText {

  private static final String SHAPES =
      "a value, uniform LOW HIGH, log-uniform LOW HIGH, exponential MEAN, normal MEAN DEVIATION,"
          + " choice A B ..., quantiles 0% A 50% B 100% C, or SHARE of ONE else ANOTHER";

  private static final String ELSE = "else";

  private static final ToDoubleFunction<String> SHARE = ValueKind.quantity("0% to 100%");

  /** Nobody reads a longer mixture. */
  private static final int PARTS_MAX = 20;

  private final ToDoubleFunction<String> value;

  /**
   * @param value reads every parameter
   */
  DistributionText(ToDoubleFunction<String> value) {
    this.value = value;
  }

  /** How often files are read. */
  static ValueKind popularity() {
    ToDoubleFunction<String> exponent = ValueKind.quantity("0 to 10");
    DistributionText reads = new DistributionText(ValueKind.quantity("0 to 1e12"));
    String allowed = "zipf EXPONENT with 0 to 10, or drawn DISTRIBUTION";
    return new ValueKind(
        allowed,
        text -> {
          String[] words = text.split("\\s+", 2);
          if (words.length == 2 && words[0].equals("zipf")) {
            return new Popularity.Zipf(exponent.applyAsDouble(words[1]));
          }
          if (words.length == 2 && words[0].equals("drawn")) {
            return new Popularity.Drawn(reads.parse(words[1]));
          }
          throw ValueKind.notAllowed(text, allowed);
        });
  }

  Distribution parse(String text) {
    List<String> words = Arrays.asList(text.strip().split("\\s+"));
    if (Collections.frequency(words, ELSE) > PARTS_MAX) {
      throw new BadValueException("has more than " + PARTS_MAX + " parts with " + ELSE);
    }
    try {
      return parse(words);
    } catch (BadValueException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new BadValueException("is " + InputException.quote(text) + ": " + e.getMessage());
    }
  }

  private Distribution parse(List<String> words) {
    int otherwise = words.indexOf(ELSE);
    if (words.size() > 2 && words.get(1).equals("of") && otherwise > 2) {
      double share = SHARE.applyAsDouble(words.get(0));
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
        yield new Distribution.Fixed(value.applyAsDouble(shape));
      }
    };
  }

  private double at(List<String> words, int index) {
    return value.applyAsDouble(words.get(index));
  }

  private List<Double> values(List<String> words) {
    List<Double> values = new ArrayList<>();
    for (String word : words) {
      values.add(value.applyAsDouble(word));
    }
    return values;
  }

  private Distribution quantiles(List<String> words) {
    List<Double> shares = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < words.size(); i += 2) {
      shares.add(SHARE.applyAsDouble(words.get(i)));
      values.add(value.applyAsDouble(words.get(i + 1)));
    }
    return new Distribution.Quantiles(shares, values);
  }
}
