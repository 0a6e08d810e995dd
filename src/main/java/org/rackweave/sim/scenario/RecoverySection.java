package org.rackweave.sim.scenario;

import java.util.List;
import java.util.Optional;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.LostChunks;

/** The keys of {@code recovery}. */
final class RecoverySection {

  private static final Key<RecoverySpec, Integer> CHUNKS =
      new Key<>(
          "chunks",
          ValueKind.count(0, 10_000_000),
          "0",
          RecoverySpec::chunks,
          "so many were on the node that fails, one drawn at random; 0 when none does");

  private static final Key<RecoverySpec, Distribution> CHUNK =
      new Key<>(
          "chunk",
          DistributionText.kind(Units.BYTES, 1, 1L << 50),
          "64MiB",
          RecoverySpec::chunkBytes,
          "size of each");

  private static final Key<RecoverySpec, LostChunks.Layout> LAYOUT =
      new Key<>(
          "layout",
          ValueKind.word(LostChunks.Layout.class),
          "distinct-racks",
          RecoverySpec::layout,
          "where the other two replicas of each stand, at random: with the lost one in three racks, or"
              + " in two as HDFS places them");

  private static final Key<RecoverySpec, Integer> WAITING =
      new Key<>(
          "waiting",
          ValueKind.count(0, 1_000),
          "0",
          RecoverySpec::waiting,
          "so many chunks for each node of the cluster wait whenever a plan is made, in place of those"
              + " of one node, until the run's duration is over; 0 for those of one node");

  private static final Key<RecoverySpec, Long> SLOT =
      new Key<>(
          "slot",
          ValueKind.wholeQuantity(Units.TIME, 100, 3_600_000),
          "15s",
          RecoverySpec::slotMs,
          "how long a plan looks ahead (T_timeslot), and the time between two reports, and two plans,"
              + " unless replan says otherwise");

  private static final Key<RecoverySpec, Optional<Long>> REPLAN =
      new Key<>(
          "replan",
          ValueKind.optional("as-slot", ValueKind.wholeQuantity(Units.TIME, 100, 3_600_000)),
          "as-slot",
          RecoverySpec::replan,
          "time between two reports, and two plans: as-slot is the paper's, once a slot; less than a"
              + " slot, and slots overlap as in the NameNode, which plans with every heartbeat (3s)");

  private static final Key<RecoverySpec, Double> REPORT_WEIGHT =
      new Key<>(
          "report-weight",
          ValueKind.quantity(Units.NUMBER, 0.001, 1),
          "1",
          RecoverySpec::reportWeight,
          "weight of a report in the moving average that plans go by: 1 is the paper's, the last"
              + " report alone, and the NameNode's");

  private static final Key<RecoverySpec, Double> ALPHA =
      new Key<>(
          "alpha",
          ValueKind.quantity(Units.SHARE, 0.001, 1),
          "75%",
          RecoverySpec::alpha,
          "of a link, what foreground and recovery may take together");

  private static final Key<RecoverySpec, Double> MINIMUM =
      new Key<>(
          "minimum",
          ValueKind.quantity(Units.BANDWIDTH, 0, 125e9),
          "30MB/s",
          RecoverySpec::minBytesPerSec,
          "what recovery gets of a node's link in any case (B_min), at most a quarter of the link; a"
              + " rack's link gives as much in proportion");

  private static final Key<RecoverySpec, Double> CROSSING =
      new Key<>(
          "crossing",
          ValueKind.quantity(Units.SHARE, 0, 1),
          "0%",
          RecoverySpec::crossing,
          "share of a node's foreground that crosses the link of its rack");

  private static final Key<RecoverySpec, RecoverySpec.Contention> CONTENTION =
      new Key<>(
          "contention",
          ValueKind.word(RecoverySpec.Contention.class),
          "minimum-first",
          RecoverySpec::contention,
          "who gets what of a link too narrow for foreground and recovery: the foreground what it"
              + " wants; the same, but the minimum is left to recovery; or both in proportion");

  static final Schema<RecoverySpec> SCHEMA =
      new Schema<>(
          "recovery",
          RecoverySpec.class,
          List.of(
              CHUNKS,
              WAITING,
              CHUNK,
              LAYOUT,
              SLOT,
              REPLAN,
              REPORT_WEIGHT,
              ALPHA,
              MINIMUM,
              CROSSING,
              CONTENTION),
          values ->
              new RecoverySpec(
                  values.get(CHUNKS),
                  values.get(WAITING),
                  values.get(CHUNK),
                  values.get(LAYOUT),
                  values.get(SLOT),
                  values.get(REPLAN),
                  values.get(REPORT_WEIGHT),
                  values.get(ALPHA),
                  values.get(MINIMUM),
                  values.get(CROSSING),
                  values.get(CONTENTION)));

  private RecoverySection() {}

  /**
   * Refuses what does not go with recovery: other work than foreground, other policies than those
   * that recover, and such policies where nothing is recovered.
   *
   * @throws IllegalArgumentException saying what goes and what does not
   */
  static void requireFit(
      RecoverySpec recovery,
      ClusterSpec cluster,
      List<WorkloadSpec> workloads,
      List<PolicySpec> policies) {
    boolean recovers = recovery.recovers();
    for (PolicySpec policy : policies) {
      if (policy.recovers() != recovers) {
        throw new IllegalArgumentException(
            recovers
                ? "policies that recover chunks are of kind dayu or pangu, unlike " + policy.name()
                : "policy " + policy.name() + " needs recovery with chunks or waiting");
      }
    }
    if (!recovers) {
      return;
    }
    if (workloads.size() != 1 || !(workloads.get(0) instanceof WorkloadSpec.Foreground)) {
      throw new IllegalArgumentException("recovery goes with one workload of kind foreground");
    }
    int racksMin = recovery.layout() == LostChunks.Layout.DISTINCT_RACKS ? 4 : 3;
    if (cluster.topologyFile().isEmpty()
        && (cluster.racks() < racksMin || cluster.racks() * cluster.nodesPerRack() < 4)) {
      throw new IllegalArgumentException(
          "recovery of chunks in " + (racksMin - 1) + " racks needs " + racksMin + " racks");
    }
  }
}
