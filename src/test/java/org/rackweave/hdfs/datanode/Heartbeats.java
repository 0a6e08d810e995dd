package org.rackweave.hdfs.datanode;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.StorageReportProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;

/** Heartbeats as a DataNode sends them, and replies to them. */
final class Heartbeats {
  static final String UUID = "c0ffee00-0000-4000-8000-000000000001";
  static final int XMITS = 3;
  static final int XCEIVERS = 12;

  private Heartbeats() {}

  static HeartbeatRequestProto of(String ipAddress, StorageReportProto... storages) {
    DatanodeRegistration registration =
        new DatanodeRegistration(
            new DatanodeID(ipAddress, "datanode", UUID, 9866, 9864, 9865, 9867),
            new StorageInfo(NodeType.DATA_NODE),
            new ExportedBlockKeys(),
            "3.5.0");
    return HeartbeatRequestProto.newBuilder()
        .setRegistration(PBHelper.convert(registration))
        .addAllReports(List.of(storages))
        .setXmitsInProgress(XMITS)
        .setXceiverCount(XCEIVERS)
        .build();
  }

  static HeartbeatResponseProto reply() {
    return HeartbeatResponseProto.newBuilder()
        .setHaStatus(
            NNHAStatusHeartbeatProto.newBuilder()
                .setState(NNHAStatusHeartbeatProto.State.ACTIVE)
                .setTxid(1))
        .build();
  }

  static StorageReportProto storage(long capacity, long remaining, boolean failed) {
    return StorageReportProto.newBuilder()
        .setStorageUuid("s")
        .setCapacity(capacity)
        .setRemaining(remaining)
        .setFailed(failed)
        .build();
  }
}
