package org.rackweave.hdfs.eafr;

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
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.ReportReader;

class ServerLoadsTest {
  private static final int STALE_MS = 30_000;
  private static final int HEARTBEAT_MS = 3000;
  private static final int LOOK_MS = 250;
  private static final long MB = 1_000_000;

  private final DatanodeDescriptor datanode = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r0");
  private final ClusterView cluster =
      new ClusterView(
          ClusterTopology.of(List.of(new NodePlace(datanode.getXferAddr(), "/r0", null))),
          new DatanodeDescriptor[] {datanode},
          Map.of(datanode, 0));
  private final ServerLoads loads =
      new ServerLoads(EafrConfig.from(new Configuration(false)), STALE_MS, uuid -> ServerRole.HOT);
  private long nowMs = 1000;
  private long sentBytes;
  private long linkBytesPerSec;

  /** Some heartbeats of the same kind. */
  private void reports(int readers, long bytesPerSec) {
    for (int i = 0; i < 4; i++) {
      report(readers, bytesPerSec);
    }
  }

  private void report(int readers, long bytesPerSec) {
    nowMs += HEARTBEAT_MS;
    sentBytes += bytesPerSec * HEARTBEAT_MS / 1000;
    ReportReader report = new ReportReader();
    byte[] bytes =
        HeartbeatReportCodec.encode(
            new HeartbeatReport(
                1, nowMs, nowMs, 0, sentBytes, linkBytesPerSec, 0, 0, 0, readers, 0, List.of()));
    report.read(bytes, 0, bytes.length);
    loads.heard(datanode.getDatanodeUuid(), report, nowMs);
    for (int look = 0; look < HEARTBEAT_MS / LOOK_MS; look++) {
      loads.look(cluster, nowMs + (long) look * LOOK_MS);
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

  private boolean isOverloaded() {
    return Thresholds.PAPER.overloaded(new int[] {0}, loads.servers(cluster)) != null;
  }

  /** On a link that two readers fill. */
  @Test
  void aDataNodeWithMoreReadersThanFillItsLinkIsOverloaded() {
    linkBytesPerSec = 25 * MB;
    for (int minute = 0; minute < 5; minute++) {
      reports(1, 12 * MB);
      reports(1, 12 * MB);
      loads.endWindow();
    }
    assertFalse(isOverloaded(), "one reader at a time");
    reports(3, 24 * MB);
    assertTrue(isOverloaded());
  }

  @Test
  void aDataNodeThatSendsMoreToMoreReadersHasTheCapacity() {
    reports(10, 100 * MB);
    reports(90, 900 * MB);
    assertTrue(remainingCapacity() >= 0, "90 for a queue of 90: " + remainingCapacity());
  }
}
