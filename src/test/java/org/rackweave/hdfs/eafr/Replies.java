package org.rackweave.hdfs.eafr;

import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;

/** What an active NameNode answers to heartbeats. */
final class Replies {
  private Replies() {}

  /** An order for blocks. */
  static HeartbeatResponseProto of(BlockCommandProto order) {
    return HeartbeatResponseProto.newBuilder()
        .setHaStatus(
            NNHAStatusHeartbeatProto.newBuilder()
                .setState(NNHAStatusHeartbeatProto.State.ACTIVE)
                .setTxid(1))
        .addCmds(
            DatanodeCommandProto.newBuilder()
                .setCmdType(DatanodeCommandProto.Type.BlockCommand)
                .setBlkCmd(order))
        .build();
  }
}
