package org.rackweave.sim.cluster;

import java.util.Arrays;
import org.rackweave.model.PowerState;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.PowerSpec;

/**
 * Keeps the machines' power states as their work and their failures demand: a processor is as busy
 * as its node has transfers, a node that is down draws nothing, one without work for long enough
 * falls asleep, and the next transfer wakes it at once. At most one look at each node is scheduled.
 */
public final class NodePower {
  private final EventLoop loop;
  private final Cluster cluster;
  private final EnergyMeter meter;
  private final double busyTransfers;
  private final long sleepAfterNanos;
  private final long[] idleSinceNanos;
  private final boolean[] isWatched;

  public NodePower(EventLoop loop, Cluster cluster, EnergyMeter meter, PowerSpec spec) {
    this.loop = loop;
    this.cluster = cluster;
    this.meter = meter;
    busyTransfers = spec.busyTransfers();
    sleepAfterNanos =
        spec.sleepAfterMs() == PowerSpec.NEVER ? Long.MAX_VALUE : SimTime.ofMs(spec.sleepAfterMs());
    int nodes = cluster.topology().nodeCount();
    idleSinceNanos = new long[nodes];
    isWatched = new boolean[nodes];
    Arrays.fill(idleSinceNanos, loop.nowNanos());
  }

  /** Begins to follow the cluster; once. */
  public void start() {
    cluster.listen(node -> meter.setState(node, PowerState.OFF), this::returned);
    cluster.listenToTransfers(this::workChanged);
    for (int node = 0; node < isWatched.length; node++) {
      watch(node);
    }
  }

  private void returned(int node) {
    meter.setState(node, PowerState.ON);
    idleSinceNanos[node] = loop.nowNanos();
    watch(node);
  }

  private int transfers(int node) {
    return cluster.readers(node) + cluster.writers(node);
  }

  private void workChanged(int node) {
    int transfers = transfers(node);
    meter.setLoad(node, transfers / busyTransfers);
    if (transfers == 0) {
      idleSinceNanos[node] = loop.nowNanos();
      watch(node);
    } else if (meter.state(node) == PowerState.STANDBY) {
      meter.setState(node, PowerState.ON);
    }
  }

  /** Looks at a node again when it may have been idle for long enough. */
  private void watch(int node) {
    if (sleepAfterNanos != Long.MAX_VALUE && !isWatched[node]) {
      isWatched[node] = true;
      loop.at(idleSinceNanos[node] + sleepAfterNanos, () -> look(node));
    }
  }

  private void look(int node) {
    isWatched[node] = false;
    if (transfers(node) > 0 || meter.state(node) != PowerState.ON) {
      return;
    }
    if (loop.nowNanos() - idleSinceNanos[node] >= sleepAfterNanos) {
      meter.setState(node, PowerState.STANDBY);
    } else {
      watch(node);
    }
  }
}
