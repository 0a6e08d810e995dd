package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.ear.ErasureCode;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.MatrixCoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.hdfs.namenode.RackCluster;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.ParityTrailer;
import org.rackweave.hdfs.work.StripeProof;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.VerifyTask;
import org.rackweave.hdfs.work.WorkResult;

/** A stripe of two data blocks and two of parity, of which nothing is taken on trust. */
class ProvenStripesIT {
  private static final ErasureCode CODE = ErasureCode.named("rs-2-2");
  private static final int[] LENGTHS = {300_001, 150_000};
  private static final int BYTES_PER_CHECKSUM = 1024;
  private static final List<DataChecksum.Type> TYPES =
      List.of(DataChecksum.Type.CRC32, DataChecksum.Type.CRC32C);

  private static MiniDFSCluster cluster;
  private static int stripes;

  private final List<LocatedBlock> data = new ArrayList<>();
  private final List<LocatedBlock> parity = new ArrayList<>();
  private final List<byte[]> bytes = new ArrayList<>();
  private StripeProof proof;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, ReplicaTransfersIT.BLOCK_BYTES);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void encode() throws Exception {
    String name = "/" + stripes++;
    for (int i = 0; i < LENGTHS.length; i++) {
      Path file = new Path(name + "data" + i);
      byte[] written = new byte[LENGTHS[i]];
      MixedRandom.of(i).nextBytes(written);
      bytes.add(written);
      try (FSDataOutputStream out =
          cluster
              .getFileSystem()
              .create(
                  file,
                  FsPermission.getFileDefault(),
                  EnumSet.of(CreateFlag.CREATE),
                  4096,
                  (short) 1,
                  ReplicaTransfersIT.BLOCK_BYTES,
                  null,
                  new ChecksumOpt(TYPES.get(i), BYTES_PER_CHECKSUM))) {
        out.write(written);
      }
      data.add(DFSTestUtil.getAllBlocks(cluster.getFileSystem(), file).get(0));
    }
    ParityTrailer trailer = new ParityTrailer(List.of(300_001L, 150_000L));
    for (int i = 0; i < CODE.parityBlocks(); i++) {
      parity.add(allot(name + "parity" + i, trailer.parityBytes() + trailer.bytes()));
    }
    long before = syncs();
    WorkResult made = work().run(new EncodeTask(CODE, data, parity, 0), coding(), done -> {});
    assertTrue(syncs() >= before + CODE.parityBlocks(), "parity is on disk and not in a cache");
    proof = new StripeProof(trailer.lengths(), made.checksums());
  }

  private static LocatedBlock allot(String path, long length) throws IOException {
    LocatedBlock allotted = ReplicaTransfersIT.allot(cluster.getNameNodeRpc(), path);
    allotted.getBlock().setNumBytes(length);
    return allotted;
  }

  private static long syncs() {
    long all = 0;
    for (DataNode datanode : cluster.getDataNodes()) {
      all +=
          MetricsAsserts.getLongCounter(
              "FsyncCount", MetricsAsserts.getMetrics(datanode.getMetrics().name()));
    }
    return all;
  }

  private static StripeWork work() {
    return new StripeWork(new DataNodeOrigin(cluster.getDataNodes().get(0)));
  }

  private static BlockCoding coding() {
    return new BlockCoding(
        new MatrixCoder(new ReedSolomonCode(2, 2), new JavaArithmetic()), 40_960);
  }

  private StripeUnit unit(int number) {
    return new StripeUnit(number, number < 2 ? data.get(number) : parity.get(number - 2));
  }

  private DecodeTask decode(int wanted, LocatedBlock to, int... sources) {
    return new DecodeTask(
        CODE,
        2,
        Arrays.stream(sources).mapToObj(this::unit).toList(),
        List.of(new StripeUnit(wanted, to)),
        Optional.of(proof),
        0);
  }

  private VerifyTask verify(int number) {
    return new VerifyTask(CODE, data, unit(number), proof, 0);
  }

  private static boolean isStored(LocatedBlock block) {
    return ReplicaTransfersIT.isStored(
        new ReplicaTransfers(new DataNodeOrigin(cluster.getDataNodes().get(0))), block);
  }

  private static byte[] onDisk(LocatedBlock block) throws IOException {
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      File file = cluster.getBlockFile(i, block.getBlock());
      if (file != null && file.exists()) {
        assertEquals(file.length(), block.getBlock().getNumBytes());
        return Files.readAllBytes(file.toPath());
      }
    }
    throw new AssertionError("no replica of " + block);
  }

  private DataChecksum format(LocatedBlock block) throws IOException {
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      File file = cluster.getBlockFile(i, block.getBlock());
      if (file != null && file.exists()) {
        return AlteredReplica.format(cluster, i, block.getBlock());
      }
    }
    throw new AssertionError("no replica of " + block);
  }

  @Test
  void parityIsVerifiedUnlessAByteOfItOrItsTrailerIsAnother() throws Exception {
    work().run(verify(2), coding(), done -> {});
    work().run(verify(3), coding(), done -> {});
    AlteredReplica.alter(cluster, parity.get(0).getBlock(), 200_000);
    AlteredReplica.alter(cluster, parity.get(1).getBlock(), LENGTHS[0] + 20);
    assertThrows(DisprovedException.class, () -> work().run(verify(2), coding(), done -> {}));
    assertThrows(DisprovedException.class, () -> work().run(verify(3), coding(), done -> {}));
  }

  private void assertDisproved(int number, LocatedBlock named) {
    DisprovedException disproved =
        assertThrows(
            DisprovedException.class, () -> work().run(verify(number), coding(), done -> {}));
    assertTrue(disproved.getMessage().contains(named.getBlock().toString()), disproved::getMessage);
  }

  /** As when the one that encodes has read, or remembers, something else than is stored. */
  @Test
  void parityIsNotVerifiedWhereAReplicaIsOfOtherDataThanWasEncoded() throws Exception {
    for (int i = 0; i < 2; i++) {
      AlteredReplica.alter(cluster, data.get(i).getBlock(), LENGTHS[i] / 2);
      assertDisproved(2 + i, data.get(i));
    }
  }

  @Test
  void whatIsMadeAgainIsWhatItWasDownToTheFormatOfItsChecksums() throws Exception {
    for (int lost = 0; lost < 2; lost++) {
      LocatedBlock again = allot("/" + stripes + "again" + lost, LENGTHS[lost]);
      work().run(decode(lost, again, 1 - lost, 2), coding(), done -> {});
      assertArrayEquals(bytes.get(lost), onDisk(again));
      assertEquals(BYTES_PER_CHECKSUM, format(again).getBytesPerChecksum());
      assertEquals(TYPES.get(lost), format(again).getChecksumType());
    }
    for (int[] sources : new int[][] {{0, 1}, {1, 3}}) {
      LocatedBlock again =
          allot("/" + stripes + "parity from " + sources[1], parity.get(0).getBlockSize());
      work().run(decode(2, again, sources), coding(), done -> {});
      assertArrayEquals(onDisk(parity.get(0)), onDisk(again));
    }
  }

  @Test
  void parityIsMadeAgainWithItsTrailerHoweverManyBlocksAreLost() throws Exception {
    List<StripeUnit> again = new ArrayList<>();
    for (int lost = 2; lost < 4; lost++) {
      LocatedBlock to = allot("/" + stripes + "both" + lost, parity.get(0).getBlockSize());
      again.add(new StripeUnit(lost, to));
    }
    DecodeTask task =
        new DecodeTask(CODE, 2, List.of(unit(1), unit(0)), again, Optional.of(proof), 0);
    work().run(task, coding(), done -> {});
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(onDisk(parity.get(i)), onDisk(again.get(i).block()));
    }
  }

  @Test
  void nothingIsMadeOfWhatIsNotWhatWasEncoded() throws Exception {
    AlteredReplica.alter(cluster, data.get(1).getBlock(), 100);
    LocatedBlock again = allot("/" + stripes + "wrong", LENGTHS[0]);
    assertThrows(IOException.class, () -> work().run(decode(0, again, 1, 2), coding(), done -> {}));
    RackCluster.await("it is not stored", () -> !isStored(again));
  }

  @Test
  void rangesArePutOutAsFarAsTheyAreProven() throws Exception {
    int altered = 2 * ParityTrailer.CHUNK_BYTES + 10;
    AlteredReplica.alter(cluster, data.get(1).getBlock(), altered);
    int[][] ranges = {{0, 300_001}, {0, 10}, {70_000, 500}, {130_000, 300_001}, {299_999, 9}};
    for (int[] range : ranges) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      DecodeTask task = decode(0, data.get(0), 1, 3);
      long reached =
          work()
              .decodeRange(
                  task, range[0], range[1], coding(), Channels.newChannel(out), done -> {});
      long end = Math.min(LENGTHS[0], range[0] + range[1]);
      boolean meets =
          range[0] < 3 * ParityTrailer.CHUNK_BYTES && end > 2 * ParityTrailer.CHUNK_BYTES;
      long proven = meets ? Math.max(range[0], 2 * ParityTrailer.CHUNK_BYTES) : end;
      assertEquals(proven, reached, Arrays.toString(range));
      assertArrayEquals(
          Arrays.copyOfRange(bytes.get(0), range[0], (int) reached), out.toByteArray());
    }
  }
}
