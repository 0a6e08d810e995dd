package org.rackweave.sim.cluster;

import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;

/**
 * Perfect knowledge: the true rates of this moment, whenever asked. What is promised at one instant
 * is remembered for that instant; at the next, its effect is among the rates.
 */
public final class TrueLinks implements LinkKnowledge {
  private final EventLoop loop;
  private final Cluster cluster;
  private final NetworkSettings settings;
  private LinkLedger ledger;
  private long takenAtNanos = -1;
  private int sequence;

  public TrueLinks(EventLoop loop, Cluster cluster, NetworkSettings settings) {
    this.loop = loop;
    this.cluster = cluster;
    this.settings = settings;
  }

  @Override
  public LinkLedger ledger() {
    if (takenAtNanos != loop.nowNanos()) {
      takenAtNanos = loop.nowNanos();
      sequence++;
      ledger = new LinkLedger(snapshot(), null);
    }
    return ledger;
  }

  private LinkSnapshot snapshot() {
    long nowMs = SimTime.toMs(loop.nowNanos());
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(cluster.topology(), settings, nowMs);
    for (int node = 0; node < cluster.topology().nodeCount(); node++) {
      if (cluster.isUp(node)) {
        double capacity = cluster.links().hostCapacity();
        double rx = cluster.receiving(node);
        double tx = cluster.sending(node);
        snapshot.host(node, LinkSource.MEASURED, capacity, rx, tx, sequence, nowMs);
        snapshot.storage(node, cluster.usedFraction(node));
      }
    }
    return snapshot.build();
  }
}
