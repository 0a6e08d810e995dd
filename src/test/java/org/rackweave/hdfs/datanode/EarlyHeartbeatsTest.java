package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.telemetry.LinkCounters;

/** Gauges, their watch and the heartbeats it hastens, on a clock that a test moves. */
class EarlyHeartbeatsTest {
  private static final long LINK_BYTES_PER_SEC = 100_000_000;
  private static final int INTERVAL_MS = 3_000;
  private static final int TICK_MS = 200;

  private long nanos;
  private final AgentMetrics metrics = new AgentMetrics();
  private final LinkWatch watch = new LinkWatch(metrics, () -> nanos, TimeUnit.HOURS.toMillis(1));
  private final List<LinkGauge> gauges = new ArrayList<>();
  private final OwnTraffic dataNode =
      (OwnTraffic)
          Proxy.newProxyInstance(
              OwnTraffic.class.getClassLoader(),
              new Class<?>[] {OwnTraffic.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "datanodeUuid" -> Heartbeats.UUID;
                    case "heartbeatNow" -> heartbeatNow();
                    default -> throw new AssertionError(method);
                  });

  private final Link link = new Link();
  private boolean isDueAnyway;
  private boolean isAnswered = true;
  private int asked;

  /** Somebody else's traffic and that of blocks, which run at rates. */
  private final class Link implements LinkSampler {
    private double othersRx;
    private double blocksRx;
    private double othersTx;
    private double blocksTx;
    private final double[] bytes = new double[4];
    private boolean isBroken;

    @Override
    public LinkSample sample(HeartbeatRequestProto heartbeat) {
      throw new AssertionError();
    }

    @Override
    public Optional<LinkCounters> counters(String datanodeUuid) throws IOException {
      if (isBroken) {
        throw new IOException("unreadable");
      }
      return Optional.of(
          new LinkCounters(
              "eth0",
              (long) (bytes[0] + bytes[1]),
              (long) (bytes[2] + bytes[3]),
              (long) bytes[1],
              (long) bytes[3]));
    }

    void run(int ms) {
      bytes[0] += othersRx * LINK_BYTES_PER_SEC * ms / 1000;
      bytes[1] += blocksRx * LINK_BYTES_PER_SEC * ms / 1000;
      bytes[2] += othersTx * LINK_BYTES_PER_SEC * ms / 1000;
      bytes[3] += blocksTx * LINK_BYTES_PER_SEC * ms / 1000;
    }
  }

  @BeforeEach
  void startDataNode() {
    StartedDataNodes.add(dataNode);
    addNameNode();
    link.othersRx = 0.1;
    pass(1_000);
    heartbeat();
  }

  @AfterEach
  void stopDataNode() {
    StartedDataNodes.remove(dataNode);
    gauges.forEach(LinkGauge::close);
  }

  private void addNameNode() {
    gauges.add(new LinkGauge(link, watch, metrics, () -> nanos, INTERVAL_MS));
    heartbeat();
  }

  private void heartbeat() {
    gauges.forEach(gauge -> gauge.report(Heartbeats.UUID, LINK_BYTES_PER_SEC));
  }

  private boolean heartbeatNow() {
    if (isDueAnyway) {
      return false;
    }
    asked++;
    if (isAnswered) {
      heartbeat();
    }
    return true;
  }

  private void pass(int ms) {
    for (int passed = 0; passed < ms; passed += TICK_MS) {
      nanos += TimeUnit.MILLISECONDS.toNanos(TICK_MS);
      link.run(TICK_MS);
      watch.tick();
    }
  }

  @Test
  void reportsAtOnceThatALinkIsFull() {
    link.othersRx = 0.95;
    pass(1_600);
    assertEquals(1, asked);
    assertEquals(1, metrics.earlyHeartbeatsCount());
    double rx = gauges.get(0).report(Heartbeats.UUID, LINK_BYTES_PER_SEC).orElseThrow().othersRx();
    assertTrue(rx > 0.85 * LINK_BYTES_PER_SEC, "full, and not on its way there: " + rx);
  }

  @Test
  void reportsWhatOthersSend() {
    link.othersTx = 0.95;
    pass(1_600);
    assertEquals(1, asked);
  }

  @Test
  void keepsQuietAboutBlocks() {
    link.blocksRx = 0.8;
    link.blocksTx = 0.9;
    pass(20_000);
    assertEquals(0, asked);
    assertEquals(0, metrics.earlyHeartbeatsWithheldCount());
  }

