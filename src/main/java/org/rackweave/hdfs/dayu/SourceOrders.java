package org.rackweave.hdfs.dayu;

import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.rackweave.hdfs.dayu.CopyLimits.SourceWork;

/**
 * Gives sources their orders with the answers to their heartbeats, beside what HDFS gives them.
 * HDFS's own limit, {@code dfs.namenode.replication.max-streams}, is the operator's and is for all
 * other work, striped blocks above all: copies of ours that a source makes are not among the
 * transfers that HDFS sees, and those that it is to make are not in HDFS's queue. Thread-safe.
 */
final class SourceOrders {
  private final ReconstructionQueue queue;
  private final CopyLimits limits;

  SourceOrders(ReconstructionQueue queue, CopyLimits limits) {
    this.queue = queue;
    this.limits = limits;
  }

  private static String uuid(HeartbeatRequestProto heartbeat) {
    return heartbeat.getRegistration().getDatanodeID().getDatanodeUuid();
  }

  /** A heartbeat as HDFS is to see it. */
  HeartbeatRequestProto withoutOwn(HeartbeatRequestProto heartbeat) {
    SourceWork work = limits.work(uuid(heartbeat));
    int own = work == null ? 0 : own(work, heartbeat);
    return own == 0
        ? heartbeat
        : heartbeat.toBuilder().setXmitsInProgress(heartbeat.getXmitsInProgress() - own).build();
  }

  /** How many of the transfers that a source makes are ours. */
  private int own(SourceWork work, HeartbeatRequestProto heartbeat) {
    int told = work.copies() - queue.ordersWaiting(work.source());
    int mostly = limits.rates().begun(uuid(heartbeat));
    return Math.max(0, Math.min(heartbeat.getXmitsInProgress(), Math.min(told, mostly)));
  }

  /** HDFS's answer to a heartbeat, with the next orders. */
  HeartbeatResponseProto withOrders(
      HeartbeatRequestProto heartbeat, HeartbeatResponseProto response) {
    SourceWork work = limits.work(uuid(heartbeat));
    if (work == null || !takesOrders(response)) {
      return response;
    }
    DatanodeCommandProto orders =
        queue.nextOrders(work.source(), Math.max(0, work.most() - own(work, heartbeat)));
    return orders == null ? response : response.toBuilder().addCmds(orders).build();
  }

  private static boolean takesOrders(HeartbeatResponseProto response) {
    return response.hasHaStatus()
        && response.getHaStatus().getState() == NNHAStatusHeartbeatProto.State.ACTIVE
        && response.getCmdsList().stream()
            .noneMatch(cmd -> cmd.getCmdType() == DatanodeCommandProto.Type.RegisterCommand);
  }
}
