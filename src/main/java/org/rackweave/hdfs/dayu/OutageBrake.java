package org.rackweave.hdfs.dayu;

import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.rackweave.dayu.Brake;
import org.rackweave.dayu.Brake.Cause;
import org.rackweave.dayu.Brake.Judgement;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * Asks the pure {@link Brake} whether too many DataNodes were lost at once. The operator's go holds
 * for the outage it was given in. Those that are drained, or that the NameNode has not heard of
 * since it started, are not missed. O(DataNodes log DataNodes), without the namesystem's lock.
 * Thread-safe.
 */
final class OutageBrake {
  private final Brake brake;
  private final DatanodeManager datanodes;
  private final long expiryMs;
  private final long missedMs;
  private volatile boolean isOverridden;
  private volatile Judgement last = new Judgement(Cause.NONE, 0, 0, ClusterTopology.NONE);
  private volatile String rack = "";

  /**
   * @param heartbeatMs time between two heartbeats
   * @param expiryMs silence after which HDFS takes a DataNode for dead
   */
  OutageBrake(Brake brake, DatanodeManager datanodes, long heartbeatMs, long expiryMs) {
    this.brake = brake;
    this.datanodes = datanodes;
    this.expiryMs = expiryMs;
    missedMs = (long) Math.max(10 * heartbeatMs, expiryMs - 1000 * brake.windowSec());
  }

  Judgement judge(long nowMs) {
    List<DatanodeDescriptor> known =
        datanodes.getDatanodeListForReport(DatanodeReportType.ALL).stream()
            .filter(node -> node.isInService())
            .sorted(Comparator.comparing(DatanodeDescriptor::getNetworkLocation))
            .toList();
    ClusterTopology topology =
        ClusterTopology.of(
            known.stream()
                .map(node -> new NodePlace(node.getXferAddr(), node.getNetworkLocation(), null))
                .toList());
    double[] goneForSec = new double[known.size()];
    for (int node = 0; node < goneForSec.length; node++) {
      DatanodeDescriptor datanode = known.get(node);
      long silentMs = nowMs - datanode.getLastUpdateMonotonic();
      // HDFS takes them for dead one by one; those that will be next count with the first.
      boolean isGone = !datanode.isAlive() || silentMs >= missedMs;
      goneForSec[node] = isGone ? Math.max(0, silentMs - expiryMs) / 1000.0 : -1;
    }
    Judgement now = brake.judge(topology, goneForSec, isOverridden);
    if (now.cause() == Cause.NONE) {
      isOverridden = false;
    }
    rack = now.rack() == ClusterTopology.NONE ? "" : topology.rackPath(now.rack());
    last = now;
    return now;
  }

  void override(boolean go) {
    isOverridden = go;
  }

  Judgement last() {
    return last;
  }

  /** For the log and for people. */
  String describe() {
    Judgement now = last;
    return switch (now.cause()) {
      case NONE -> "nothing unusual is lost";
      case SHARE -> now.vanished() + " DataNodes were lost at once, recovery waits " + wait(now);
      case RACK -> "rack " + rack + " was lost at once, recovery waits " + wait(now);
      case OVERRIDDEN -> now.vanished() + " DataNodes were lost at once, the operator said go";
    };
  }

  private static String wait(Judgement judgement) {
    return (long) Math.ceil(judgement.waitSec()) + " s more";
  }
}
