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
        @Meaning("chunks on the node that fails, a random one; 0: no node fails")
        int chunks,
    @Allowed("0 to 1000")
        @Default("0")
        @Meaning(
            "chunks per node of the cluster that wait at every plan until the end of the"
                + " run, in place of those of one node; 0: those of one node")
        int waiting,
    @Allowed("1B to 1024TiB") @Default("64MiB") @Meaning("size of each chunk")
        Distribution chunkBytes,
    @Default("distinct-racks")
        @Meaning(
            "random places of the other two replicas: in three racks with the lost one, or"
                + " in two as in HDFS")
        LostChunks.Layout layout,
    @Allowed("100ms to 1h")
        @Default("15s")
        @Meaning(
            "how far a plan looks ahead (T_timeslot); also the time between two reports,"
                + " and two plans, unless `replan` is set")
        long slotMs,
    @Allowed("100ms to 1h, or as-slot")
        @Default("as-slot")
        @Meaning(
            "time between two reports, and two plans: as-slot: once per slot, as in the"
                + " paper; with less, slots overlap as in the NameNode, which plans with every"
                + " heartbeat (3s)")
        Optional<Long> replan,
    @Allowed("0.001 to 1")
        @Default("1")
        @Meaning(
            "weight of a report in the moving average used by plans: 1 is the last report"
                + " alone, as in the paper and the NameNode")
        double reportWeight,
    @Allowed("0.1% to 100%")
        @Default("75%")
        @Meaning("share of a link for foreground and recovery together")
        double alpha,
    @Allowed("0B/s to 1Tbps")
        @Default("30MB/s")
        @Meaning(
            "bandwidth of a node's link that recovery gets in any case (B_min), at most a"
                + " quarter of the link; rack links in proportion")
        double minimumBytesPerSec,
    @Allowed("0 to 100%")
        @Default("0%")
        @Meaning("share of a node's foreground that crosses its rack's link")
        double crossing,
    @Default("minimum-first")
        @Meaning(
            "sharing of a congested link: foreground-first: the foreground gets what it"
                + " wants; minimum-first: the same, but recovery keeps its minimum; proportional:"
                + " in proportion")
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
