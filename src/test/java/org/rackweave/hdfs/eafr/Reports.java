package org.rackweave.hdfs.eafr;

import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeRegistrationProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.BlockKeyProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.ExportedBlockKeysProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.StorageInfoProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** What DataNodes say of blocks that they have received or deleted. */
final class Reports {
  private Reports() {}

  /** A report of one storage. */
  static BlockReceivedAndDeletedRequestProto of(
      DatanodeDescriptor by, BlockStatus status, long... blockIds) {
    StorageReceivedDeletedBlocksProto.Builder storage =
        StorageReceivedDeletedBlocksProto.newBuilder().setStorageUuid("storage");
    for (long id : blockIds) {
      storage.addBlocks(
          ReceivedDeletedBlockInfoProto.newBuilder()
              .setBlock(BlockProto.newBuilder().setBlockId(id).setGenStamp(1))
              .setStatus(status));
    }
    return BlockReceivedAndDeletedRequestProto.newBuilder()
        .setRegistration(
            DatanodeRegistrationProto.newBuilder()
                .setDatanodeID(PBHelperClient.convert((DatanodeID) by))
                .setStorageInfo(
                    StorageInfoProto.newBuilder()
                        .setLayoutVersion(1)
                        .setNamespceID(1)
                        .setClusterID("cluster")
                        .setCTime(0))
                .setKeys(
                    ExportedBlockKeysProto.newBuilder()
                        .setIsBlockTokenEnabled(false)
                        .setKeyUpdateInterval(0)
                        .setTokenLifeTime(0)
                        .setCurrentKey(BlockKeyProto.newBuilder().setKeyId(1).setExpiryDate(1)))
                .setSoftwareVersion("3"))
        .setBlockPoolId("pool")
        .addBlocks(storage)
        .build();
  }
}
