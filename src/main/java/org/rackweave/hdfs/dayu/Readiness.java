package org.rackweave.hdfs.dayu;

import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.Mode;

/** Whether an active NameNode's state, settings and knowledge let Dayu recover. */
final class Readiness {
  private final NameNode nameNode;
  private final Supplier<DayuConfig> settings;
  private final ReconstructionQueue queue;
  private final Supplier<RecoveryCluster> cluster;

  Readiness(
      NameNode nameNode,
      Supplier<DayuConfig> settings,
      ReconstructionQueue queue,
      Supplier<RecoveryCluster> cluster) {
    this.nameNode = nameNode;
    this.settings = settings;
    this.queue = queue;
    this.cluster = cluster;
  }

  /** The placement policy that holds stock back, {@code null} when the one in force does not. */
  Object policy() {
    return queue.holdingPolicy(settings.get().anyPolicy());
  }

  /** Whether it would be this NameNode's turn if it became active now. */
  boolean mayTakeOver() {
    return policy() != null && !nameNode.isInSafeMode() && cluster.get().mode() == Mode.ACTIVE;
  }

  /** Why recovery is stock's, {@code null} when it is not. */
  StockReason whyStock() {
    if (nameNode.isInSafeMode() || !queue.isPopulated()) {
      return StockReason.SAFE_MODE;
    }
    RecoveryCluster now = cluster.get();
    if (now.mode() != Mode.ACTIVE) {
      return now.mode() == Mode.SHADOW ? StockReason.SHADOW_MODE : StockReason.SWITCHED_OFF;
    }
    if (policy() == null) {
      return StockReason.OTHER_POLICY;
    }
    if (now.isHeld()) {
      return StockReason.SERVERS_WAKING;
    }
    if (now.nodes() == null) {
      return StockReason.NO_SNAPSHOT;
    }
    if (now.isStale()) {
      return StockReason.STALE_SNAPSHOT;
    }
    return now.nodes().links().coverage() < now.coverageMin() ? StockReason.LOW_COVERAGE : null;
  }
}
