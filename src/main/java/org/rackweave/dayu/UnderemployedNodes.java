package org.rackweave.dayu;

import java.util.Arrays;

/**
 * Nodes with much idle bandwidth and few chunks to offer (section 4.2): the first beta of the nodes
 * by outgoing bandwidth, falling, that are also among the first beta by bytes in common with the
 * failed nodes, rising. They are asked first for what they have, or they would stay idle.
 *
 * <p>O(nodes log nodes + replicas). Of equal nodes those with lower numbers are taken.
 */
final class UnderemployedNodes {
  private final SlotLoads loads;
  private final boolean[] underemployed;
  private final int count;

  /**
   * @param beta share of the nodes taken from either end; 0 for none
   */
  UnderemployedNodes(SlotLoads loads, double beta) {
    this.loads = loads;
    int nodes = loads.rackOf.length;
    underemployed = new boolean[nodes];
    int first = (int) (beta * nodes);
    if (first == 0) {
      count = 0;
      return;
    }
    double[] common = commonBytes(loads.batch, nodes);
    double[] slowness = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      // Nodes without a chunk cannot be helped and would take the place of those that can.
      boolean asked = common[node] > 0;
      common[node] = asked ? common[node] : Double.POSITIVE_INFINITY;
      slowness[node] = asked ? -loads.snapshot.outBytesPerSec(node) : Double.POSITIVE_INFINITY;
    }
    boolean[] fewest = lowest(common, first);
    boolean[] fastest = lowest(slowness, first);
    int found = 0;
    for (int node = 0; node < nodes; node++) {
      underemployed[node] =
          fewest[node] && fastest[node] && loads.snapshot.outBytesPerSec(node) > 0;
      found += underemployed[node] ? 1 : 0;
    }
    count = found;
  }

  /** Size of the chunks of which a node is a candidate source. */
  static double[] commonBytes(RecoveryBatch batch, int nodes) {
    double[] common = new double[nodes];
    for (int task = 0; task < batch.count(); task++) {
      for (int at = batch.firstNode(task); at < batch.standingFrom(task); at++) {
        common[batch.nodeAt(at)] += batch.sizeBytes(task);
      }
    }
    return common;
  }

  private static boolean[] lowest(double[] values, int count) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double last = sorted[count - 1];
    int below = 0;
    for (double value : values) {
      below += value < last ? 1 : 0;
    }
    int ties = count - below;
    boolean[] lowest = new boolean[values.length];
    for (int i = 0; i < values.length; i++) {
      lowest[i] = values[i] < last || values[i] == last && ties-- > 0;
    }
    return lowest;
  }

  int count() {
    return count;
  }

  boolean contains(int node) {
    return underemployed[node];
  }

  /** The least utilised underemployed source of a task, or NONE when it has none. */
  int leastUsedSource(int task) {
    int best = SlotLoads.NONE;
    if (count > 0) {
      double bestSec = Double.POSITIVE_INFINITY;
      RecoveryBatch batch = loads.batch;
      for (int at = batch.firstNode(task); at < batch.standingFrom(task); at++) {
        int node = batch.nodeAt(at);
        if (underemployed[node] && loads.outSec(node, loads.bytes[task]) < bestSec) {
          bestSec = loads.outSec(node, loads.bytes[task]);
          best = node;
        }
      }
    }
    return best;
  }
}
