package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Thresholds;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;
import org.rackweave.telemetry.ReportReader;

class ServerLoadsTest {
  private static final int STALE_MS = 30_000;
  private static final int HEARTBEAT_MS = 3000;
  private static final long MB = 1_000_000;

  private final DatanodeDescriptor datanode = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r0");
  private ClusterView cluster =
      ClusterViews.of(
          ClusterTopology.of(List.of(new NodePlace(datanode.getXferAddr(), "/r0", null))),
          new DatanodeDescriptor[] {datanode},
          Map.of(datanode, 0));
  private final Configuration conf = new Configuration(false);
  private final ServerLoads loads =
      new ServerLoads(() -> EafrConfig.from(conf), STALE_MS, uuid -> ServerRole.HOT);
  private long nowMs = 1000;
  private long sentBytes;

  /** Some heartbeats of the same kind. */
  private void reports(int readers, long bytesPerSec) {
    for (int i = 0; i < 4; i++) {
      nowMs += HEARTBEAT_MS;
      sentBytes += bytesPerSec * HEARTBEAT_MS / 1000;
      ReportReader report = new ReportReader();
      byte[] bytes =
          HeartbeatReportCodec.encode(
              new HeartbeatReport(
                  1, nowMs, nowMs, 0, sentBytes, 0, 0, 0, 0, readers, 0, List.of()));
      report.read(bytes, 0, bytes.length);
      loads.heard(datanode.getDatanodeUuid(), report, nowMs);
      for (int look = 0; look < 8; look++) {
        loads.look(cluster, nowMs + look);
      }
    }
  }

  private int remainingCapacity() {
    return loads.servers(cluster).remainingCapacity(0);
  }

  @Test
  void aDataNodeWhoseQueueGrowsWhileItSendsLessHasNoMoreCapacity() {
    reports(10, 100 * MB);
    assertTrue(remainingCapacity() > 0);
    reports(90, 20 * MB);
    assertTrue(remainingCapacity() < -50, "15 for a queue of nearly 90: " + remainingCapacity());
  }

  private void sending(LinkSource source, double bytesPerSec, double rackBytesPerSec) {
    LinkSnapshot links =
        new LinkSnapshot.Builder(
                cluster.topology(),
                new NetworkSettings(rackBytesPerSec, 1, 100 * MB, 3000, 0.1),
                nowMs)
            .storage(0, 0.5)
            .host(0, source, 100 * MB, 0, bytesPerSec, 1, nowMs)
            .build();
    cluster = ClusterViews.with(cluster, links);
  }

  private boolean isOverloaded() {
    return Thresholds.PAPER.overloaded(new int[] {0}, loads.servers(cluster)) != null;
  }

  /** Four looks a second. */
  @Test
  void aDataNodeWhoseLinkIsFullForSomeSecondsIsOverloaded() {
    sending(LinkSource.MEASURED, 95 * MB, 100 * MB);
    reports(0, 95 * MB);
    reports(0, 95 * MB);
    assertFalse(isOverloaded(), "nobody reads");
    loads.endWindow();
    reports(1, 95 * MB);
    assertTrue(isOverloaded());
  }

  @Test
  void aBurstIsNone() {
    sending(LinkSource.MEASURED, 95 * MB, 100 * MB);
    reports(1, 95 * MB);
    sending(LinkSource.MEASURED, 0, 100 * MB);
    reports(1, 0);
    assertFalse(isOverloaded());
  }

  @Test
  void theLinkOfItsRackMayBeTheFullOne() {
    sending(LinkSource.MEASURED, 45 * MB, 50 * MB);
    reports(1, 45 * MB);
    reports(1, 45 * MB);
    assertTrue(isOverloaded());
  }

  @Test
  void itIsOverloadedUntilItHasBeenLookedAt() {
    sending(LinkSource.MEASURED, 95 * MB, 100 * MB);
    reports(1, 95 * MB);
    reports(1, 95 * MB);
    sending(LinkSource.MEASURED, 0, 100 * MB);
    reports(1, 0);
    assertTrue(isOverloaded(), "as nobody has looked yet");
    loads.endWindow();
    assertFalse(isOverloaded());
  }

  @Test
  void aLinkThatNoAgentMeasuresOverloadsNobody() {
    sending(LinkSource.MISSING, 0, 100 * MB);
    for (int report = 0; report < 100; report++) {
      reports(1, 0);
    }
    assertFalse(isOverloaded());
  }

  @Test
  void aDataNodeThatSendsMoreToMoreReadersHasTheCapacity() {
    reports(10, 100 * MB);
    reports(90, 900 * MB);
    assertTrue(remainingCapacity() >= 0, "90 for a queue of 90: " + remainingCapacity());

    conf.set(ConfigKeys.EAFR_CAPACITY_OBSERVED, "false");
    assertTrue(remainingCapacity() < -50, "15, whatever was observed: " + remainingCapacity());
  }

  @Test
  void anotherCapacityCountsWhileTheNameNodeRuns() {
    reports(10, 100 * MB);
    int before = remainingCapacity();
    conf.set(ConfigKeys.EAFR_CAPACITY, "25");
    reports(10, 100 * MB);
    assertEquals(before + 10, remainingCapacity());
  }
}
