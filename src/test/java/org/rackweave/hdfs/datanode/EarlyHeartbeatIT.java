package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.telemetry.HeartbeatReport;

/** A DataNode on a host whose network card a test moves, with heartbeats once in ten minutes. */
class EarlyHeartbeatIT {
  private static final long LINK_BYTES_PER_SEC = 1_000_000;
  private static final int HEARTBEAT_SEC = 600;

  @TempDir private static Path root;
  private static FixtureHost host;
  private static MiniDFSCluster cluster;
  private static CapturedReports reports;
  private static String uuid;

  private final AgentMetrics metrics = AgentMetrics.ofThisProcess();
  private double rxBytes;
  private long movedNanos = System.nanoTime();

  /** Looks at the host that the test has made. */
  public static final class FixtureHostEngine extends HeartbeatRpcEngine {
    @Override
    HostFiles host() {
      return host.files();
    }
  }

  @BeforeAll
  static void startCluster() throws Exception {
    host = new FixtureHost(root).card("eth0");
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, HEARTBEAT_SEC);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "nic");
    conf.set(AgentKeys.INTERFACE, "eth0");
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, LINK_BYTES_PER_SEC);
    ChosenRpcEngine.agentOn(conf);
    conf.set(HeartbeatRpcEngine.KEY, FixtureHostEngine.class.getName());
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    cluster.waitActive();
    reports = CapturedReports.of(cluster.getNameNode(), conf);
    uuid = cluster.getDataNodes().get(0).getDatanodeUuid();
  }

  @AfterAll
  static void stopCluster() {
    cluster.shutdown(true);
  }

  @Test
  void reportsOutOfTurnThatALinkIsFullAsOftenAsTheBudgetAllows() throws Exception {
    await(
        "a report that the link is free",
        () -> {
          cluster.triggerHeartbeats();
          return reports.of(uuid) != null && reports.of(uuid).rates().isPresent();
        });
    long early = metrics.earlyHeartbeatsCount();
    long withheld = metrics.earlyHeartbeatsWithheldCount();
    long heartbeats = reports.heartbeats();
    long startNanos = System.nanoTime();

    await("a report that it is full", () -> traffic(0.95) && othersRx() > 0.8 * LINK_BYTES_PER_SEC);
    long seconds = (System.nanoTime() - startNanos) / 1_000_000_000;
    assertTrue(seconds < HEARTBEAT_SEC / 4, "not before " + seconds + " s");
    assertEquals(heartbeats + 1, reports.heartbeats());
    assertEquals(early + 1, metrics.earlyHeartbeatsCount());

    await(
        "that it is free again has to wait",
        () -> metrics.earlyHeartbeatsWithheldCount() > withheld);
    assertEquals(heartbeats + 1, reports.heartbeats());
    assertEquals(early + 1, metrics.earlyHeartbeatsCount());
  }

  /** The link has taken so much of its speed since the last call. */
  private boolean traffic(double load) {
    long now = System.nanoTime();
    rxBytes += load * LINK_BYTES_PER_SEC * (now - movedNanos) / 1e9;
    movedNanos = now;
    try {
      host.traffic("eth0", (long) rxBytes, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  private static double othersRx() {
    HeartbeatReport report = reports.of(uuid);
    return report.rates().orElseThrow().othersRx();
  }

  @FunctionalInterface
  private interface Condition {
    boolean isMet() throws Exception;
  }

  private static void await(String what, Condition condition) throws Exception {
    BooleanSupplier met =
        () -> {
          try {
            return condition.isMet();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        };
    GenericTestUtils.waitFor(met::getAsBoolean, 20, 120_000, "still waiting for: " + what);
  }
}
