package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.placement.FallbackReason;

/** Switching on and off, restarts, several NameNodes, and settings that must not pass. */
class SinbadLifecycleIT {
  private static final String POLICY = DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;
  private static final String STOCK =
      DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT.getName();

  @Test
  void attachesAgainAfterARestartOfTheNameNode() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 2, 2).awaitCoverage()) {
      cluster.write("/before", 2, 3);
      PlacementContext before = cluster.context();

      cluster.mini().restartNameNode(true);

      assertTrue(before.isClosed());
      cluster.awaitCoverage();
      assertNotSame(before, cluster.context());
      Path file = cluster.write("/after", 2, 3);
      assertTrue(cluster.context().metrics().decisionCount() >= 2);
      DFSTestUtil.readFile(cluster.fs(), file);
    }
  }

  /** {@code dfsadmin -reconfig} builds a new policy object and tells no plugin. */
  @Test
  void attachesByItselfWhenReconfiguredUnderWriteLoad() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(POLICY, STOCK);
    ExecutorService writers = Executors.newFixedThreadPool(2);
    try (SiteOverlay site = new SiteOverlay();
        RackCluster cluster = RackCluster.start(conf, 2, 2, 2).awaitCoverage()) {
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger written = new AtomicInteger();
      Future<?> load =
          writers.submit(
              () -> {
                while (!stop.get()) {
                  cluster.write("/load/" + written.get(), 2, 3);
                  written.incrementAndGet();
                }
                return null;
              });
      NameNode nameNode = cluster.mini().getNameNode();
      PlacementMetrics metrics = cluster.context().metrics();
      for (int round = 0; round < 3; round++) {
        reconfigure(nameNode, site, PolicyAdvice.SINBAD);
        long decisions = metrics.decisionCount();
        RackCluster.await("decisions", () -> metrics.decisionCount() > decisions + 2);
        reconfigure(nameNode, site, STOCK);
        int files = written.get();
        RackCluster.await("stock writes", () -> written.get() > files + 1);
      }
      stop.set(true);
      load.get();
      long decisions = metrics.decisionCount();
      cluster.write("/stock", 3, 3);
      assertEquals(decisions, metrics.decisionCount());
      for (int file = 0; file < written.get(); file++) {
        DFSTestUtil.readFile(cluster.fs(), new Path("/load/" + file));
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private static void reconfigure(NameNode nameNode, SiteOverlay site, String policy)
      throws Exception {
    site.set(POLICY, policy);
    nameNode.reconfigureProperty(POLICY, policy);
  }

  @Test
  void keepsThePolicyWhenARefreshCarriesABadValue() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(POLICY, STOCK);
    try (SiteOverlay site = new SiteOverlay();
        RackCluster cluster = RackCluster.start(conf, 2, 2).awaitCoverage()) {
      NameNode nameNode = cluster.mini().getNameNode();
      site.set(ConfigKeys.COVERAGE_MIN, "7").set(POLICY, PolicyAdvice.SINBAD);
      for (int attempt = 0; attempt < 2; attempt++) {
        nameNode.startReconfigurationTask();
        RackCluster.await(
            "the reconfiguration task", () -> nameNode.getReconfigurationTaskStatus().stopped());
        assertEquals(
            List.of("rackweave.telemetry.coverage.min = '7': allowed is a number from 0.0 to 1.0"),
            nameNode.getReconfigurationTaskStatus().getStatus().values().stream()
                .flatMap(Optional::stream)
                .toList());
      }
      cluster.write("/still-stock", 1, 3);
      assertEquals(0, cluster.context().metrics().decisionCount());
    }
  }

  @Test
  void refusesToStartOnABadValueWithThePolicyOrThePlugin() {
    for (boolean plugin : new boolean[] {true, false}) {
      Configuration conf = RackCluster.stockConf();
      conf.set(ConfigKeys.COVERAGE_MIN, "150%");
      if (plugin) {
        conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, RackweaveNameNodePlugin.class.getName());
      } else {
        conf.set(POLICY, PolicyAdvice.SINBAD);
      }
      String message = rootMessage(RackCluster.refusalToStart(conf));
      assertTrue(message.contains("rackweave.telemetry.coverage.min = '150%'"), message);
    }
  }

  private static String rootMessage(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  @Test
  void isStockWithThePolicyButWithoutThePlugin() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
    try (RackCluster cluster = RackCluster.start(conf, 2, 2)) {
      assertNull(cluster.context());
      Path file = cluster.write("/without-plugin", 2, 3);
      assertEquals(3, cluster.racksOf(file).get(0).size());
    }
  }

  @Test
  void measuresButPlacesNothingWithThePluginAlone() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(POLICY, STOCK);
    try (RackCluster cluster = RackCluster.start(conf, 2, 2).awaitCoverage()) {
      cluster.write("/without-policy", 2, 3);
      assertEquals(0, cluster.context().metrics().decisionCount());
      assertEquals(0, cluster.context().metrics().fallbackCount());
    }
  }

  @Test
  void fallsBackByNameWhenTooFewLoadsAreKnown() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.setBoolean(ConfigKeys.DERIVED, false);
    try (RackCluster cluster = RackCluster.start(conf, 2, 2)) {
      RackCluster.await("a snapshot", () -> cluster.context().state() != null);
      cluster.write("/uncovered", 2, 3);
      assertEquals(0, cluster.context().metrics().decisionCount());
      assertTrue(cluster.context().metrics().fallbackCount(FallbackReason.LOW_COVERAGE) >= 2);
    }
  }

  @Test
  void leavesSmallBlocksToStock() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 2, 2).awaitCoverage()) {
      DFSTestUtil.createFile(cluster.fs(), new Path("/small"), 1024, 4096, 4096, (short) 3, 1);
      assertEquals(0, cluster.context().metrics().decisionCount());
      assertEquals(1, cluster.context().metrics().fallbackCount(FallbackReason.SMALL_BLOCK));
    }
  }

  @Test
  void serviceRpcPortAndBothNameNodesOfAnHaPairListen() throws Exception {
    Configuration conf = RackCluster.conf();
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology();
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(topology)
            .numDataNodes(4)
            .racks(RackCluster.racks(2, 2));
    try (RackCluster cluster = RackCluster.start(builder)) {
      cluster.mini().transitionToActive(0);
      PlacementContext active = RackCluster.contextOf(cluster.mini().getNameNode(0));
      PlacementContext standby = RackCluster.contextOf(cluster.mini().getNameNode(1));
      assertNotNull(active);
      assertNotSame(active, standby);
      RackCluster.await("both warm", () -> isWarm(active, 4) && isWarm(standby, 4));

      FileSystem fs = HATestUtil.configureFailoverFs(cluster.mini(), conf);
      RackCluster.write(fs, "/on-first", 2, 3);
      cluster.mini().transitionToStandby(0);
      cluster.mini().transitionToActive(1);
      RackCluster.write(fs, "/on-second", 3, 3);

      assertTrue(active.metrics().decisionCount() >= 2);
      assertTrue(standby.metrics().decisionCount() >= 3);
    }
  }

  private static boolean isWarm(PlacementContext context, int nodes) {
    return context.state() != null
        && context.state().links().liveCount() == nodes
        && context.state().links().coverage() == 1;
  }

  @Test
  void keepsFederatedNameNodesApart() throws Exception {
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(RackCluster.conf())
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(4)
            .racks(RackCluster.racks(2, 2));
    try (RackCluster cluster = RackCluster.start(builder)) {
      PlacementContext first = RackCluster.contextOf(cluster.mini().getNameNode(0));
      PlacementContext second = RackCluster.contextOf(cluster.mini().getNameNode(1));
      RackCluster.await("both warm", () -> isWarm(first, 4) && isWarm(second, 4));
      RackCluster.write(cluster.mini().getFileSystem(1), "/second", 2, 3);
      assertEquals(0, first.metrics().decisionCount());
      assertTrue(second.metrics().decisionCount() >= 2);
    }
  }
}
