package org.rackweave.sim.claims;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.claims.Metrics.Target;
import org.rackweave.sim.statistics.Estimate;

/**
 * A figure as data, or several that are alike: one for each of {@code of} in each of {@code in}
 * with each of {@code with}. What is not said is {@code null} in a file, and empty here.
 *
 * @param what it is, in which {@code {of}}, {@code {in}} and {@code {with}} are filled in
 * @param unit as people write it
 * @param paper the paper's figure
 * @param paperBy the metric that gives it where the paper's figure follows from what was run
 * @param metric a name that the paper's {@link Metrics} know
 * @param how it is compared with the same of {@code against}, seed by seed
 * @param pick which one of several is meant
 * @param among the several, where they are not alike
 * @param bound what is asked of it
 * @param tolerance by which it may miss that
 */
record Figure(
    String what,
    String unit,
    Double paper,
    Other paperBy,
    String metric,
    List<String> of,
    List<String> in,
    List<String> with,
    Comparison how,
    Other against,
    Pick pick,
    List<Figure> among,
    Bound bound,
    double tolerance) {

  /** How two figures are compared. */
  enum Comparison {
    RATIO((ours, theirs) -> ours / theirs),
    GAIN((ours, theirs) -> ours / theirs - 1),
    SAVED((ours, theirs) -> 1 - ours / theirs),
    LESS((ours, theirs) -> ours - theirs);

    private final DoubleBinaryOperator operator;

    Comparison(DoubleBinaryOperator operator) {
      this.operator = operator;
    }
  }

  /** The one with the least or the greatest mean. */
  enum Pick {
    LEAST,
    MOST
  }

  /** The same figure but for what is said. */
  record Other(String metric, String of, String in, String with) {
    private Target of(Target target) {
      return target.or(new Target(text(of), text(in), text(with)));
    }

    private static String text(String name) {
      return Objects.requireNonNullElse(name, "");
    }
  }

  Figure {
    what = Objects.requireNonNullElse(what, "");
    unit = Objects.requireNonNullElse(unit, "");
    paper = Objects.requireNonNullElse(paper, Double.NaN);
    of = names(of);
    in = names(in);
    with = names(with);
    among = Objects.requireNonNullElse(among, List.of());
    bound = bound == null ? null : bound.with(tolerance);
    if ((how == null) != (against == null)) {
      throw new IllegalArgumentException(what + ": compared with nothing, or in no way");
    }
  }

  private static List<String> names(List<String> names) {
    return names == null ? List.of("") : names;
  }

  /** Whether only a bound is said, so that the claim's own figure is meant. */
  boolean isBoundOnly() {
    return metric == null && among.isEmpty();
  }

  <R> Estimate estimate(R seen, Metrics<R> metrics) {
    List<Estimate> all = estimates(seen, metrics).toList();
    if (all.size() != 1 && pick == null) {
      throw new IllegalArgumentException(what + ": " + all.size() + " figures in place of one");
    }
    Comparator<Estimate> byMean = Comparator.comparingDouble(Estimate::mean);
    return all.stream().min(pick == Pick.MOST ? byMean.reversed() : byMean).orElseThrow();
  }

  private <R> Stream<Estimate> estimates(R seen, Metrics<R> metrics) {
    return among.isEmpty()
        ? targets(seen, metrics).map(target -> estimate(seen, metrics, target))
        : among.stream().flatMap(one -> one.estimates(seen, metrics));
  }

  private <R> Stream<Target> targets(R seen, Metrics<R> metrics) {
    return in.stream()
        .flatMap(
            where ->
                with.stream().flatMap(how -> of.stream().map(who -> new Target(who, where, how))))
        .flatMap(target -> metrics.all(seen, target));
  }

  private <R> Estimate estimate(R seen, Metrics<R> metrics, Target target) {
    double[] values = metrics.of(seen, metric, target).clone();
    if (how != null) {
      double[] theirs = metrics.of(seen, metric, against.of(target));
      Arrays.setAll(values, seed -> how.operator.applyAsDouble(values[seed], theirs[seed]));
    }
    return Estimate.of(values);
  }

  /** The paper's figure beside a claim's. */
  <R> double paper(R seen, Metrics<R> metrics) {
    return paperBy == null ? paper : paper(seen, metrics, targets(seen, metrics).toList().get(0));
  }

  private <R> double paper(R seen, Metrics<R> metrics, Target target) {
    return paperBy == null
        ? paper
        : Estimate.of(
                metrics.of(
                    seen, Objects.requireNonNullElse(paperBy.metric, metric), paperBy.of(target)))
            .mean();
  }

  /** Rows of a table, one for each figure, or the one that is picked. */
  <R> Stream<Detail> details(R seen, Metrics<R> metrics) {
    return pick == null
        ? targets(seen, metrics)
            .map(
                target ->
                    new Detail(
                        target.fillIn(what),
                        unit,
                        paper(seen, metrics, target),
                        estimate(seen, metrics, target)))
        : Stream.of(new Detail(what, unit, paper(seen, metrics), estimate(seen, metrics)));
  }
}
