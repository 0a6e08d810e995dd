package org.rackweave.dayu;

import java.util.Comparator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/**
 * How soon the copies of a plan could end at best. A plan's makespan is held against these. All
 * copies are taken to cross racks, as they do by the paper's rule.
 */
public final class IdealMakespan {
  private IdealMakespan() {}

  /** Bytes over the bandwidth of all destinations together: sum / sum. */
  public static double destinationSec(RecoverySnapshot snapshot, double bytes) {
    return bytes / inBytesPerSec(snapshot);
  }

  /** What all nodes can send and receive in a slot with the links of racks between them, bytes. */
  public static double slotBytes(RecoverySnapshot snapshot, double lengthSec) {
    return Math.min(inBytesPerSec(snapshot), outBytesPerSec(snapshot)) * lengthSec;
  }

  private static double inBytesPerSec(RecoverySnapshot snapshot) {
    return throughRacks(
        snapshot,
        node -> snapshot.acceptsReplicas(node) ? snapshot.inBytesPerSec(node) : 0,
        snapshot::rackInBytesPerSec);
  }

  private static double outBytesPerSec(RecoverySnapshot snapshot) {
    return throughRacks(snapshot, snapshot::outBytesPerSec, snapshot::rackOutBytesPerSec);
  }

  private static double throughRacks(
      RecoverySnapshot snapshot, IntToDoubleFunction ofNode, IntToDoubleFunction ofRack) {
    ClusterTopology topology = snapshot.topology();
    double all = 0;
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      double ofNodes =
          IntStream.range(topology.firstNode(rack), topology.firstNode(rack + 1))
              .mapToDouble(ofNode::applyAsDouble)
              .sum();
      all += Math.min(ofNodes, ofRack.applyAsDouble(rack));
    }
    return all;
  }

  /**
   * A proven lower bound of the fractional optimum for sources, in seconds. The optimum is a
   * maximum flow, which equals the heaviest cut: over all sets of nodes, the bytes that only nodes
   * of the set can send over what they send a second. Of these sets the ones a plan itself points
   * to are tried: its busiest nodes, one more at a time. O(nodes log nodes + tasks).
   *
   * @param plan whose transfers are asked about
   */
  public static double sourceSec(
      RecoverySnapshot snapshot, RecoveryBatch batch, RecoveryPlan plan) {
    int nodes = snapshot.topology().nodeCount();
    int[] busiestFirst = busiestFirst(snapshot, batch, plan);
    int[] rank = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      rank[busiestFirst[i]] = i;
    }
    double[] onlyUpTo = new double[nodes];
    for (int task = 0; task < plan.count(); task++) {
      if (plan.transfers(task)) {
        int last = 0;
        for (int at = batch.firstNode(task); at < batch.standingFrom(task); at++) {
          last = Math.max(last, rank[batch.nodeAt(at)]);
        }
        onlyUpTo[last] += plan.bytes(task);
      }
    }
    return heaviestPrefix(snapshot, busiestFirst, onlyUpTo);
  }

  private static int[] busiestFirst(
      RecoverySnapshot snapshot, RecoveryBatch batch, RecoveryPlan plan) {
    ClusterTopology topology = snapshot.topology();
    double[] sent = new double[topology.nodeCount()];
    double[] crossed = new double[topology.rackCount()];
    for (int task = 0; task < batch.count(); task++) {
      if (plan.transfers(task)) {
        sent[plan.source(task)] += plan.bytes(task);
        crossed[topology.rackOf(plan.source(task))] += plan.bytes(task);
      }
    }
    double[] sec = new double[sent.length];
    for (int node = 0; node < sent.length; node++) {
      int rack = topology.rackOf(node);
      double ofNode = sent[node] == 0 ? 0 : sent[node] / snapshot.outBytesPerSec(node);
      sec[node] = Math.max(ofNode, crossed[rack] / snapshot.rackOutBytesPerSec(rack));
    }
    return IntStream.range(0, sec.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer node) -> -sec[node]).thenComparing(i -> i))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static double heaviestPrefix(RecoverySnapshot snapshot, int[] order, double[] onlyUpTo) {
    ClusterTopology topology = snapshot.topology();
    double[] ofRack = new double[topology.rackCount()];
    double bytes = 0;
    double bandwidth = 0;
    double heaviest = 0;
    for (int i = 0; i < order.length; i++) {
      int rack = topology.rackOf(order[i]);
      double limit = snapshot.rackOutBytesPerSec(rack);
      bandwidth -= Math.min(limit, ofRack[rack]);
      ofRack[rack] += snapshot.outBytesPerSec(order[i]);
      bandwidth += Math.min(limit, ofRack[rack]);
      bytes += onlyUpTo[i];
      if (bytes > 0) {
        heaviest = Math.max(heaviest, bytes / bandwidth);
      }
    }
    return heaviest;
  }
}
