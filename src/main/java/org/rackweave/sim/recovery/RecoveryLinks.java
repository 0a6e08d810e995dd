package org.rackweave.sim.recovery;

import java.util.Arrays;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.scenario.ClusterSpec;
import org.rackweave.sim.scenario.RecoverySpec;

/**
 * The links a copy may use, numbered through: nodes out, nodes in, racks out, racks in. A rack's
 * link is one only where it carries less than its nodes together. Immutable.
 */
public final class RecoveryLinks {
  /** So far nobody minds where replicas find room. */
  private static final long ROOM_BYTES = 1L << 60;

  private final ClusterTopology topology;
  private final int failed;
  private final double crossing;
  private final RecoveryBandwidth bandwidth;
  private final RecoveryBandwidth rackBandwidth;
  private final double[] total;
  private final double[] least;
  private final boolean racksNarrow;

  /**
   * @param failed node that is gone
   * @param bandwidth what of a node's link recovery may use (Eq. 1)
   * @param crossing share of a node's foreground that crosses its rack's link, 0 to 1
   */
  public RecoveryLinks(
      ClusterTopology topology,
      ClusterSpec spec,
      int failed,
      RecoveryBandwidth bandwidth,
      double crossing) {
    this.topology = topology;
    this.failed = failed;
    this.crossing = crossing;
    this.bandwidth = bandwidth;
    int nodes = topology.nodeCount();
    int racks = topology.rackCount();
    double ofNode = spec.hostLinkBytesPerSec();
    total = new double[2 * (nodes + racks)];
    Arrays.fill(total, 0, 2 * nodes, ofNode);
    total[out(failed)] = 0;
    total[in(failed)] = 0;
    boolean narrow = false;
    double narrowest = Double.POSITIVE_INFINITY;
    for (int rack = 0; rack < racks; rack++) {
      double ofNodes = ofNode * topology.rackSize(rack);
      double link =
          spec.rackLinkBytesPerSec() > 0
              ? spec.rackLinkBytesPerSec()
              : ofNodes / spec.oversubscription();
      boolean isNarrow = link < ofNodes && racks > 1;
      narrow |= isNarrow;
      total[rackOut(rack)] = isNarrow ? link : Double.POSITIVE_INFINITY;
      total[rackIn(rack)] = total[rackOut(rack)];
      narrowest = Math.min(narrowest, link / ofNode);
    }
    racksNarrow = narrow;
    rackBandwidth = bandwidth.ofShared(narrowest);
    least = new double[total.length];
    for (int link = 0; link < total.length; link++) {
      boolean isLink = total[link] < Double.POSITIVE_INFINITY;
      least[link] = isLink ? rule(link).of(total[link], total[link]) : total[link];
    }
  }

  private RecoveryBandwidth rule(int link) {
    return link < 2 * topology.nodeCount() ? bandwidth : rackBandwidth;
  }

  public ClusterTopology topology() {
    return topology;
  }

  int failed() {
    return failed;
  }

  int count() {
    return total.length;
  }

  /** Links of nodes come before those of racks. */
  int ofNodes() {
    return 2 * topology.nodeCount();
  }

  int out(int node) {
    return node;
  }

  int in(int node) {
    return topology.nodeCount() + node;
  }

  int rackOut(int rack) {
    return 2 * topology.nodeCount() + rack;
  }

  int rackIn(int rack) {
    return 2 * topology.nodeCount() + topology.rackCount() + rack;
  }

  boolean racksNarrow() {
    return racksNarrow;
  }

  /** What a link carries, bytes per second: 0 at the failed node, infinite where nothing limits. */
  double total(int link) {
    return total[link];
  }

  /** What recovery may use of a link by Eq. 1, given what others send over it. */
  double allowed(int link, double foreground) {
    return total[link] < Double.POSITIVE_INFINITY
        ? rule(link).of(total[link], foreground)
        : total[link];
  }

  /**
   * What a link carries for recovery.
   *
   * @param wanted by recovery, bytes per second
   */
  double left(int link, double foreground, double wanted, RecoverySpec.Contention contention) {
    double rest = Math.max(0, total[link] - foreground);
    if (wanted <= rest) {
      return rest;
    }
    return switch (contention) {
      case FOREGROUND_FIRST -> rest;
      case MINIMUM_FIRST -> Math.max(rest, least[link]);
      case PROPORTIONAL ->
          wanted < Double.POSITIVE_INFINITY
              ? total[link] * (wanted / (wanted + foreground))
              : total[link];
    };
  }

  /** Books a node's foreground on its links and the share that crosses on its rack's. */
  void addForeground(double[] loads, int node, double inBytesPerSec, double outBytesPerSec) {
    if (node == failed) {
      return;
    }
    loads[in(node)] += inBytesPerSec;
    loads[out(node)] += outBytesPerSec;
    int rack = topology.rackOf(node);
    loads[rackIn(rack)] += crossing * inBytesPerSec;
    loads[rackOut(rack)] += crossing * outBytesPerSec;
  }

  /** What a planner is told of links with this foreground. */
  RecoverySnapshot snapshot(double[] foreground) {
    RecoverySnapshot.Builder builder = builder();
    for (int node = 0; node < topology.nodeCount(); node++) {
      if (node != failed) {
        builder.node(
            node,
            allowed(in(node), foreground[in(node)]),
            allowed(out(node), foreground[out(node)]));
      }
    }
    for (int rack = 0; rack < topology.rackCount() && racksNarrow; rack++) {
      builder.rack(
          rack,
          allowed(rackIn(rack), foreground[rackIn(rack)]),
          allowed(rackOut(rack), foreground[rackOut(rack)]));
    }
    return builder.build();
  }

  /** The same bandwidth for every node, whatever the foreground. */
  RecoverySnapshot snapshotOf(double bytesPerSec) {
    RecoverySnapshot.Builder builder = builder();
    for (int node = 0; node < topology.nodeCount(); node++) {
      if (node != failed) {
        builder.node(node, bytesPerSec, bytesPerSec);
      }
    }
    return builder.build();
  }

  private RecoverySnapshot.Builder builder() {
    return new RecoverySnapshot.Builder(topology, 1)
        .freeEverywhere(0, ROOM_BYTES)
        .accepts(failed, false);
  }
}
