package org.rackweave.hdfs.dayu;

import com.google.common.math.LongMath;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * What links have left for recovery (Eq. 1): what is measured on them, less what recovery itself
 * sent then, is foreground. Single-threaded, for one slot.
 */
final class IdleBandwidth {
  private final ClusterView cluster;
  private final LinkSnapshot links;
  private final ClusterTopology topology;
  private final RecoveryBandwidth share;
  private final double[] ownIn;
  private final double[] ownOut;
  private final double[] ownRackIn;
  private final double[] ownRackOut;

  /**
   * @param share how much of a link recovery may use
   * @param own what copies take of DataNodes' links
   */
  IdleBandwidth(
      ClusterView cluster, RecoveryBandwidth share, Map<DatanodeDescriptor, OwnLoad> own) {
    this.cluster = cluster;
    this.share = share;
    links = cluster.links();
    topology = cluster.topology();
    ownIn = new double[topology.nodeCount()];
    ownOut = new double[topology.nodeCount()];
    ownRackIn = new double[topology.rackCount()];
    ownRackOut = new double[topology.rackCount()];
    own.forEach(this::add);
  }

  private void add(DatanodeDescriptor datanode, OwnLoad load) {
    int node = cluster.numberOf(datanode);
    if (node != ClusterTopology.NONE) {
      ownIn[node] = load.in();
      ownOut[node] = load.out();
      // The sum of a rack's hosts stands for its link and holds what stays inside, too.
      ownRackIn[topology.rackOf(node)] += load.in();
      ownRackOut[topology.rackOf(node)] += load.out();
    }
  }

  /**
   * The snapshot for the planner.
   *
   * @param isStale whether a DataNode is not to be written to, as stock HDFS has it
   */
  RecoverySnapshot snapshot(Predicate<DatanodeDescriptor> isStale) {
    return snapshot(isStale, node -> false, node -> false);
  }

  /**
   * The snapshot as if some DataNodes were dead, and others about to leave.
   *
   * @param isStale as above
   */
  RecoverySnapshot snapshot(
      Predicate<DatanodeDescriptor> isStale,
      Predicate<DatanodeDescriptor> isDead,
      Predicate<DatanodeDescriptor> isLeaving) {
    RecoverySnapshot.Builder builder =
        new RecoverySnapshot.Builder(topology, StorageType.values().length);
    int[] live = new int[topology.rackCount()];
    for (int node = 0; node < topology.nodeCount(); node++) {
      DatanodeDescriptor datanode = cluster.datanodes()[node];
      if (!datanode.isAlive() || isDead.test(datanode)) {
        builder.accepts(node, false);
        continue;
      }
      live[topology.rackOf(node)]++;
      double capacity = links.hostCapacity(node);
      double othersIn = Math.max(0, links.hostMeanRx(node) - ownIn[node]);
      double othersOut = Math.max(0, links.hostMeanTx(node) - ownOut[node]);
      builder.node(node, share.of(capacity, othersIn), share.of(capacity, othersOut));
      if (share.isCrowded(capacity, othersIn)) {
        builder.crowded(node);
      }
      if (share.isCrowded(capacity, othersOut)) {
        builder.crowdedOut(node);
      }
      if (datanode.isInService() && !isLeaving.test(datanode)) {
        builder.accepts(node, !isStale.test(datanode));
      } else {
        builder.leaving(node);
      }
      free(builder, node, datanode);
    }
    if (topology.rackCount() > 1) {
      racks(builder, live);
    }
    return builder.build();
  }

  /** Eq. 4 if copies took all of DataNodes' B_recover, less what there is without them. */
  double interferenceAtFullRate() {
    double overload = 0;
    double all = 0;
    for (int node = 0; node < topology.nodeCount(); node++) {
      if (cluster.datanodes()[node].isAlive()) {
        double capacity = links.hostCapacity(node);
        all += 2 * capacity;
        overload += overload(capacity, Math.max(0, links.hostMeanRx(node) - ownIn[node]));
        overload += overload(capacity, Math.max(0, links.hostMeanTx(node) - ownOut[node]));
      }
    }
    return all == 0 ? 0 : overload / all;
  }

  private double overload(double capacity, double others) {
    double with = share.overload(capacity, others + share.times(1).of(capacity, others));
    return with - share.overload(capacity, others);
  }

  private void racks(RecoverySnapshot.Builder builder, int[] live) {
    for (int rack = 0; rack < live.length; rack++) {
      double capacity = links.rackCapacity(rack);
      RecoveryBandwidth ofRack = share.ofShared(live[rack]);
      double othersIn = Math.max(0, links.rackMeanRx(rack) - ownRackIn[rack]);
      double othersOut = Math.max(0, links.rackMeanTx(rack) - ownRackOut[rack]);
      builder.rack(rack, ofRack.of(capacity, othersIn), ofRack.of(capacity, othersOut));
      boolean isCrowded = ofRack.isCrowded(capacity, othersIn);
      boolean isCrowdedOut = ofRack.isCrowded(capacity, othersOut);
      for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
        if (isCrowded) {
          builder.crowded(node);
        }
        if (isCrowdedOut) {
          builder.crowdedOut(node);
        }
      }
    }
  }

  /** DataNodes say what they like: below nothing is nothing, and no sum is below its parts. */
  private static void free(
      RecoverySnapshot.Builder builder, int node, DatanodeDescriptor datanode) {
    long[] bytes = new long[StorageType.values().length];
    for (StorageReport report : datanode.getStorageReports()) {
      DatanodeStorage storage = report.getStorage();
      if (storage.getState() == DatanodeStorage.State.NORMAL) {
        int type = storage.getStorageType().ordinal();
        bytes[type] = LongMath.saturatedAdd(bytes[type], Math.max(0, report.getRemaining()));
      }
    }
    for (int type = 0; type < bytes.length; type++) {
      builder.free(type, node, bytes[type]);
    }
  }
}
