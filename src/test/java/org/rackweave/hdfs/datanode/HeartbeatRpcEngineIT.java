package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReadThrottlers;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.telemetry.HeartbeatReply;
import org.rackweave.telemetry.HeartbeatReport;

/** The agent in real DataNodes, which share this host's loopback interface, on a stock NameNode. */
class HeartbeatRpcEngineIT {
  private static final int NODES = 3;
  private static final int FILE_BYTES = 3 << 20;

  private static MiniDFSCluster cluster;
  private static CapturedReports reports;

  @BeforeAll
  static void startCluster() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    ChosenRpcEngine.agentOn(conf);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(NODES).build();
    cluster.waitActive();
    reports = CapturedReports.of(cluster.getNameNode(), conf);
    awaitReports();
  }

  @AfterAll
  static void stopCluster() {
    cluster.shutdown(true);
  }

  @BeforeEach
  void askForNothing() {
    reports.ask(HeartbeatReply.NOTHING);
  }

  @Test
  void sendsSoundReportsThatAdvance() {
    String uuid = node(0).getDatanodeUuid();
    HeartbeatReport first = reports.of(uuid);
    awaitReports();
    HeartbeatReport next = reports.of(uuid);
    assertEquals(first.epochMs(), next.epochMs());
    assertTrue(next.uptimeMs() > first.uptimeMs());
    assertTrue(next.rxBytes() >= first.rxBytes());
    assertTrue(next.diskUsedFraction() > 0);
    assertEquals(0, reports.broken());
  }

  @Test
  void countsWhatEachDataNodeReceivesForwardsAndServes() throws Exception {
    awaitReports();
    long rxBefore = sumOfRx();
    long txBefore = sumOfTx();
    Path file = write("/counted", NODES);
    awaitReports();
    assertEquals((long) NODES * FILE_BYTES, sumOfRx() - rxBefore);
    double forwarded = sumOfTx() - txBefore;
    // Two of three nodes of a pipeline forward; the share is an estimate.
    assertTrue(
        forwarded > 1.5 * FILE_BYTES && forwarded < 2.5 * FILE_BYTES, "forwarded " + forwarded);
    long txWritten = sumOfTx();
    DFSTestUtil.readFileBuffer(cluster.getFileSystem(), file);
    awaitReports();
    long served = sumOfTx() - txWritten;
    assertTrue(served >= FILE_BYTES && served < 1.05 * FILE_BYTES, "served " + served);
  }

  @Test
  void countsCopiesToOtherDataNodes() throws Exception {
    Path file = write("/copied", 1);
    awaitReports();
    long rxBefore = sumOfRx();
    long txBefore = sumOfTx();
    cluster.getFileSystem().setReplication(file, (short) 2);
    DFSTestUtil.waitReplication(cluster.getFileSystem(), file, (short) 2);
    awaitReports();
    assertEquals(FILE_BYTES, sumOfRx() - rxBefore);
    assertTrue(sumOfTx() - txBefore >= FILE_BYTES);
  }

  @Test
  void showsALongReadWhileItRuns() throws Exception {
    Path file = write("/slow", 1);
    DataNode server = holderOf(file);
    awaitReports();
    long before = reports.of(server.getDatanodeUuid()).txBytes();
    // Nobody reads on: the DataNode fills the buffers between, and the read does not end.
    try (var in = cluster.getFileSystem().open(file)) {
      assertTrue(in.read() >= 0);
      await(
          "the read shows before it ends",
          () -> {
            HeartbeatReport now = reports.of(server.getDatanodeUuid());
            return now.txBytes() > before && now.readers() > 0;
          });
    }
  }

  @Test
  void keepsCountingAndLimitingWhenTheReadBandwidthIsReconfigured() throws Exception {
    Path file = write("/throttled", 1);
    DataNode server = holderOf(file);
    server.reconfigureProperty("dfs.datanode.data.read.bandwidthPerSec", "104857600");
    awaitReports();
    assertEquals(104_857_600, ReadThrottlers.bandwidthOf(server));
    long before = reports.of(server.getDatanodeUuid()).txBytes();
    DFSTestUtil.readFileBuffer(cluster.getFileSystem(), file);
    awaitReports();
    assertTrue(reports.of(server.getDatanodeUuid()).txBytes() - before >= FILE_BYTES);
    server.reconfigureProperty("dfs.datanode.data.read.bandwidthPerSec", null);
  }

  @Test
  void countsReadsOfBlocksOnlyWhileAsked() throws Exception {
    Path file = write("/read", 1);
    long block =
        DFSTestUtil.getAllBlocks(cluster.getFileSystem(), file).get(0).getBlock().getBlockId();
    Logger trace = Logger.getLogger(ReadCountAppender.CLIENT_TRACE);
    Level before = trace.getLevel();
    reports.ask(new HeartbeatReply(10));
    await("the client trace is on", trace::isDebugEnabled);
    awaitReports();
    for (int i = 0; i < 3; i++) {
      DFSTestUtil.readFileBuffer(cluster.getFileSystem(), file);
    }
    await("three reads counted", () -> reports.readsOf(block) == 3);
    reports.ask(HeartbeatReply.NOTHING);
    await("the client trace is as before", () -> Objects.equals(trace.getLevel(), before));
  }

  @Test
  void neverCostsAHeartbeatWhenSamplingThrows() throws Exception {
    OwnTraffic broken = mock(OwnTraffic.class);
    String uuid = node(1).getDatanodeUuid();
    when(broken.datanodeUuid()).thenReturn(uuid);
    doThrow(new IllegalStateException("sampler")).when(broken).attach();
    OwnTraffic real = StartedDataNodes.find(uuid);
    Logger log = Logger.getLogger(HeartbeatHandler.class);
    log.setLevel(Level.OFF);
    StartedDataNodes.remove(real);
    StartedDataNodes.add(broken);
    try {
      long failures = AgentMetrics.ofThisProcess().failures();
      await(
          "ten failures",
          () -> trigger() && AgentMetrics.ofThisProcess().failures() >= failures + 10);
      cluster.waitActive();
      assertEquals(NODES, cluster.getNamesystem().getNumLiveDataNodes());
      write("/despite", NODES);
      reports.forget();
      await("the others report", () -> trigger() && reports.all().size() == NODES - 1);
      assertNull(reports.of(uuid));
    } finally {
      StartedDataNodes.remove(broken);
      StartedDataNodes.add(real);
      log.setLevel(null);
    }
    awaitReports();
  }

  @Test
  void givesTheDataNodeItsThrottlersBackWhenThePluginStops() throws Exception {
    DataNode node = node(2);
    OwnTraffic tap = StartedDataNodes.find(node.getDatanodeUuid());
    tap.detach();
    assertEquals(-1, ReadThrottlers.bandwidthOf(node));
    tap.attach();
    assertSame(tap, StartedDataNodes.find(node.getDatanodeUuid()));
  }

  @Test
  void registersADataNodeThatRestarts() throws Exception {
    String uuid = node(0).getDatanodeUuid();
    long epoch = reports.of(uuid).epochMs();
    assertTrue(cluster.restartDataNode(0, true));
    cluster.waitActive();
    await("a new epoch", () -> trigger() && reports.of(uuid).epochMs() > epoch);
  }

  private static Path write(String name, int replication) throws IOException {
    DistributedFileSystem fs = cluster.getFileSystem();
    Path file = new Path(name);
    DFSTestUtil.createFile(fs, file, FILE_BYTES, (short) replication, 7);
    return file;
  }

  private static DataNode holderOf(Path file) throws IOException {
    String uuid =
        DFSTestUtil.getAllBlocks(cluster.getFileSystem(), file)
            .get(0)
            .getLocations()[0]
            .getDatanodeUuid();
    return cluster.getDataNodes().stream()
        .filter(node -> node.getDatanodeUuid().equals(uuid))
        .findFirst()
        .orElseThrow();
  }

  private static DataNode node(int index) {
    return cluster.getDataNodes().get(index);
  }

  private static long sumOfRx() {
    return reports.all().stream().mapToLong(HeartbeatReport::rxBytes).sum();
  }

  private static long sumOfTx() {
    return reports.all().stream().mapToLong(HeartbeatReport::txBytes).sum();
  }

  /** Waits for two more reports of every DataNode: the second was certainly made after the call. */
  private static void awaitReports() {
    for (int i = 0; i < 2; i++) {
      reports.forget();
      await("a report of every DataNode", () -> trigger() && reports.all().size() == NODES);
    }
  }

  private static boolean trigger() {
    try {
      cluster.triggerHeartbeats();
      return true;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    try {
      GenericTestUtils.waitFor(condition::getAsBoolean, 20, 120_000, "still waiting for: " + what);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
