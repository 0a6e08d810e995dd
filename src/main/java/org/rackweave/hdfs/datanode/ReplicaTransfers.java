package org.rackweave.hdfs.datanode;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;

/**
 * Reads and writes replicas on DataNodes as a DataNode does it for HDFS: without a client,
 * encrypted where the cluster wants that. Where it is done from decides with whose block tokens.
 */
final class ReplicaTransfers {
  /** As the name of a client: none, a DataNode sends. */
  private static final String NO_CLIENT = "";

  private static final String[] NO_STORAGE_IDS = {};

  /** A DataNode that moves a block says now and then that it still does. */
  private static final int MOVE_TIMEOUT_MS = 300_000;

  private final TransferOrigin origin;

  ReplicaTransfers(TransferOrigin origin) {
    this.origin = origin;
  }

  /**
   * Opens a range of a replica for reading, checksums verified.
   *
   * @param located the block with its length and the DataNode to read from
   * @param offset first byte
   * @param length bytes, within the block
   */
  ReplicaReader read(LocatedBlock located, long offset, long length) throws IOException {
    ExtendedBlock block = located.getBlock();
    DatanodeInfo source = located.getLocations()[0];
    Token<BlockTokenIdentifier> token = readToken(located);
    Peer peer = origin.connect(block, token, source);
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
              origin.conf());
      return new ReplicaReader(reader, peer, located, origin);
    } catch (IOException e) {
      IOUtils.closeStream(peer);
      throw e;
    }
  }

  private Token<BlockTokenIdentifier> readToken(LocatedBlock located) throws IOException {
    return origin.token(
        located, EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, NO_STORAGE_IDS);
  }

  /**
   * Begins a replica.
   *
   * @param located the block with the DataNode and the storage it has been allotted to
   * @param checksum that the DataNode is to keep with it
   */
  ReplicaWriter write(LocatedBlock located, DataChecksum checksum) throws IOException {
    ExtendedBlock block = located.getBlock();
    DatanodeInfo target = located.getLocations()[0];
    StorageType[] types = {located.getStorageTypes()[0]};
    String[] storageIds = {located.getStorageIDs()[0]};
    Token<BlockTokenIdentifier> token =
        origin.token(located, EnumSet.of(AccessMode.WRITE), types, storageIds);
    Peer peer = origin.connect(block, token, target);
    try {
      DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(
                  peer.getOutputStream(), DFSUtilClient.getSmallBufferSize(origin.conf())));
      new Sender(out)
          .writeBlock(
              block,
              types[0],
              token,
              NO_CLIENT,
              new DatanodeInfo[] {target},
              types,
              origin.self(),
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
              storageIds[0],
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
  byte[] storedDigest(LocatedBlock located) throws IOException {
    return stored(located, BlockChecksumType.MD5CRC).getBlockChecksum().toByteArray();
  }

  /**
   * The CRC-32C of a block as a DataNode has stored it, without moving its bytes: composed of the
   * checksums that HDFS keeps of it.
   *
   * @throws IOException also when the checksums that it keeps are others
   */
  int storedChecksum(LocatedBlock located) throws IOException {
    OpBlockChecksumResponseProto stored = stored(located, BlockChecksumType.COMPOSITE_CRC);
    if (PBHelperClient.convert(stored.getCrcType()) != DataChecksum.Type.CRC32C) {
      throw new IOException(located.getBlock() + " has checksums of type " + stored.getCrcType());
    }
    return stored.getBlockChecksum().asReadOnlyByteBuffer().getInt();
  }

  private OpBlockChecksumResponseProto stored(LocatedBlock located, BlockChecksumType type)
      throws IOException {
    ExtendedBlock block = located.getBlock();
    DatanodeInfo holder = located.getLocations()[0];
    Token<BlockTokenIdentifier> token = readToken(located);
    try (Peer peer = origin.connect(block, token, holder)) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
      new Sender(out).blockChecksum(block, token, new BlockChecksumOptions(type));
      BlockOpResponseProto answer =
          BlockOpResponseProto.parseFrom(
              PBHelperClient.vintPrefixed(new DataInputStream(peer.getInputStream())));
      DataTransferProtoUtil.checkBlockOpStatus(answer, "digest of " + block + " on " + holder);
      return answer.getChecksumResponse();
    }
  }

  /**
   * Has a DataNode fetch a replica from another, which gives its own up for it, as the Balancer
   * does. Returns when it has it.
   *
   * @param source where the block is
   * @param located the block with the DataNode and the storage it goes to
   */
  void move(DatanodeInfo source, LocatedBlock located) throws IOException {
    ExtendedBlock block = located.getBlock();
    DatanodeInfo target = located.getLocations()[0];
    StorageType storageType = located.getStorageTypes()[0];
    Token<BlockTokenIdentifier> token =
        origin.token(
            located,
            EnumSet.of(AccessMode.REPLACE, AccessMode.COPY),
            new StorageType[] {storageType},
            NO_STORAGE_IDS);
    try (Peer peer = origin.connect(block, token, target)) {
      peer.setReadTimeout(MOVE_TIMEOUT_MS);
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
      new Sender(out)
          .replaceBlock(block, storageType, token, source.getDatanodeUuid(), source, null);
      out.flush();
      DataInputStream in = new DataInputStream(peer.getInputStream());
      BlockOpResponseProto answer;
      do {
        answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      } while (answer.getStatus() == Status.IN_PROGRESS);
      DataTransferProtoUtil.checkBlockOpStatus(answer, block + " from " + source + " to " + target);
    }
  }
}