  @Test
  void keepsQuietWhereTheLinksSpeedIsNotKnown() {
    gauges.get(0).report(Heartbeats.UUID, 0);
    link.othersRx = 0.95;
    pass(5_000);
    gauges.get(0).report(Heartbeats.UUID, 0);
    link.othersRx = 0;
    pass(5_000);
    assertEquals(0, asked);
  }

  @Test
  void keepsQuietWithoutThePlugin() {
    StartedDataNodes.remove(dataNode);
    link.othersRx = 0.95;
    pass(5_000);
    assertEquals(0, asked);
    assertEquals(0, metrics.earlyHeartbeatsWithheldCount());
  }

  @Test
  void keepsToItsShareOfRegularHeartbeatsHoweverTheLoadChanges() {
    int hours = 1;
    int regular = hours * 3_600_000 / INTERVAL_MS;
    for (int half = 0; half < hours * 3_600 / 10; half++) {
      link.othersRx = half % 2 == 0 ? 0.95 : 0.05;
      pass(5_000);
      pass(5_000);
    }
    assertTrue(asked >= 0.045 * regular && asked <= 0.05 * regular + 1, asked + " asked");
    assertEquals(asked, metrics.earlyHeartbeatsCount());
    assertTrue(metrics.earlyHeartbeatsWithheldCount() > 0);
  }

  @Test
  void countsOnceThatAChangeHasToWait() {
    link.othersRx = 0.95;
    pass(2_000);
    link.othersRx = 0.05;
    pass(20_000);
    assertEquals(1, asked);
    assertEquals(1, metrics.earlyHeartbeatsWithheldCount());
    pass(45_000);
    assertEquals(2, asked, "once there may be one again");
  }

  @Test
  void spendsNothingOnAChangeThatGoesBackBeforeItIsSent() {
    link.othersRx = 0.95;
    pass(2_000);
    link.othersRx = 0.05;
    pass(10_000);
    link.othersRx = 0.95;
    pass(50_000);
    assertEquals(1, asked);
    assertEquals(0, withNews());
    link.othersRx = 0.05;
    pass(5_000);
    assertEquals(2, asked, "what was earned meanwhile");
  }

  private long withNews() {
    return gauges.stream().filter(LinkGauge::hasNews).count();
  }

  @Test
  void leavesItToAHeartbeatThatIsDueAnyway() {
    isDueAnyway = true;
    link.othersRx = 0.95;
    pass(2_000);
    assertEquals(0, metrics.earlyHeartbeatsCount());
    heartbeat();
    isDueAnyway = false;
    pass(2_000);
    assertEquals(0, asked);
    link.othersRx = 0.05;
    pass(6_000);
    assertEquals(1, asked, "nothing was spent");
  }

  @Test
  void asksOnceUntilTheHeartbeatIsMade() {
    isAnswered = false;
    link.othersRx = 0.95;
    pass(300_000);
    assertEquals(1, asked);
  }

  @Test
  void asksOnceForAllNameNodesOfADataNode() {
    addNameNode();
    pass(1_000);
    heartbeat();
    link.othersRx = 0.95;
    pass(5_000);
    assertEquals(1, asked);
  }

  @Test
  void samplesOtherLinksWhenOneFails() {
    Link other = new Link();
    LinkGauge broken = new LinkGauge(other, watch, metrics, () -> nanos, INTERVAL_MS);
    gauges.add(broken);
    heartbeat();
    other.isBroken = true;
    Logger log = Logger.getLogger(HookGuard.class);
    log.setLevel(Level.OFF);
    try {
      long failures = HookGuard.failures(Hook.LINK_SAMPLE);
      link.othersRx = 0.95;
      pass(2_000);
      assertTrue(HookGuard.failures(Hook.LINK_SAMPLE) - failures >= 10);
      assertTrue(metrics.samplesFailedCount() >= 10);
      assertEquals(1, asked);
      assertEquals(Optional.empty(), broken.report(Heartbeats.UUID, LINK_BYTES_PER_SEC));
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void samplesNoMoreOnceClosed() {
    LinkGauge gauge = gauges.get(0);
    gauge.close();
    gauge.report(Heartbeats.UUID, LINK_BYTES_PER_SEC); // a heartbeat that was being made
    assertTrue(watch.isIdle());
    link.othersRx = 0.95;
    pass(5_000);
    assertEquals(0, asked);
  }
}
