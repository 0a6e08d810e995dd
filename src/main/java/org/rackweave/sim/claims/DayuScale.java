package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.scenario.ClusterSpec;

/** How far Dayu scales (section 5.2, figure 7). */
final class DayuScale {
  private static final String DAYU = "dayu";
  private static final String G1 = "g1";
  private static final int PAPER_NODES = 25_000;

  /** How much less per node counts as no less, as a fraction. */
  private static final double LINEAR_TOLERANCE = 0.05;

  private DayuScale() {}

  static Claim claim(ScenarioResult scale, ScenarioResult withG1) {
    List<Detail> details = new ArrayList<>();
    int reached = 0;
    boolean goesOn = true;
    double perNode = gigabytes(scale, DAYU).mean() / nodes(scale);
    for (ScenarioResult size : sizes(scale)) {
      goesOn &= isScaled(size, perNode);
      reached = goesOn ? nodes(size) : reached;
      for (String policy : size.policies()) {
        describe(size, policy, "", details);
      }
    }
    int g1Reached = 0;
    for (ScenarioResult size : sizes(withG1)) {
      describe(size, G1, " in four slots", details);
      describe(size, DAYU, " in four slots", details);
      if (planSec(size, G1).mean() <= slotSec(size)) {
        g1Reached = Math.max(g1Reached, nodes(size));
      }
    }
    details.add(new Detail("g1 plans within a slot up to", "nodes", 5_000, Estimate.of(g1Reached)));
    boolean met = reached >= PAPER_NODES;
    return new Claim(
        "dayu-scale",
        "Largest cluster of those tried up to which dayu plans within a slot, recovers as much for"
            + " each node as at first to within 5 %, and more than any other; met at 25,000 nodes.",
        false,
        "nodes",
        PAPER_NODES,
        Estimate.of(reached),
        met,
        met ? "" : why(scale, perNode),
        details);
  }

  private static List<ScenarioResult> sizes(ScenarioResult scale) {
    List<ScenarioResult> sizes = new ArrayList<>(List.of(scale));
    sizes.addAll(scale.cases().values());
    return sizes;
  }

  private static int nodes(ScenarioResult size) {
    ClusterSpec cluster = size.scenario().cluster();
    return cluster.racks() * cluster.nodesPerRack();
  }

  private static double slotSec(ScenarioResult size) {
    return size.scenario().recovery().slotMs() / 1e3;
  }

  private static boolean isScaled(ScenarioResult size, double perNode) {
    double ours = gigabytes(size, DAYU).mean();
    return planSec(size, DAYU).mean() <= slotSec(size)
        && ours / nodes(size) >= perNode * (1 - LINEAR_TOLERANCE)
        && size.policies().stream()
            .filter(policy -> !policy.equals(DAYU))
            .allMatch(policy -> gigabytes(size, policy).mean() <= ours);
  }

  private static void describe(
      ScenarioResult size, String policy, String more, List<Detail> details) {
    String what = String.format(Locale.ROOT, "%s, %,d nodes%s", policy, nodes(size), more);
    details.add(new Detail(what, "GB/s", Double.NaN, gigabytes(size, policy)));
    details.add(new Detail(what + ": a plan", "s", Double.NaN, planSec(size, policy)));
  }

  private static Estimate gigabytes(ScenarioResult size, String policy) {
    return Recoveries.figure(
        size, policy, outcome -> outcome.recoveredBytes() / outcome.seconds() / 1e9);
  }

  private static Estimate planSec(ScenarioResult size, String policy) {
    return Recoveries.figure(size, policy, RecoveryOutcome::planSec);
  }

  /** Of the first size at which it does not go on, or of the largest. */
  private static String why(ScenarioResult scale, double perNode) {
    List<ScenarioResult> sizes = sizes(scale);
    ScenarioResult last = sizes.get(sizes.size() - 1);
    ScenarioResult first =
        sizes.stream().filter(size -> !isScaled(size, perNode)).findFirst().orElse(last);
    if (first == last && nodes(last) < PAPER_NODES) {
      return String.format(Locale.ROOT, "this run goes to %,d nodes", nodes(last));
    }
    String best =
        first.policies().stream()
            .max(Comparator.comparingDouble(one -> gigabytes(first, one).mean()))
            .orElseThrow();
    double ours = gigabytes(first, DAYU).mean();
    Estimate most = gigabytes(first, best);
    return String.format(
        Locale.ROOT,
        "at %,d nodes a plan takes %.1f s, %.1f GB/s are recovered, %.3f for each node against %.3f at"
            + " first, and most by %s, %.1f GB/s, in %d case%s",
        nodes(first),
        planSec(first, DAYU).mean(),
        ours,
        ours / nodes(first),
        perNode,
        best,
        most.mean(),
        most.seeds(),
        most.seeds() == 1 ? "" : "s");
  }
}
