package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;

/** What a DataNode does with good, bad and missing agent settings. */
@Tag("newest-hadoop")
class AgentSettingsIT {
  private final Configuration conf = new Configuration();
  private MiniDFSCluster cluster;

  @BeforeEach
  void startNameNode() throws Exception {
    conf.setLong(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    ChosenRpcEngine.agentOn(conf);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
  }

  @AfterEach
  void stopCluster() {
    cluster.shutdown(true);
  }

  @Test
  void staysSilentBehindLoopbackWithoutThePluginAndSaysSoOnce() throws Exception {
    try (LogLines lines = new LogLines(HeartbeatAgent.class)) {
      cluster.startDataNodes(conf, 1, true, null, null);
      cluster.waitActive();
      CapturedReports reports = CapturedReports.of(cluster.getNameNode(), conf);
      await("five heartbeats", () -> trigger() && reports.heartbeats() >= 5);
      assertEquals(List.of(), reports.all());
      List<String> said = lines.containing("Not reporting");
      assertEquals(1, said.size(), said::toString);
      assertTrue(said.get(0).contains("loopback"), said::toString);
    }
  }

  @Test
  void reportsOfSomeDataNodesWhileOthersHaveNoAgent() throws Exception {
    Configuration withPlugin = new Configuration(conf);
    withPlugin.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    Configuration stock = new Configuration(conf);
    stock.unset(HeartbeatRpcEngine.KEY);
    cluster.startDataNodes(withPlugin, 1, true, null, null);
    cluster.startDataNodes(stock, 1, true, null, null);
    cluster.waitActive();
    CapturedReports reports = CapturedReports.of(cluster.getNameNode(), conf);
    String uuid = cluster.getDataNodes().get(0).getDatanodeUuid();
    await("a report", () -> trigger() && reports.of(uuid) != null && reports.heartbeats() >= 6);
    assertEquals(1, reports.all().size());
    Path file = new Path("/mixed");
    DFSTestUtil.createFile(cluster.getFileSystem(), file, 100_000, (short) 2, 1);
    DFSTestUtil.waitReplication(cluster.getFileSystem(), file, (short) 2);
  }

  @Test
  void reportsTheConfiguredLinkSpeed() throws Exception {
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "datanode");
    conf.set(AgentKeys.LINK_BYTES_PER_SEC, "1250000");
    cluster.startDataNodes(conf, 1, true, null, null);
    cluster.waitActive();
    CapturedReports reports = CapturedReports.of(cluster.getNameNode(), conf);
    await("a report", () -> trigger() && !reports.all().isEmpty());
    assertEquals(1_250_000, reports.all().get(0).linkBytesPerSec());
  }

  @Test
  void stopsTheDataNodeWhenThePluginFindsABadSetting() {
    // The engine would find it too, and which of them is first is a race.
    conf.unset(HeartbeatRpcEngine.KEY);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "netlink");
    RuntimeException failure =
        assertThrows(
            RuntimeException.class, () -> cluster.startDataNodes(conf, 1, true, null, null));
    assertNamesTheSetting(failure);
  }

  @Test
  void endsTheDataNodesServiceWhenTheEngineFindsABadSetting() throws Exception {
    conf.set(AgentKeys.SAMPLER, "netlink");
    try (LogLines lines = new LogLines(DataNode.class)) {
      DataNode dataNode = startWithoutWaiting();
      await("no service left", () -> dataNode == null || !dataNode.isDatanodeUp());
      assertTrue(
          lines.failures.stream().anyMatch(AgentSettingsIT::namesTheSetting),
          () -> lines.failures.toString());
    }
    assertEquals(0, cluster.getNamesystem().getNumLiveDataNodes());
  }

  /** The DataNode started, or null when it gave up. */
  private DataNode startWithoutWaiting() throws Exception {
    try {
      cluster.startDataNodes(conf, 1, true, null, null);
    } catch (IOException e) {
      // The only service may end before the DataNode has started, which then gives up at once.
    }
    return cluster.getDataNodes().isEmpty() ? null : cluster.getDataNodes().get(0);
  }

  private static void assertNamesTheSetting(Throwable failure) {
    assertTrue(namesTheSetting(failure), () -> String.valueOf(failure));
  }

  private static boolean namesTheSetting(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains(AgentKeys.SAMPLER)
          && message.contains("netlink")
          && message.contains("auto, nic, datanode")) {
        return true;
      }
    }
    return false;
  }

  private boolean trigger() {
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

  /** What one class logs while this is open. */
  private static final class LogLines extends AppenderSkeleton implements AutoCloseable {
    private final Logger logger;
    private final Level level;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    LogLines(Class<?> logging) {
      logger = Logger.getLogger(logging);
      level = logger.getLevel();
      logger.setLevel(Level.INFO);
      logger.setAdditivity(false);
      logger.addAppender(this);
    }

    List<String> containing(String text) {
      synchronized (lines) {
        return lines.stream().filter(line -> line.contains(text)).toList();
      }
    }

    @Override
    protected void append(LoggingEvent event) {
      lines.add(event.getRenderedMessage());
      if (event.getThrowableInformation() != null) {
        failures.add(event.getThrowableInformation().getThrowable());
      }
    }

    @Override
    public void close() {
      logger.removeAppender(this);
      logger.setAdditivity(true);
      logger.setLevel(level);
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
