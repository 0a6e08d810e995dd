package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.ear.ErasureCode;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.MatrixCoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.ParityTrailer;
import org.rackweave.hdfs.work.SearchTask;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;

/** Replicas that DataNodes read from and write to each other, among real ones. */
class ReplicaTransfersIT {
  private static final String CLIENT = "ReplicaTransfersIT";
  private static final String PLAIN = "";
  static final int BLOCK_BYTES = 1 << 20;

  /** No multiple of a packet or a checksum's bytes. */
  private static final int BYTES = 300_001;

  private final byte[] content = new byte[BYTES];

  ReplicaTransfersIT() {
    new Random(4).nextBytes(content);
  }

  private static MiniDFSCluster start(String option) throws IOException {
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    if (!option.equals(PLAIN)) {
      conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
      conf.setBoolean(option, true);
    }
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
    cluster.waitActive();
    return cluster;
  }

  /** A block of a new file on which nothing is written yet. */
  static LocatedBlock allot(NamenodeProtocols nameNode, String path) throws IOException {
    HdfsFileStatus file =
        nameNode.create(
            path,
            FsPermission.getFileDefault(),
            CLIENT,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) 1,
            BLOCK_BYTES,
            CryptoProtocolVersion.supported(),
            null,
            null);
    return nameNode.addBlock(
        path, CLIENT, null, null, file.getFileId(), null, EnumSet.noneOf(AddBlockFlag.class));
  }

  private static DataNode other(MiniDFSCluster cluster, DatanodeInfo node) {
    return cluster.getDataNodes().stream()
        .filter(one -> !one.getDatanodeUuid().equals(node.getDatanodeUuid()))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
        "dfs.encrypt.data.transfer"
      })
  void whatOneWritesIsStoredAndAnotherReads(String option) throws Exception {
    try (MiniDFSCluster cluster = start(option)) {
      LocatedBlock allotted = allot(cluster.getNameNodeRpc(), "/parity");
      DataNode other = other(cluster, allotted.getLocations()[0]);
      transfer(new DataNodeOrigin(other), allotted, cluster);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
        "dfs.encrypt.data.transfer"
      })
  void aClientTransfersWithTheTokensItIsGiven(String option) throws Exception {
    try (MiniDFSCluster cluster = start(option)) {
      LocatedBlock allotted = allot(cluster.getNameNodeRpc(), "/parity");
      BlockTokenSecretManager tokens =
          cluster.getNamesystem().getBlockManager().getBlockTokenSecretManager();
      if (tokens != null) {
        allotted.setBlockToken(
            tokens.generateToken(
                allotted.getBlock(),
                EnumSet.of(AccessMode.READ, AccessMode.WRITE),
                allotted.getStorageTypes(),
                allotted.getStorageIDs()));
      }
      transfer(new ClientOrigin(cluster.getFileSystem()), allotted, cluster);
    }
  }

  /** A replica of a newer generation has other bytes than those that were encoded. */
  @Test
  void whatIsLookedForIsFoundOfItsPoolAndGenerationOnly() throws Exception {
    try (MiniDFSCluster cluster = start(PLAIN)) {
      DistributedFileSystem fs = cluster.getFileSystem();
      Path file = new Path("/file");
      DFSTestUtil.writeFile(fs, file, content);
      LocatedBlock written = DFSTestUtil.getAllBlocks(fs, file).get(0);
      DFSTestUtil.appendFile(fs, file, BYTES);
      ExtendedBlock before = written.getBlock();
      ExtendedBlock now = DFSTestUtil.getAllBlocks(fs, file).get(0).getBlock();
      ExtendedBlock unknown =
          new ExtendedBlock(now.getBlockPoolId(), now.getBlockId() + 1, BYTES, 1);
      ExtendedBlock ofAnother =
          new ExtendedBlock(
              "BP-1-127.0.0.1-1", now.getBlockId(), now.getNumBytes(), now.getGenerationStamp());
      List<LocatedBlock> blocks =
          List.of(before, now, unknown, ofAnother).stream()
              .map(block -> new LocatedBlock(block, DatanodeInfo.EMPTY_ARRAY, null, null))
              .toList();
      SearchTask search = new SearchTask(new ErasureCode(2, 1), blocks);
      DataNode dataNode = cluster.getDataNodes().get(0);
      assertEquals(List.of(0L, 2L * BYTES, 0L, 0L), WorkAgent.storedBytes(search, dataNode));
      try (RandomAccessFile replica = new RandomAccessFile(cluster.getBlockFile(0, now), "rw")) {
        replica.setLength(BYTES);
      }
      assertEquals(
          List.of(0L, (long) BYTES, 0L, 0L),
          WorkAgent.storedBytes(search, dataNode),
          "what is on the disk");
    }
  }

  private void transfer(TransferOrigin origin, LocatedBlock allotted, MiniDFSCluster cluster)
      throws Exception {
    NamenodeProtocols nameNode = cluster.getNameNodeRpc();
    ReplicaTransfers transfers = new ReplicaTransfers(origin);
    byte[] digest;
    try (ReplicaWriter writer = transfers.write(allotted, ParityTrailer.usualFormat())) {
      for (int from = 0; from < BYTES; from += 100_000) {
        writer.write(ByteBuffer.wrap(content, from, Math.min(100_000, BYTES - from)));
      }
      digest = writer.finish();
    }
    ExtendedBlock block = allotted.getBlock();
    block.setNumBytes(BYTES);
    assertArrayEquals(digest, transfers.storedDigest(allotted));
    GenericTestUtils.waitFor(() -> isComplete(nameNode, block), 20, 30_000);
    try (ReplicaReader reader = transfers.read(allotted, 0, BYTES)) {
      ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
      while (back.hasRemaining()) {
        assertEquals(true, reader.read(back) > 0);
      }
      byte[] bytes = new byte[BYTES];
      back.flip().get(bytes);
      assertArrayEquals(content, bytes);
    }
    byte[] asClient = new byte[BYTES];
    try (FSDataInputStream in = cluster.getFileSystem().open(new Path("/parity"))) {
      in.readFully(asClient);
    }
    assertArrayEquals(content, asClient);
  }

  private static boolean isComplete(NamenodeProtocols nameNode, ExtendedBlock block) {
    try {
      return nameNode.complete("/parity", CLIENT, block, 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsBrokenOffIsNotStoredAndWhatIsCorruptIsNotRead() throws Exception {
    try (MiniDFSCluster cluster = start(PLAIN)) {
      LocatedBlock allotted = allot(cluster.getNameNodeRpc(), "/broken-off");
      DataNode other = other(cluster, allotted.getLocations()[0]);
      ReplicaTransfers transfers = new ReplicaTransfers(new DataNodeOrigin(other));
      try (ReplicaWriter writer = transfers.write(allotted, ParityTrailer.usualFormat())) {
        writer.write(ByteBuffer.wrap(content));
      }
      allotted.getBlock().setNumBytes(BYTES);
      // Until the DataNode has seen that nobody sends any more it tells of what it has so far.
      GenericTestUtils.waitFor(() -> !isStored(transfers, allotted), 20, 60_000);

      DistributedFileSystem fs = cluster.getFileSystem();
      Path file = new Path("/corrupt");
      DFSTestUtil.createFile(fs, file, BYTES, (short) 1, 9);
      LocatedBlock corrupt = DFSTestUtil.getAllBlocks(fs, file).get(0);
      cluster.corruptBlockOnDataNodes(corrupt.getBlock());
      try (ReplicaReader reader = transfers.read(corrupt, 0, BYTES)) {
        assertThrows(IOException.class, () -> readAll(reader));
      }
    }
  }

  /** What is read takes as long as the limit wants, by a clock on which nothing else takes time. */
  @Test
  void whatEncodesAndDecodesKeepsToItsLimit() throws Exception {
    try (MiniDFSCluster cluster = start(PLAIN)) {
      DistributedFileSystem fs = cluster.getFileSystem();
      List<LocatedBlock> data = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Path file = new Path("/data" + i);
        DFSTestUtil.createFile(fs, file, BYTES, (short) 1, i);
        data.add(DFSTestUtil.getAllBlocks(fs, file).get(0));
      }
      LocatedBlock parity = allot(cluster.getNameNodeRpc(), "/parity");
      parity.getBlock().setNumBytes(BYTES);
      ErasureCode code = ErasureCode.named("rs-2-1");
      EncodeTask encode = new EncodeTask(code, data, List.of(parity), 50_000);
      assertEquals(limitMs(2 * BYTES, 50_000), msOf(encode, cluster));

      LocatedBlock again = allot(cluster.getNameNodeRpc(), "/again");
      again.getBlock().setNumBytes(BYTES);
      List<StripeUnit> sources = List.of(new StripeUnit(0, data.get(0)), new StripeUnit(2, parity));
      DecodeTask decode =
          new DecodeTask(code, 2, sources, List.of(new StripeUnit(1, again)), 200_000);
      assertEquals(limitMs(2 * BYTES, 200_000), msOf(decode, cluster));
      DecodeTask unlimited =
          new DecodeTask(
              code,
              2,
              sources,
              List.of(new StripeUnit(1, allot(cluster.getNameNodeRpc(), "/unlimited"))),
              0);
      unlimited.wanted().get(0).block().getBlock().setNumBytes(BYTES);
      assertEquals(0, msOf(unlimited, cluster));
    }
  }

  private static long limitMs(long bytes, long bytesPerSec) {
    return Math.round(1000.0 * bytes / bytesPerSec);
  }

  /** Does a task and returns how long it took by a clock that only a limit moves. */
  private static long msOf(Task task, MiniDFSCluster cluster) throws IOException {
    VirtualClock clock = new VirtualClock();
    BlockCoding coding =
        new BlockCoding(
            new MatrixCoder(new ReedSolomonCode(2, 1), new JavaArithmetic()), 64 * 1024);
    new StripeWork(new DataNodeOrigin(cluster.getDataNodes().get(0)), clock)
        .run(task, coding, done -> {});
    return clock.ms();
  }

  static boolean isStored(ReplicaTransfers transfers, LocatedBlock block) {
    try {
      transfers.storedDigest(block);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void readAll(ReplicaReader reader) throws IOException {
    ByteBuffer back = ByteBuffer.allocate(BYTES);
    while (back.hasRemaining() && reader.read(back) >= 0) {
      assertEquals(true, back.position() <= BYTES);
    }
  }
}
