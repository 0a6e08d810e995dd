package org.rackweave.sim.claims;

import java.util.Locale;
import org.rackweave.sim.report.Improvement;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.Transfers.GroupOutcome;

/**
 * Why claims of Sinbad's are missed, as far as runs with one thing changed can tell. Each says what
 * was changed and what came of it.
 */
final class SinbadCauses {
  private SinbadCauses() {}

  /** Sources taken away, and the waiting for a decision. */
  static String ofShares(ScenarioResult main, String atOnce, String optimum) {
    return String.format(
        Locale.ROOT,
        "with nothing to limit a write at its source %s; deciding at once and not every 10 s, when"
            + " forty writes start at one moment, %s",
        shares(main, optimum),
        shares(main, atOnce));
  }

  private static String shares(ScenarioResult result, String policy) {
    return String.format(
        Locale.ROOT,
        "%.0f %% become faster and %.0f %% slower",
        100 * result.improvement(policy, Improvement::improved).mean(),
        100 * result.improvement(policy, Improvement::slower).mean());
  }

  /** What free sources would bring, and how much of it is reached. */
  static String ofMean(ScenarioResult result, String sinbad, String optimum) {
    double ours = result.improvement(sinbad, Improvement::ofMeans).mean();
    double best = result.improvement(optimum, Improvement::ofMeans).mean();
    return String.format(
        Locale.ROOT,
        "with nothing to limit a write at its source it would be %.2f times, of whose gain %.0f %% is"
            + " reached: writers sit in the racks of reducers, whose links to the core are busy",
        best,
        100 * (ours - 1) / (best - 1));
  }

  /**
   * How little of the bytes is written, and what more writes change.
   *
   * @param more the scenario with more writes
   */
  static String ofVariation(
      ScenarioResult main, ScenarioResult more, String sinbad, String whatMore) {
    PolicyRecord stock = main.of(main.baseline()).get(0);
    return String.format(
        Locale.ROOT,
        "writes are %.0f %% of the bytes between racks here and 40 %% in the paper (table 2), the"
            + " public trace holding shuffles only; with %s they are %.0f %%, and Cv changes by"
            + " %+.2f towards the racks and %+.2f towards the core",
        100 * shareOfWrites(stock),
        whatMore,
        100 * shareOfWrites(more.of(more.baseline()).get(0)),
        more.figure(sinbad, PolicyFigures::cvDown).mean()
            - more.figure(more.baseline(), PolicyFigures::cvDown).mean(),
        more.figure(sinbad, PolicyFigures::cvUp).mean()
            - more.figure(more.baseline(), PolicyFigures::cvUp).mean());
  }

  /** A block crosses the core once, to the rack of its other replicas; a shuffle's bytes once. */
  private static double shareOfWrites(PolicyRecord record) {
    double written = record.blocks().stream().mapToDouble(BlockOutcome::sizeBytes).sum();
    double shuffled = record.groups().stream().mapToDouble(GroupOutcome::sizeBytes).sum();
    return written / (written + shuffled);
  }
}
