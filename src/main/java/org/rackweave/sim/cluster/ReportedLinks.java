package org.rackweave.sim.cluster;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.TelemetrySpec;
import org.rackweave.telemetry.CollectorSettings;
import org.rackweave.telemetry.LearnedCapacities;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.NetworkSettings;
import org.rackweave.telemetry.NodeEstimate;
import org.rackweave.telemetry.Promise;
import org.rackweave.telemetry.Smoothing;
import org.rackweave.telemetry.UtilisationCollector;

/**
 * Knowledge as in the NameNode: reports become estimates, and a snapshot of them is taken at fixed
 * intervals. A node that has not been heard of for the time after which HDFS declares it dead is
 * not offered any more.
 */
public final class ReportedLinks implements LinkKnowledge {
  /** As {@code rackweave.snapshot.interval}. */
  private static final long SNAPSHOT_MS = 250;

  private static final long FUTURE_TOLERANCE_MS = 300_000;
  private static final long WARM_UP_MS = 600_000;

  /** Their speed is declared. */
  private static final double[] NO_DISKS = {};

  private final EventLoop loop;
  private final Cluster cluster;
  private final NetworkSettings settings;
  private final LearnedCapacities learned;
  private final Heartbeats heartbeats;
  private final NodeEstimate[] estimates;
  private LinkLedger ledger;

  public ReportedLinks(
      EventLoop loop,
      Cluster cluster,
      TelemetrySpec spec,
      NetworkSettings settings,
      SplittableRandom random) {
    this.loop = loop;
    this.cluster = cluster;
    this.settings = settings;
    learned = new LearnedCapacities(settings);
    ClusterTopology topology = cluster.topology();
    boolean tellsRates = settings.promise() == Promise.SHARE;
    double hostBytesPerSec = cluster.network().capacity(cluster.links().hostRx(0));
    UtilisationCollector collector =
        new UtilisationCollector(
            new CollectorSettings(
                tellsRates ? Smoothing.CURRENT : new Smoothing.PerReport(spec.alpha()),
                spec.staleIntervals() * spec.intervalMs(),
                FUTURE_TOLERANCE_MS,
                WARM_UP_MS,
                hostBytesPerSec,
                false),
            0);
    Set<String> names = new HashSet<>();
    for (int node = 0; node < topology.nodeCount(); node++) {
      names.add(topology.nodeName(node));
    }
    collector.retainOnly(names, 0);
    estimates = new NodeEstimate[topology.nodeCount()];
    for (int node = 0; node < estimates.length; node++) {
      estimates[node] = collector.estimate(topology.nodeName(node));
    }
    heartbeats = new Heartbeats(loop, cluster, spec, tellsRates, collector, random);
  }

  /** Begins to listen. */
  public void start() {
    heartbeats.start();
  }

  /**
   * As of the last moment at which a NameNode takes a snapshot; none is taken before it is read.
   */
  @Override
  public LinkLedger ledger() {
    long takenMs = SimTime.toMs(loop.nowNanos()) / SNAPSHOT_MS * SNAPSHOT_MS;
    if (ledger == null || takenMs > ledger.snapshot().takenAtMs()) {
      heartbeats.deliverUntil(SimTime.ofMs(takenMs));
      ledger = new LinkLedger(snapshot(takenMs), ledger, estimates);
    }
    return ledger;
  }

  private LinkSnapshot snapshot(long takenMs) {
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(cluster.topology(), settings, takenMs);
    learned.tell(snapshot, takenMs);
    for (int node = 0; node < estimates.length; node++) {
      estimates[node].settle(cluster.writers(node));
      estimates[node].copyTo(snapshot, node, takenMs);
      if (!cluster.isDeclaredDead(node, SimTime.ofMs(takenMs))) {
        snapshot.storage(node, cluster.usedFraction(node));
      }
    }
    LinkSnapshot links = snapshot.build();
    learned.look(links, NO_DISKS);
    return links;
  }
}
