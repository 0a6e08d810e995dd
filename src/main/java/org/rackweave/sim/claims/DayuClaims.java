package org.rackweave.sim.claims;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.rackweave.sim.claims.ScenarioClaims.Metric;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.statistics.Estimate;

/** What Dayu's claims are measured by. */
public final class DayuClaims {
  /** How much less per node counts as no less, as a fraction. */
  private static final double LINEAR_TOLERANCE = 0.05;

  private static final Metric SECONDS = recovery(RecoveryOutcome::seconds);
  private static final Metric INTERFERENCE = percent(RecoveryOutcome::interference);
  private static final Metric PLAN_SEC = recovery(RecoveryOutcome::planSec);

  private static final Metric GIGABYTES =
      recovery(outcome -> outcome.recoveredBytes() / outcome.seconds() / 1e9);

  private static final Map<String, Metric> METRICS =
      Map.ofEntries(
          entry("seconds", SECONDS),
          entry("ideal-sec", recovery(RecoveryOutcome::idealSec)),
          entry("over-ideal", recovery(RecoveryOutcome::overIdeal)),
          entry("interference", INTERFERENCE),
          entry("worst-slot", percent(RecoveryOutcome::worstSlot)),
          entry("foreground-alone", percent(RecoveryOutcome::foregroundAlone)),
          entry("allowed", percent(RecoveryOutcome::allowed)),
          entry("plan-sec", PLAN_SEC),
          entry("gigabytes-per-sec", GIGABYTES),
          entry("nodes-up-to", DayuClaims::nodesUpTo),
          entry("nodes-planned-within-slot", DayuClaims::nodesPlannedWithinSlot),
          entry("over-shortest-beta", DayuClaims::overShortestBeta),
          entry("interference-by-beta", DayuClaims::interferenceByBeta));

  private DayuClaims() {}

  /** The claims. */
  public static ClaimSet claims() {
    return new ScenarioClaims(
        "dayu",
        List.of(
            "dayu-pairs",
            "dayu-g1",
            "dayu-pangu",
            "dayu-causes",
            "dayu-overlap",
            "dayu-scale",
            "dayu-scale-g1",
            "dayu-ablation",
            "dayu-sweep"),
        METRICS);
  }

  private static Metric recovery(ToDoubleFunction<RecoveryOutcome> figure) {
    return Metric.ofRecord(record -> figure.applyAsDouble(record.recovery()));
  }

  private static Metric percent(ToDoubleFunction<RecoveryOutcome> figure) {
    return recovery(outcome -> 100 * figure.applyAsDouble(outcome));
  }

  private static double mean(Metric metric, ScenarioResult result, String policy) {
    return Estimate.of(metric.of(result, policy)).mean();
  }

  /** A scenario of one size, and as it is varied. */
  private static Stream<ScenarioResult> sizes(ScenarioResult scale) {
    return Stream.concat(Stream.of(scale), scale.cases().values().stream());
  }

  private static int nodes(ScenarioResult size) {
    return size.scenario().cluster().racks() * size.scenario().cluster().nodesPerRack();
  }

  private static boolean plansWithinSlot(ScenarioResult size, String policy) {
    return mean(PLAN_SEC, size, policy) <= size.scenario().recovery().slotMs() / 1e3;
  }

  private static double[] nodesUpTo(ScenarioResult scale, String policy) {
    double perNode = mean(GIGABYTES, scale, policy) / nodes(scale);
    return new double[] {
      sizes(scale)
          .takeWhile(size -> isScaled(size, policy, perNode))
          .mapToInt(DayuClaims::nodes)
          .max()
          .orElse(0)
    };
  }

  private static boolean isScaled(ScenarioResult size, String policy, double perNode) {
    double ours = mean(GIGABYTES, size, policy);
    return plansWithinSlot(size, policy)
        && ours / nodes(size) >= perNode * (1 - LINEAR_TOLERANCE)
        && size.policies().stream().allMatch(other -> mean(GIGABYTES, size, other) <= ours);
  }

  private static double[] nodesPlannedWithinSlot(ScenarioResult scale, String policy) {
    return new double[] {
      sizes(scale)
          .filter(size -> plansWithinSlot(size, policy))
          .mapToInt(DayuClaims::nodes)
          .max()
          .orElse(0)
    };
  }

  private static double[] overShortestBeta(ScenarioResult sweep, String policy) {
    double shortest = byBeta(SECONDS, sweep, policy).min().orElseThrow();
    return new double[] {mean(SECONDS, sweep, policy) / shortest};
  }

  private static double[] interferenceByBeta(ScenarioResult sweep, String policy) {
    double most = byBeta(INTERFERENCE, sweep, policy).max().orElseThrow();
    return new double[] {most - byBeta(INTERFERENCE, sweep, policy).min().orElseThrow()};
  }

  /** As written and with each other beta. */
  private static DoubleStream byBeta(Metric metric, ScenarioResult sweep, String policy) {
    Stream<ScenarioResult> varied =
        sweep.cases().entrySet().stream()
            .filter(one -> one.getKey().startsWith(policy + ".beta="))
            .map(Map.Entry::getValue);
    return Stream.concat(Stream.of(sweep), varied).mapToDouble(one -> mean(metric, one, policy));
  }
}
