package org.rackweave.cli.testbed.compare;

import java.util.Set;

/**
 * The least time in which what was lost can be made again over the links' idle bandwidth: every
 * block from the one rack that still has it to any other rack, in pieces of any size, while the
 * load moves from racks to racks. No scheduler can be faster that leaves the rest of the links to
 * others.
 */
final class IdealRebuild {
  private static final long STEP_MS = 50;

  private final RecoveryPlan plan;
  private final IdleLinks links;
  private final int nodesPerRack;

  /** Bytes that have to leave each rack. */
  private final double[] toSend;

  private final double[] canSend;
  private final double[] canReceive;

  private IdealRebuild(
      RecoveryPlan plan, long blockBytes, IdleLinks links, int racks, int nodesPerRack) {
    this.plan = plan;
    this.links = links;
    this.nodesPerRack = nodesPerRack;
    toSend = new double[racks];
    canSend = new double[racks];
    canReceive = new double[racks];
    for (Filling.Filled block : plan.filled()) {
      int left =
          block.replicas().stream().filter(node -> node != plan.victim()).findAny().orElseThrow();
      toSend[left / nodesPerRack] += blockBytes;
    }
  }

  /**
   * Seconds.
   *
   * @param fromMs when recovery may begin, milliseconds after the start of the run
   * @return NaN when it is longer than any recovery is waited for
   */
  static double seconds(
      RecoveryPlan plan,
      RecoverySettings settings,
      IdleLinks links,
      int racks,
      int nodesPerRack,
      long fromMs) {
    IdealRebuild rebuild =
        new IdealRebuild(plan, settings.blockBytes(), links, racks, nodesPerRack);
    for (long ms = 0; ms <= RecoverySettings.LONGEST_MS; ms += STEP_MS) {
      if (rebuild.isDone()) {
        return ms / 1000.0;
      }
      rebuild.pass(plan.schedule().hotAt(fromMs + ms));
    }
    return Double.NaN;
  }

  private void pass(Set<Integer> hot) {
    double seconds = STEP_MS / 1000.0;
    for (int rack = 0; rack < toSend.length; rack++) {
      boolean isHot = hot.contains(rack);
      int nodes = nodesPerRack - (rack == plan.victim() / nodesPerRack ? 1 : 0);
      canSend[rack] += seconds * (isHot ? links.hotOut() : links.coldOut()).bytesPerSec(nodes);
      canReceive[rack] += seconds * (isHot ? links.hotIn() : links.coldIn()).bytesPerSec(nodes);
    }
  }

  /**
   * Whether what could be sent and received until now is enough. Two racks together reach all
   * racks, one alone all others (Hall's condition for such a bipartite flow).
   */
  private boolean isDone() {
    double sent = 0;
    double received = 0;
    for (int rack = 0; rack < toSend.length; rack++) {
      sent += toSend[rack];
      received += canReceive[rack];
    }
    boolean enough = sent <= received;
    for (int rack = 0; rack < toSend.length; rack++) {
      enough &= toSend[rack] <= canSend[rack] && toSend[rack] <= received - canReceive[rack];
    }
    return enough;
  }
}
