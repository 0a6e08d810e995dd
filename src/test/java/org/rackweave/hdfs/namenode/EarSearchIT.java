package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.SealedStripe;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.ear.StripeRegistry;

/** Stripes formed anew from where replicas are, after what was known of them is lost. */
@Tag("newest-hadoop")
class EarSearchIT {
  private static final int[] SEVEN_RACKS = {2, 2, 2, 2, 2, 2, 2};
  private static final int BLOCKS = 60;

  private static Configuration conf() {
    Configuration conf = RackCluster.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAR);
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-4-2, /warehouse/raw=none");
    conf.set(ConfigKeys.EAR_SEARCH_INTERVAL, "1s");
    return conf;
  }

  private static Set<Long> write(RackCluster cluster) throws IOException {
    Set<Long> blocks = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Path file = cluster.write("/warehouse/deep/file" + i, BLOCKS / 3, 3);
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
        blocks.add(block.getBlock().getBlockId());
      }
    }
    cluster.write("/warehouse/raw/file", 5, 3);
    cluster.write("/elsewhere/file", 5, 3);
    return blocks;
  }

  /** Every block is in one stripe, sealed ones have k; stripes are taken from the registry. */
  private static void assertAllIn(Set<Long> blocks, StripeRegistry stripes) {
    List<Long> sealed = new ArrayList<>();
    for (SealedStripe next = stripes.nextSealed(); next != null; next = stripes.nextSealed()) {
      assertEquals(4, next.blockIds().length);
      for (long block : next.blockIds()) {
        sealed.add(block);
      }
    }
    assertEquals(sealed.size(), new HashSet<>(sealed).size(), "none is in two");
    assertTrue(blocks.containsAll(sealed), "none of another directory");
    int open = openBlocks(stripes);
    assertEquals(BLOCKS, sealed.size() + open);
    // Seven core racks keep at most four open stripes of three blocks each.
    assertTrue(open <= 7 * 4 * 3, open + " blocks in open stripes");
  }

  private static int openBlocks(StripeRegistry stripes) {
    return stripes.openStatus().stream().mapToInt(OpenStripeStatus::blocks).sum();
  }

  @Test
  void aRestartedNameNodeFindsTheBlocksAgain() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), SEVEN_RACKS).awaitCoverage()) {
      Set<Long> blocks = write(cluster);
      cluster.mini().restartNameNode(true);
      RackCluster.await("all found", () -> found(cluster) == BLOCKS);
      assertAllIn(blocks, cluster.context().stripes());
    }
  }

  private static long found(RackCluster cluster) {
    return cluster.context() == null ? 0 : cluster.context().stripes().foundCount();
  }

  @Test
  void aNameNodeThatTakesOverFindsThemAndTheOtherForgetsThem() throws Exception {
    String[] racks = RackCluster.racks(SEVEN_RACKS);
    Configuration conf = conf();
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(racks.length)
            .racks(racks);
    try (RackCluster cluster = RackCluster.start(builder)) {
      MiniDFSCluster mini = cluster.mini();
      mini.transitionToActive(0);
      Set<Long> blocks = new HashSet<>();
      try (var fs = HATestUtil.configureFailoverFs(mini, conf)) {
        for (int i = 0; i < 3; i++) {
          Path file = RackCluster.write(fs, "/warehouse/file" + i, BLOCKS / 3, 3);
          for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
            blocks.add(block.getBlock().getBlockId());
          }
        }
      }
      StripeRegistry first = RackCluster.contextOf(mini.getNameNode(0)).stripes();
      StripeRegistry second = RackCluster.contextOf(mini.getNameNode(1)).stripes();
      assertEquals(0, second.foundCount(), "a standby looks for nothing");
      mini.transitionToStandby(0);
      mini.transitionToActive(1);
      RackCluster.await("all found", () -> second.foundCount() == BLOCKS);
      assertAllIn(blocks, second);
      RackCluster.await("forgotten", () -> openBlocks(first) == 0 && first.sealedWaiting() == 0);
    }
  }

  /** They would be missed when the others' turn has come to be encoded. */
  @Test
  void deletedBlocksLeaveTheirOpenStripes() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), SEVEN_RACKS).awaitCoverage()) {
      cluster.write("/warehouse/kept", 1, 3);
      Path deleted = cluster.write("/warehouse/deleted", 2, 3);
      StripeRegistry stripes = cluster.context().stripes();
      assertEquals(3, openBlocks(stripes));
      cluster.fs().delete(deleted, false);
      RackCluster.await("deleted ones left", () -> openBlocks(stripes) == 1);
    }
  }
}
