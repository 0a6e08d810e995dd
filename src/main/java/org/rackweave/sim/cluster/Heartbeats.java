package org.rackweave.sim.cluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.TelemetrySpec;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.LinkRates;
import org.rackweave.telemetry.ReportReader;
import org.rackweave.telemetry.Saturation;
import org.rackweave.telemetry.UtilisationCollector;

/**
 * The reports of all nodes: at intervals that vary, some lost, all late, over the wire format of
 * the real ones. A node that is down says nothing; one that comes back counts anew, as a restarted
 * DataNode does.
 */
public final class Heartbeats {
  /** When so many reports of each node wait, all but the youngest are read. */
  private static final int UNREAD_PER_NODE = 4;

  /** More than the time between two snapshots, which must not see what came after them. */
  private static final long STILL_UNREAD_NANOS = SimTime.ofSeconds(1);

  /** Trend of a rate that stays as it is until the next event. */
  private static final double STEADY = 0;

  /** Of its capacity, when a link is full; what is written on it is rounded. */
  private static final double FULL = 0.999;

  private final EventLoop loop;
  private final Cluster cluster;
  private final TelemetrySpec spec;
  private final boolean tellsRates;
  private final UtilisationCollector collector;
  private final SplittableRandom random;
  private final long[] epochMs;
  private final ReportReader reader = new ReportReader();

  /** In order of arrival, since all travel for the same time. */
  private final Deque<Sent> underWay = new ArrayDeque<>();

  private final long linkBytesPerSec;

  private record Sent(long arrivesNanos, int node, byte[] payload) {}

  /**
   * @param tellsRates whether nodes also say what their links carry now, which is exact here: rates
   *     of a fluid need no averaging
   */
  public Heartbeats(
      EventLoop loop,
      Cluster cluster,
      TelemetrySpec spec,
      boolean tellsRates,
      UtilisationCollector collector,
      SplittableRandom random) {
    this.loop = loop;
    this.cluster = cluster;
    this.spec = spec;
    this.tellsRates = tellsRates;
    this.collector = collector;
    this.random = random;
    epochMs = new long[cluster.topology().nodeCount()];
    linkBytesPerSec = (long) cluster.network().capacity(cluster.links().hostTx(0));
    cluster.listen(node -> {}, node -> epochMs[node] = nowMs());
  }

  private long nowMs() {
    return SimTime.toMs(loop.nowNanos());
  }

  /** Lets every node report from a random moment of the first interval on. */
  public void start() {
    for (int node = 0; node < epochMs.length; node++) {
      int reporting = node;
      loop.after(random.nextLong(SimTime.ofMs(spec.intervalMs())), () -> beat(reporting));
    }
  }

  private void beat(int node) {
    boolean isLost = random.nextDouble() < spec.loss();
    if (cluster.isUp(node) && !isLost) {
      long arrivesNanos = loop.nowNanos() + SimTime.ofMs(spec.delayMs());
      underWay.add(new Sent(arrivesNanos, node, HeartbeatReportCodec.encode(report(node))));
      if (underWay.size() > UNREAD_PER_NODE * epochMs.length) {
        deliverUntil(loop.nowNanos() - STILL_UNREAD_NANOS);
      }
    }
    long jitter = SimTime.ofMs(spec.jitterMs());
    long more = jitter == 0 ? 0 : random.nextLong(-jitter, jitter + 1);
    loop.after(SimTime.ofMs(spec.intervalMs()) + more, () -> beat(node));
  }

  private HeartbeatReport report(int node) {
    long nowMs = nowMs();
    return new HeartbeatReport(
        epochMs[node],
        nowMs,
        nowMs - epochMs[node],
        (long) cluster.receivedBytes(node, loop.nowNanos()),
        (long) cluster.sentBytes(node, loop.nowNanos()),
        linkBytesPerSec,
        (long) cluster.usedBytes(node),
        0,
        (float) cluster.usedFraction(node),
        cluster.readers(node),
        cluster.writers(node),
        List.of(),
        HeartbeatReport.UNKNOWN,
        tellsRates ? Optional.of(rates(node)) : Optional.empty(),
        saturation(node));
  }

  /** Data are lost on the link of a node's rack when that is full. */
  private Saturation saturation(int node) {
    int rack = cluster.topology().rackOf(node);
    return new Saturation(
        cluster.receiving(node) > 0 && isFull(cluster.links().rackDown(rack)),
        cluster.sending(node) > 0 && isFull(cluster.links().rackUp(rack)),
        0);
  }

  private boolean isFull(int link) {
    return cluster.network().load(link) >= FULL * cluster.network().capacity(link);
  }

  private LinkRates rates(int node) {
    double rx = cluster.receiving(node);
    double tx = cluster.sending(node);
    double blocks = cluster.receivingBlocks(node);
    return new LinkRates(rx, tx, Math.max(0, rx - blocks), blocks, rx, tx, STEADY, STEADY);
  }

  /**
   * Hands over the reports that have arrived by a time, each as of its arrival. Nobody looks at
   * them in between, so that arrivals need no events of their own.
   */
  void deliverUntil(long timeNanos) {
    while (!underWay.isEmpty() && underWay.peek().arrivesNanos() <= timeNanos) {
      Sent sent = underWay.poll();
      long arrivedMs = SimTime.toMs(sent.arrivesNanos());
      reader.read(sent.payload(), 0, sent.payload().length);
      collector.accept(cluster.topology().nodeName(sent.node()), reader, arrivedMs, arrivedMs);
    }
  }
}
