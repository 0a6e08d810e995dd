package org.rackweave.sim.traffic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.network.Flow;
import org.rackweave.sim.network.Path;
import org.rackweave.sim.workload.TimedRequest;

/**
 * Transfers with fixed ends. Those of one group, for instance a shuffle, end together with the last
 * of them. A transfer whose node fails is given up.
 */
public final class Transfers {
  private final EventLoop loop;
  private final Cluster cluster;
  private final Consumer<GroupOutcome> whenGroupEnded;
  private final Map<Long, Group> groups = new HashMap<>();
  private final Set<Running> betweenNodes = new LinkedHashSet<>();
  private int underWay;

  /**
   * A group of transfers that has ended.
   *
   * @param group its number
   * @param startedNanos when its first transfer began
   * @param endedNanos when its last one ended
   * @param sizeBytes of all together
   */
  public record GroupOutcome(long group, long startedNanos, long endedNanos, double sizeBytes) {
    public double seconds() {
      return SimTime.toSeconds(endedNanos - startedNanos);
    }
  }

  private static final class Group {
    final long startedNanos;
    double sizeBytes;
    int underWay;

    Group(long startedNanos) {
      this.startedNanos = startedNanos;
    }
  }

  /** A transfer between two nodes, which either may end by failing. */
  private static final class Running {
    final TimedRequest.Transfer transfer;
    Flow flow;

    Running(TimedRequest.Transfer transfer) {
      this.transfer = transfer;
    }
  }

  public Transfers(EventLoop loop, Cluster cluster, Consumer<GroupOutcome> whenGroupEnded) {
    this.loop = loop;
    this.cluster = cluster;
    this.whenGroupEnded = whenGroupEnded;
    cluster.listen(this::nodeFailed, node -> {});
  }

  /** Transfers under way. */
  public int underWay() {
    return underWay;
  }

  /** Bytes go from one node to another. */
  public void beginBetweenNodes(TimedRequest.Transfer transfer) {
    if (!cluster.isUp(transfer.from()) || !cluster.isUp(transfer.to())) {
      return;
    }
    Group group = join(transfer);
    Running running = new Running(transfer);
    betweenNodes.add(running);
    Path path = cluster.links().transfer(transfer.from(), transfer.to());
    running.flow =
        cluster
            .network()
            .start(
                path,
                transfer.sizeBytes(),
                () -> {
                  betweenNodes.remove(running);
                  leave(transfer.group(), group);
                });
  }

  /**
   * Bytes go from the hosts of the one node's rack to those of the other's, all alike: for traces
   * whose tasks are whole racks' tasks together.
   */
  public void beginBetweenRacks(TimedRequest.Transfer transfer) {
    ClusterTopology topology = cluster.topology();
    Group group = join(transfer);
    Path path =
        cluster
            .links()
            .betweenRacks(topology.rackOf(transfer.from()), topology.rackOf(transfer.to()));
    cluster.network().start(path, transfer.sizeBytes(), () -> leave(transfer.group(), group));
  }

  private Group join(TimedRequest.Transfer transfer) {
    Group group = groups.computeIfAbsent(transfer.group(), number -> new Group(loop.nowNanos()));
    group.sizeBytes += transfer.sizeBytes();
    group.underWay++;
    underWay++;
    return group;
  }

  private void leave(long number, Group group) {
    underWay--;
    if (--group.underWay == 0) {
      groups.remove(number);
      whenGroupEnded.accept(
          new GroupOutcome(number, group.startedNanos, loop.nowNanos(), group.sizeBytes));
    }
  }

  private void nodeFailed(int failed) {
    List<Running> hit = new ArrayList<>();
    for (Running running : betweenNodes) {
      if (running.transfer.from() == failed || running.transfer.to() == failed) {
        hit.add(running);
      }
    }
    for (Running running : hit) {
      cluster.network().cancel(running.flow);
      betweenNodes.remove(running);
      leave(running.transfer.group(), groups.get(running.transfer.group()));
    }
  }
}
