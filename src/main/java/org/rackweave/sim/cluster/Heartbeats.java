package org.rackweave.sim.cluster;

import java.util.List;
import java.util.SplittableRandom;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.TelemetrySpec;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.ReportReader;
import org.rackweave.telemetry.UtilisationCollector;

/**
 * The reports of all nodes: at intervals that vary, some lost, all late, over the wire format of
 * the real ones. A node that is down says nothing; one that comes back counts anew, as a restarted
 * DataNode does.
 */
public final class Heartbeats {
  private final EventLoop loop;
  private final Cluster cluster;
  private final TelemetrySpec spec;
  private final UtilisationCollector collector;
  private final SplittableRandom random;
  private final long[] epochMs;
  private final ReportReader reader = new ReportReader();
  private final long linkBytesPerSec;

  public Heartbeats(
      EventLoop loop,
      Cluster cluster,
      TelemetrySpec spec,
      UtilisationCollector collector,
      SplittableRandom random) {
    this.loop = loop;
    this.cluster = cluster;
    this.spec = spec;
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
      byte[] payload = HeartbeatReportCodec.encode(report(node));
      if (spec.delayMs() == 0) {
        arrive(node, payload);
      } else {
        loop.after(SimTime.ofMs(spec.delayMs()), () -> arrive(node, payload));
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
        (long) cluster.receivedBytes(node),
        (long) cluster.sentBytes(node),
        linkBytesPerSec,
        (long) cluster.usedBytes(node),
        (float) cluster.usedFraction(node),
        cluster.readers(node),
        cluster.writers(node),
        List.of());
  }

  private void arrive(int node, byte[] payload) {
    reader.read(payload, 0, payload.length);
    collector.accept(cluster.topology().nodeName(node), reader, nowMs(), nowMs());
  }
}
