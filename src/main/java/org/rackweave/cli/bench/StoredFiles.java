package org.rackweave.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.util.Time;

/**
 * Files of a simulated cluster, as the NameNode knows them: written by clients that send no bytes,
 * their replicas reported by the DataNodes they were to go to.
 *
 * @param paths of the files
 */
record StoredFiles(List<String> paths) {
  private static final String CLIENT = "bench";
  private static final long DEADLINE_MS = 30_000;
  private static final long BLOCK_BYTES = 128L << 20;

  static StoredFiles write(SimulatedCluster cluster, int files, int blocks, int replicas)
      throws IOException {
    NamenodeProtocols nameNode = cluster.nameNode().getRpcServer();
    Map<String, SimulatedDatanode> datanodes = new HashMap<>();
    for (int node = 0; node < cluster.size(); node++) {
      datanodes.put(cluster.datanode(node).uuid(), cluster.datanode(node));
    }
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String path = "/bench/directory" + i % 100 + "/file" + i;
      paths.add(path);
      write(nameNode, datanodes, path, blocks, replicas);
    }
    return new StoredFiles(paths);
  }

  private static void write(
      NamenodeProtocols nameNode,
      Map<String, SimulatedDatanode> datanodes,
      String path,
      int blocks,
      int replicas)
      throws IOException {
    HdfsFileStatus file =
        nameNode.create(
            path,
            FsPermission.getFileDefault(),
            CLIENT,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) replicas,
            BLOCK_BYTES,
            CryptoProtocolVersion.supported(),
            null,
            null);
    ExtendedBlock previous = null;
    for (int i = 0; i < blocks; i++) {
      LocatedBlock block = add(nameNode, path, previous, file.getFileId());
      previous = new ExtendedBlock(block.getBlock());
      previous.setNumBytes(BLOCK_BYTES);
      String[] storages = block.getStorageIDs();
      DatanodeInfo[] locations = block.getLocations();
      for (int replica = 0; replica < locations.length; replica++) {
        received(
            nameNode,
            datanodes.get(locations[replica].getDatanodeUuid()),
            storages[replica],
            previous);
      }
    }
    // The NameNode takes reports of replicas from a queue.
    long deadlineMs = Time.monotonicNow() + DEADLINE_MS;
    while (!nameNode.complete(path, CLIENT, previous, file.getFileId())) {
      if (Time.monotonicNow() > deadlineMs) {
        throw new IOException(path + " is not complete");
      }
      Thread.onSpinWait();
    }
  }

  /** The NameNode takes reports of the block before from a queue, and refuses until then. */
  private static LocatedBlock add(
      NamenodeProtocols nameNode, String path, ExtendedBlock previous, long fileId)
      throws IOException {
    long deadlineMs = Time.monotonicNow() + DEADLINE_MS;
    while (true) {
      try {
        return nameNode.addBlock(path, CLIENT, previous, null, fileId, null, null);
      } catch (NotReplicatedYetException e) {
        if (Time.monotonicNow() > deadlineMs) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  private static void received(
      NamenodeProtocols nameNode, SimulatedDatanode datanode, String storage, ExtendedBlock block)
      throws IOException {
    ReceivedDeletedBlockInfo received =
        new ReceivedDeletedBlockInfo(
            new Block(block.getLocalBlock()),
            ReceivedDeletedBlockInfo.BlockStatus.RECEIVED_BLOCK,
            null);
    nameNode.blockReceivedAndDeleted(
        datanode.registration(),
        block.getBlockPoolId(),
        new StorageReceivedDeletedBlocks[] {
          new StorageReceivedDeletedBlocks(
              new DatanodeStorage(storage), new ReceivedDeletedBlockInfo[] {received})
        });
  }
}
