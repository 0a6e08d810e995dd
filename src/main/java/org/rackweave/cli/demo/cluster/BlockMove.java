package org.rackweave.cli.demo.cluster;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Moves a block from one DataNode to another exactly as the Balancer does. */
final class BlockMove {

  private static final int TIMEOUT_MS = 30_000;

  private BlockMove() {}

  /**
   * Returns when {@code target} has the block, true, or has said that it will not, false. The
   * NameNode then deletes the replica on {@code source}.
   */
  static boolean run(LocatedBlock block, DataNode source, DataNode target) throws IOException {
    DatanodeInfo from =
        new DatanodeInfo.DatanodeInfoBuilder().setNodeID(source.getDatanodeId()).build();
    try (Socket socket = new Socket()) {
      socket.connect(target.getXferAddress(), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      new Sender(out)
          .replaceBlock(
              block.getBlock(),
              block.getStorageTypes()[0],
              BlockTokenSecretManager.DUMMY_TOKEN,
              source.getDatanodeUuid(),
              from,
              null);
      Status status = Status.IN_PROGRESS;
      while (status == Status.IN_PROGRESS) {
        status = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in)).getStatus();
      }
      return status == Status.SUCCESS;
    }
  }
}
