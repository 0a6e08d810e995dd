package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.ear.EncodedStripes;

/**
 * Clusters, blocks and parity that are not as they should be: told by name, and nothing is lost.
 */
@Tag("newest-hadoop")
class EarBadInputIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int FILES = 6;
  private static final int BLOCKS = 12;

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1d");
    conf.set(ConfigKeys.EAR_AUDIT_INTERVAL, "1s");
    return conf;
  }

  /** What {@code bin/rackweave encode} said and how it ended. */
  private record Said(int exit, String text) {}

  private static Said encode(RackCluster cluster) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    int exit = ToolRunner.run(cluster.fs().getConf(), EarCommand.encode(out, out), new String[] {});
    return new Said(exit, said.toString(StandardCharsets.UTF_8));
  }

  private static Map<Path, byte[]> write(RackCluster cluster) throws IOException {
    Map<Path, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < FILES; i++) {
      Path file = cluster.write("/warehouse/file" + i, BLOCKS, 3);
      files.put(file, DFSTestUtil.readFileAsBytes(cluster.fs(), file));
    }
    return files;
  }

  private static void assertAllReadBack(RackCluster cluster, Map<Path, byte[]> files)
      throws IOException {
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getValue(), DFSTestUtil.readFileAsBytes(cluster.fs(), file.getKey()));
    }
  }

  @Test
  void aCodeThatTheRacksCannotHoldIsRefusedWithWhatItNeeds() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), 2, 2, 2).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      Said said = encode(cluster);
      assertEquals(1, said.exit(), said.text());
      assertTrue(
          said.text()
              .contains(
                  "rs-6-3 with at most 1 blocks in a rack needs room for 9 blocks, and the 3 racks and"
                      + " 6 DataNodes there are have room for 3"),
          said.text());
      assertAllReadBack(cluster, files);
      for (Path file : files.keySet()) {
        assertEquals(3, cluster.fs().getFileStatus(file).getReplication());
      }
    }
  }

  @Nightly
  @Test
  void racksWithoutRoomForParityAreToldOfAndReplicasStay() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      // All but two racks are full, and no DataNode says otherwise: three parity blocks want three.
      NameDirectory.muffle(cluster.mini(), true);
      for (int node = 0; node < 2 * (NINE_RACKS.length - 2); node++) {
        cluster.descriptor(node).setRemaining(RackCluster.BLOCK_BYTES);
      }
      Said refused = encode(cluster);
      assertEquals(0, refused.exit(), refused.text());
      assertTrue(refused.text().contains("stripes were refused: not-encodable"), refused.text());
      String line =
          refused
              .text()
              .lines()
              .filter(one -> one.contains("is not encoded"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(refused.text()));
      assertTrue(
          line.matches(
              "stripe \\d+ of rs-6-3 in /r\\d, sealed .* of \\[/warehouse/file.*\\] is not encoded"
                  + " \\(not-encodable\\): . blocks find no place .*; 4 of 18 DataNodes are fresh and have"
                  + " room for 65536 bytes"),
          line);
      assertEquals(0, cluster.context().stripes().encoded().stripeCount());
      for (Path file : files.keySet()) {
        assertEquals(3, replication(cluster, file));
        for (LocatedBlock block : blocks(cluster, file)) {
          assertEquals(3, block.getLocations().length);
        }
      }
      NameDirectory.muffle(cluster.mini(), false);
      RackCluster.await(
          "there is room again",
          () -> cluster.descriptor(0).getRemaining() > 2 * RackCluster.BLOCK_BYTES);
      Said encoded = encode(cluster);
      assertEquals(0, encoded.exit(), encoded.text());
      assertTrue(cluster.context().stripes().encoded().stripeCount() > 0, encoded.text());
      assertAllReadBack(cluster, files);
    }
  }

  @Test
  void aCorruptBlockIsNamedWithItsFileAndItsStripeKeepsItsReplicas() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      var stripe = cluster.context().stripes().waiting().get(0);
      LocatedBlock block = located(cluster, files, stripe.blockIds()[0]);
      // Every replica in the core rack, and the others stay sound.
      for (DatanodeInfo node : block.getLocations()) {
        if (node.getNetworkLocation().equals(stripe.coreRack())) {
          cluster.mini().corruptReplica(indexOf(cluster, node), block.getBlock());
        }
      }
      Said said = encode(cluster);
      assertEquals(0, said.exit(), said.text());
      assertTrue(said.text().contains("stripes were refused: "), said.text());
      assertTrue(
          said.text().contains("blk_" + stripe.blockIds()[0])
              && said.text().contains("is corrupt")
              && said.text().contains("/warehouse/file"),
          said.text());
      assertAllReadBack(cluster, files);
      RackCluster.await(
          "the corrupt replica is gone",
          () ->
              cluster
                      .mini()
                      .getNamesystem()
                      .getBlockManager()
                      .numCorruptReplicas(block.getBlock().getLocalBlock())
                  == 0);
      assertEquals(0, cluster.mini().getNamesystem().getBlockManager().getMissingBlocksCount());
    }
  }

  @Nightly
  @Test
  void parityThatIsDeletedGivesItsFilesTheirReplicasBack() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      assertEquals(0, encode(cluster).exit());
      EncodedStripes encoded = cluster.context().stripes().encoded();
      Path shrunk =
          files.keySet().stream()
              .filter(file -> replication(cluster, file) == 1)
              .findFirst()
              .orElseThrow();
      long block = DFSTestUtil.getAllBlocks(cluster.fs(), shrunk).get(0).getBlock().getBlockId();
      long parity = encoded.of(block).orElseThrow().parityFile();
      String path = InodePath.of(parity);
      assertTrue(cluster.fs().delete(new Path(path), false), path);
      RackCluster.await(
          "files whose stripe has no parity have their replicas back",
          () ->
              replication(cluster, shrunk) == 3
                  && blocks(cluster, shrunk).stream()
                      .allMatch(one -> one.getLocations().length == 3)
                  && encoded.of(block).map(EncodedStripes.Stripe::parityFile).orElse(0L) != parity);
      assertAllReadBack(cluster, files);
    }
  }

  @Nightly
  @Test
  void aDamagedParityBlockIsMadeAgain() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      assertEquals(0, encode(cluster).exit());
      EncodedStripes encoded = cluster.context().stripes().encoded();
      long member =
          files.keySet().stream()
              .flatMap(file -> blocks(cluster, file).stream())
              .map(block -> block.getBlock().getBlockId())
              .filter(encoded::contains)
              .findFirst()
              .orElseThrow();
      long inode = encoded.of(member).orElseThrow().parityFile();
      Path parity = new Path(InodePath.of(inode));
      byte[] bytes = DFSTestUtil.readFileAsBytes(cluster.fs(), parity);
      LocatedBlock block = blocks(cluster, parity).get(0);
      cluster.mini().corruptReplica(indexOf(cluster, block.getLocations()[0]), block.getBlock());
      assertThrows(IOException.class, () -> DFSTestUtil.readFileAsBytes(cluster.fs(), parity));
      FileSystem fs = cluster.fs();
      RackCluster.await("made again", () -> RackCluster.reads(fs, parity, bytes));
      assertEquals(inode, encoded.of(member).orElseThrow().parityFile());
      assertAllReadBack(cluster, files);
    }
  }

  private static int replication(RackCluster cluster, Path file) {
    try {
      return cluster.fs().getFileStatus(file).getReplication();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<LocatedBlock> blocks(RackCluster cluster, Path file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LocatedBlock located(RackCluster cluster, Map<Path, byte[]> files, long id) {
    return files.keySet().stream()
        .flatMap(file -> blocks(cluster, file).stream())
        .filter(block -> block.getBlock().getBlockId() == id)
        .findFirst()
        .orElseThrow();
  }

  private static int indexOf(RackCluster cluster, DatanodeInfo node) {
    List<String> uuids =
        cluster.mini().getDataNodes().stream().map(one -> one.getDatanodeUuid()).toList();
    return uuids.indexOf(node.getDatanodeUuid());
  }
}
