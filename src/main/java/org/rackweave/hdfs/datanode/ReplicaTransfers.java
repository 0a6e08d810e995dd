package org.rackweave.hdfs.datanode;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;

/**
 * Reads and writes replicas on other DataNodes as one DataNode does it for HDFS: with block tokens
 * it makes itself, encrypted where the cluster wants that, and without a client.
 */
final class ReplicaTransfers {
  /** As the name of a client: none, a DataNode sends. */
  private static final String NO_CLIENT = "";

  private static final String[] NO_STORAGE_IDS = {};

  /** A DataNode that moves a block says now and then that it still does. */
  private static final int MOVE_TIMEOUT_MS = 300_000;

  private final DataNode dataNode;

  ReplicaTransfers(DataNode dataNode) {
    this.dataNode = dataNode;
  }

  /**
   * Opens a range of a replica for reading, checksums verified.
   *
   * @param block with its length
   * @param offset first byte
   * @param length bytes, within the block
   */
  ReplicaReader read(ExtendedBlock block, long offset, long length, DatanodeInfo source)
      throws IOException {
    Token<BlockTokenIdentifier> token =
        dataNode.getBlockAccessToken(
            block, EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, NO_STORAGE_IDS);
    Peer peer = connect(block, token, source);
    try {
      BlockReader reader =
          BlockReaderRemote.newBlockReader(
              block.toString(),
              block,
              token,
              offset,
              length,
              true,
              NO_CLIENT,
              peer,
              source,
              null,
              CachingStrategy.newDropBehind(),
              -1,
              dataNode.getConf());
      return new ReplicaReader(reader, peer);
    } catch (IOException e) {
      IOUtils.closeStream(peer);
      throw e;
    }
  }

  /** Begins a replica of a block that has been allotted to a storage of a DataNode. */
  ReplicaWriter write(
      ExtendedBlock block, DatanodeInfo target, StorageType storageType, String storageId)
      throws IOException {
    StorageType[] types = {storageType};
    String[] storageIds = {storageId};
    Token<BlockTokenIdentifier> token =
        dataNode.getBlockAccessToken(block, EnumSet.of(AccessMode.WRITE), types, storageIds);
    Peer peer = connect(block, token, target);
    try {
      DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(
                  peer.getOutputStream(), DFSUtilClient.getSmallBufferSize(dataNode.getConf())));
      DataChecksum checksum =
          DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, ReplicaWriter.BYTES_PER_CHECKSUM);
      DatanodeInfo self = new DatanodeInfoBuilder().setNodeID(dataNode.getDatanodeId()).build();
      new Sender(out)
          .writeBlock(
              block,
              storageType,
              token,
              NO_CLIENT,
              new DatanodeInfo[] {target},
              types,
              self,
              BlockConstructionStage.PIPELINE_SETUP_CREATE,
              0,
              0,
              0,
              0,
              checksum,
              CachingStrategy.newDropBehind(),
              false,
              false,
              null,
              storageId,
              storageIds);
      return new ReplicaWriter(peer, out, checksum);
    } catch (IOException e) {
      IOUtils.closeStream(peer);
      throw e;
    }
  }

  /**
   * What a DataNode has stored of a block, without moving its bytes: the MD5 of its checksums, as
   * {@link ReplicaWriter#finish} gives it.
   */
  byte[] storedDigest(ExtendedBlock block, DatanodeInfo holder) throws IOException {
    Token<BlockTokenIdentifier> token =
        dataNode.getBlockAccessToken(
            block, EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, NO_STORAGE_IDS);
    try (Peer peer = connect(block, token, holder)) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
      new Sender(out)
          .blockChecksum(block, token, new BlockChecksumOptions(BlockChecksumType.MD5CRC));
      BlockOpResponseProto answer =
          BlockOpResponseProto.parseFrom(
              PBHelperClient.vintPrefixed(new DataInputStream(peer.getInputStream())));
      DataTransferProtoUtil.checkBlockOpStatus(answer, "digest of " + block + " on " + holder);
      return answer.getChecksumResponse().getBlockChecksum().toByteArray();
    }
  }

  /**
   * Has a DataNode fetch a replica from another, which gives its own up for it, as the Balancer
   * does. Returns when it has it.
   */
  void move(ExtendedBlock block, DatanodeInfo from, DatanodeInfo to, StorageType storageType)
      throws IOException {
    Token<BlockTokenIdentifier> token =
        dataNode.getBlockAccessToken(
            block,
            EnumSet.of(AccessMode.REPLACE, AccessMode.COPY),
            new StorageType[] {storageType},
            NO_STORAGE_IDS);
    try (Peer peer = connect(block, token, to)) {
      peer.setReadTimeout(MOVE_TIMEOUT_MS);
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
      new Sender(out).replaceBlock(block, storageType, token, from.getDatanodeUuid(), from, null);
      out.flush();
      DataInputStream in = new DataInputStream(peer.getInputStream());
      BlockOpResponseProto answer;
      do {
        answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      } while (answer.getStatus() == Status.IN_PROGRESS);
      DataTransferProtoUtil.checkBlockOpStatus(answer, block + " from " + from + " to " + to);
    }
  }

  private Peer connect(ExtendedBlock block, Token<BlockTokenIdentifier> token, DatanodeInfo other)
      throws IOException {
    int timeoutMs = dataNode.getDnConf().getSocketTimeout();
    InetSocketAddress address =
        NetUtils.createSocketAddr(
            other.getXferAddr(dataNode.getDnConf().getConnectToDnViaHostname()));
    Socket socket = dataNode.newSocket();
    try {
      NetUtils.connect(socket, address, timeoutMs);
      socket.setTcpNoDelay(dataNode.getDnConf().getDataTransferServerTcpNoDelay());
      Peer peer =
          DFSUtilClient.peerFromSocketAndKey(
              dataNode.getSaslClient(),
              socket,
              dataNode.getDataEncryptionKeyFactoryForBlock(block),
              token,
              other,
              timeoutMs);
      peer.setWriteTimeout(dataNode.getDnConf().getSocketWriteTimeout());
      return peer;
    } catch (IOException e) {
      IOUtils.closeSocket(socket);
      throw e;
    }
  }
}
