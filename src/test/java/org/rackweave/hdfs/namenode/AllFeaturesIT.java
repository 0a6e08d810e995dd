package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.rules.RulesAdmin;
import org.rackweave.placement.FallbackReason;

/** All features at once on one cluster, by rules that are set while it runs. */
class AllFeaturesIT {
  private static final int[] RACKS = {2, 2, 2, 2, 2, 2, 2};
  private static final int ENCODED_LEAST = 9;
  private static final Path HOT = new Path("/hot/file");
  private static final Path PLAIN = new Path("/plain/file");
  private static final List<Path> WAREHOUSE =
      List.of(new Path("/warehouse/a"), new Path("/warehouse/b"), new Path("/warehouse/c"));

  private static Configuration conf() {
    Configuration conf = EafrRig.conf();
    conf.unset(ConfiguredRules.HEAT);
    RecoveryRig.allFeaturesSoon(conf);
    conf.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName());
    return conf;
  }

  private static void rule(RackCluster cluster, String... words) throws Exception {
    RefreshResponse answer =
        cluster.mini().getNameNodeRpc().refresh(RulesAdmin.IDENTIFIER, words).iterator().next();
    assertEquals(0, answer.getReturnCode(), answer.getMessage());
  }

  @Test
  void nothingIsLostAndNoFeatureUndoesAnothersWork() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), RACKS).awaitCoverage()) {
      DistributedFileSystem fs = cluster.fs();
      fs.mkdirs(new Path("/warehouse"));
      fs.mkdirs(new Path("/hot"));
      rule(cluster, "set", "/warehouse", "code=rs-3-2", "heat=adapt", "max=5");
      rule(cluster, "set", "/hot", "heat=adapt", "max=5");
      Map<Path, byte[]> files = new LinkedHashMap<>();
      write(fs, files, HOT, 2);
      write(fs, files, PLAIN, 12);
      for (Path file : WAREHOUSE) {
        write(fs, files, file, 6);
      }
      assertTrue(cluster.context().metrics().decisionCount() > 0, "some were placed by ours");

      RackCluster.await(
          "a fourth replica of the hot file",
          () -> {
            EafrRig.read(fs, HOT);
            return EafrRig.replicas(fs, HOT) >= 4;
          });
      RackCluster.await(
          "the warehouse to be encoded", () -> isEncoded(cluster), () -> describe(cluster));
      for (Path file : WAREHOUSE) {
        EafrRig.read(fs, file);
      }

      int encodedBlocks = cluster.context().stripes().encoded().blockCount();

      int victim = cluster.mini().getDataNodes().size() - 1;
      DatanodeID lost = cluster.mini().getDataNodes().get(victim).getDatanodeId();
      cluster.mini().stopDataNode(victim);
      cluster.mini().setDataNodeDead(lost);
      RackCluster.await(
          "all replicas to be made again",
          () -> EafrRig.replicas(fs, PLAIN) == 3 && isWhole(cluster));
      for (Map.Entry<Path, byte[]> file : files.entrySet()) {
        assertArrayEquals(
            file.getValue(), DFSTestUtil.readFileAsBytes(fs, file.getKey()), "" + file.getKey());
      }
      assertEquals(0, cluster.context().metrics().fallbackCount(FallbackReason.ERROR));
      int encodedSince = cluster.context().stripes().encoded().blockCount();
      assertTrue(encodedSince >= encodedBlocks, encodedSince + " of " + encodedBlocks);
    }
  }

  private static void write(
      DistributedFileSystem fs, Map<Path, byte[]> files, Path file, int blocks) throws IOException {
    DFSTestUtil.createFile(fs, file, blocks * (long) RackCluster.BLOCK_BYTES, (short) 3, blocks);
    files.put(file, DFSTestUtil.readFileAsBytes(fs, file));
  }

  private static String describe(RackCluster cluster) {
    StripeRegistry registry = cluster.context().stripes();
    return registry.encoded().blockCount()
        + " encoded, "
        + registry.sealedWaiting()
        + " stripes wait, open "
        + registry.openStatus()
        + ", files waiting "
        + registry.counts().filesWaiting();
  }

  /** Whether all is encoded but blocks that parity would only make larger. */
  private static boolean isEncoded(RackCluster cluster) {
    StripeRegistry registry = cluster.context().stripes();
    return registry.sealedWaiting() == 0
        && registry.openStatus().stream().noneMatch(OpenStripeStatus::isWorthParity)
        && registry.encoded().blockCount() >= ENCODED_LEAST;
  }

  /** Whether every block of the warehouse has a replica. */
  private static boolean isWhole(RackCluster cluster) {
    return blocks(cluster).stream().allMatch(block -> block.getLocations().length > 0);
  }

  private static List<LocatedBlock> blocks(RackCluster cluster) {
    try {
      List<LocatedBlock> blocks = new ArrayList<>();
      for (Path file : WAREHOUSE) {
        blocks.addAll(DFSTestUtil.getAllBlocks(cluster.fs(), file));
      }
      return blocks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
