package org.rackweave.hdfs.dayu;

import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.rackweave.hdfs.Mode;

/** Whether a NameNode's state, settings and knowledge let Dayu recover. */
final class Readiness {
  private final NameNode nameNode;
  private final ReconstructionQueue queue;
  private final Supplier<RecoveryCluster> cluster;

  Readiness(NameNode nameNode, ReconstructionQueue queue, Supplier<RecoveryCluster> cluster) {
    this.nameNode = nameNode;
    this.queue = queue;
    this.cluster = cluster;
  }

  /** Why recovery is stock's, {@code null} when it is not. */
  StockReason whyStock() {
    if (!nameNode.isActiveState()) {
      return StockReason.NOT_ACTIVE;
    }
    if (nameNode.isInSafeMode() || !queue.isPopulated()) {
      return StockReason.SAFE_MODE;
    }
    if (queue.holdingPolicy() == null) {
      return StockReason.OTHER_POLICY;
    }
    RecoveryCluster now = cluster.get();
    if (now.isHeld()) {
      return StockReason.SERVERS_WAKING;
    }
    if (now.mode() != Mode.ACTIVE) {
      return now.mode() == Mode.SHADOW ? StockReason.SHADOW_MODE : StockReason.SWITCHED_OFF;
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
