package org.rackweave.sim.scenario;

import java.util.List;
import java.util.Optional;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.LostChunks;

/** A node that has failed, and by which rules what it held is copied. */
public record RecoverySpec(
    @Allowed("0 to 10000000")
        @Default("0")
        @Meaning("so many were on the node that fails, one drawn at random; 0 when none does")
        int chunks,
    @Allowed("0 to 1000")
        @Default("0")
        @Meaning(
            "so many chunks for each node of the cluster wait whenever a plan is made, in "
                + "place of those of one node, until the run's duration is over; 0 for those of "
                + "one node")
        int waiting,
    @Allowed("1B to 1024TiB") @Default("64MiB") @Meaning("size of each") Distribution chunkBytes,
    @Default("distinct-racks")
        @Meaning(
            "where the other two replicas of each stand, at random: with the lost one in "
                + "three racks, or in two as HDFS places them")
        LostChunks.Layout layout,
    @Allowed("100ms to 1h")
        @Default("15s")
        @Meaning(
            "how long a plan looks ahead (T_timeslot), and the time between two reports, "
                + "and two plans, unless replan says otherwise")
        long slotMs,
    @Allowed("100ms to 1h, or as-slot")
        @Default("as-slot")
        @Meaning(
            "time between two reports, and two plans: as-slot is the paper's, once a "
                + "slot; less than a slot, and slots overlap as in the NameNode, which plans "
                + "with every heartbeat (3s)")
        Optional<Long> replan,
    @Allowed("0.001 to 1")
        @Default("1")
        @Meaning(
            "weight of a report in the moving average that plans go by: 1 is the paper's, "
                + "the last report alone, and the NameNode's")
        double reportWeight,
    @Allowed("0.1% to 100%")
        @Default("75%")
        @Meaning("of a link, what foreground and recovery may take together")
        double alpha,
    @Allowed("0B/s to 1Tbps")
        @Default("30MB/s")
        @Meaning(
            "what recovery gets of a node's link in any case (B_min), at most a quarter "
                + "of the link; a rack's link gives as much in proportion")
        double minimumBytesPerSec,
    @Allowed("0 to 100%")
        @Default("0%")
        @Meaning("share of a node's foreground that crosses the link of its rack")
        double crossing,
    @Default("minimum-first")
        @Meaning(
            "who gets what of a link too narrow for foreground and recovery: the "
                + "foreground what it wants; the same, but the minimum is left to recovery; or "
                + "both in proportion")
        Contention contention) {

  /** Who gets what of a link that is asked for more than it carries; the paper leaves it open. */
  public enum Contention {
    /** The foreground gets all it wants. */
    FOREGROUND_FIRST,
    /** The foreground gets all it wants but B_min, which a node assigns to recovery (Eq. 1). */
    MINIMUM_FIRST,
    /** Both get the same share of what they want. */
    PROPORTIONAL
  }

  /** Whether anything is recovered. */
  public boolean recovers() {
    return chunks > 0 || endless();
  }

  /** Whether another chunk waits for each that is there again. */
  public boolean endless() {
    return waiting > 0;
  }

  /** Chunks that wait at first in a cluster of so many nodes. */
  public int chunksAtFirst(int nodes) {
    return endless() ? waiting * nodes : chunks;
  }

  /** How often bandwidth is reported and a plan is made, no less often than slots begin. */
  public long replanMs() {
    return Math.min(slotMs, replan.orElse(slotMs));
  }

  /** Eq. 1 of a node's link. */
  public RecoveryBandwidth bandwidth() {
    return new RecoveryBandwidth(alpha, minimumBytesPerSec, RecoveryBandwidth.DEFAULT.minShare());
  }

  /** The same with fewer chunks. */
  public RecoverySpec withChunks(int fewer) {
    return new RecoverySpec(
        fewer,
        waiting,
        chunkBytes,
        layout,
        slotMs,
        replan,
        reportWeight,
        alpha,
        minimumBytesPerSec,
        crossing,
        contention);
  }

  /** Refuses other work than foreground, and policies that do not do what is asked for. */
  void requireFit(ClusterSpec cluster, List<WorkloadSpec> workloads, List<PolicySpec> policies) {
    for (PolicySpec policy : policies) {
      if (policy.recovers() != recovers()) {
        throw bad(
            recovers()
                ? "policies that recover chunks are of kind dayu or pangu, unlike " + policy.name()
                : "policy " + policy.name() + " needs recovery with chunks or waiting");
      }
    }
    if (!recovers()) {
      return;
    }
    if (workloads.size() != 1 || !(workloads.get(0) instanceof WorkloadSpec.Foreground)) {
      throw bad("recovery goes with one workload of kind foreground");
    }
    int racksMin = layout == LostChunks.Layout.DISTINCT_RACKS ? 4 : 3;
    if (cluster.topologyFile().isEmpty()
        && (cluster.racks() < racksMin || cluster.racks() * cluster.nodesPerRack() < 4)) {
      throw bad("recovery of chunks in " + (racksMin - 1) + " racks needs " + racksMin + " racks");
    }
  }

  private static BadValueException bad(String reason) {
    return new BadValueException("recovery", reason);
  }
}
