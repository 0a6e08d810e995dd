package org.rackweave.sim.claims;

import static java.util.Map.entry;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.rackweave.sim.claims.ScenarioClaims.Metric;
import org.rackweave.sim.report.Improvement;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.statistics.Estimate;

/** What Sinbad's claims are measured by. */
public final class SinbadClaims {
  private static final String SINBAD = "sinbad";
  private static final String OPTIMUM = "optimum";

  /** The paper's improvement, and the share of the optimum's that it is. */
  private static final double PAPERS_TIMES = 1.58;

  private static final double PAPERS_SHARE = 0.65;

  private static final Metric TIMES = Metric.ofImprovement(Improvement::ofMeans);

  private static final Map<String, Metric> METRICS =
      Map.ofEntries(
          entry("times", TIMES),
          entry("times-with-wait", Metric.ofImprovement(Improvement::ofMeansWithWait)),
          entry("median", Metric.ofImprovement(Improvement::median)),
          entry("transfers", Metric.ofImprovement(Improvement::ofTransfers)),
          entry("faster", Metric.ofImprovement(Improvement::improved)),
          entry("same", Metric.ofImprovement(Improvement::same)),
          entry("slower", Metric.ofImprovement(Improvement::slower)),
          entry("twice-as-fast", Metric.ofImprovement(Improvement::twice)),
          entry("share-of-optimum", SinbadClaims::shareOfOptimum),
          entry("least-share-of-optimum", (one, policy) -> least(shareOfOptimum(one, policy))),
          entry("better-of-times-and-share", SinbadClaims::betterOfTimesAndShare),
          entry("least-lead", (one, policy) -> least(besideOptimum(one, policy, (a, b) -> b - a))),
          entry("cv-up", Metric.ofFigures(PolicyFigures::cvUp)),
          entry("cv-down", Metric.ofFigures(PolicyFigures::cvDown)),
          entry("rack-bytes-cv", Metric.ofFigures(PolicyFigures::rackBytesCv)),
          entry("node-deviation", SinbadClaims::nodeDeviation),
          entry("papers-times", (one, any) -> TIMES.of(one, papers(one))),
          entry("shipped-over-papers", (one, any) -> shippedOverPapers(one)));

  private SinbadClaims() {}

  /** The claims. */
  public static ClaimSet claims() {
    return new ScenarioClaims(
        "sinbad",
        List.of(
            "sinbad",
            "sinbad-memory",
            "sinbad-day",
            "sinbad-load",
            "sinbad-interval",
            "sinbad-more-writes",
            "sinbad-made-up"),
        METRICS);
  }

  /** Share of the optimum's (gain - 1). */
  private static double[] shareOfOptimum(ScenarioResult result, String policy) {
    return besideOptimum(result, policy, (ours, best) -> (ours - 1) / (best - 1));
  }

  private static double[] besideOptimum(
      ScenarioResult result, String policy, DoubleBinaryOperator compare) {
    double[] ours = TIMES.of(result, policy);
    double[] best = TIMES.of(result, OPTIMUM);
    return IntStream.range(0, ours.length)
        .mapToDouble(seed -> compare.applyAsDouble(ours[seed], best[seed]))
        .toArray();
  }

  private static double[] least(double[] values) {
    return new double[] {Arrays.stream(values).min().orElseThrow()};
  }

  private static double[] betterOfTimesAndShare(ScenarioResult result, String policy) {
    double times = Estimate.of(TIMES.of(result, policy)).mean();
    double share = Estimate.of(shareOfOptimum(result, policy)).mean();
    return new double[] {Math.max(times / PAPERS_TIMES, share / PAPERS_SHARE)};
  }

  /** Of the nodes' capacity, a percentage. */
  private static double[] nodeDeviation(ScenarioResult result, String policy) {
    double capacity = result.scenario().cluster().capacityBytes().mean();
    return Metric.ofFigures(figures -> 100 * figures.nodeDeviationBytes() / capacity)
        .of(result, policy);
  }

  private static String papers(ScenarioResult result) {
    return result.policies().contains(SINBAD) ? SINBAD : "sinbad-at-once";
  }

  private static double[] shippedOverPapers(ScenarioResult result) {
    double ours = Estimate.of(TIMES.of(result, "shipped")).mean();
    return new double[] {ours / Estimate.of(TIMES.of(result, papers(result))).mean()};
  }
}
