package org.rackweave.dayu;

import java.util.Arrays;

/**
 * G2: the destination is the node that was given least for its bandwidth, c / B, whatever the size
 * of the task (section 5, Mirador). Nodes are the leaves of a tournament in which each inner place
 * has the lighter of two; a task asks it about the ranges between the racks and nodes that rules
 * forbid. The paper keeps a red-black tree; both are O(log nodes) a task and find the same.
 *
 * <p>A rack whose link is saturated, or lack of space, is no part of the order: where the lightest
 * node is refused for that, all are looked at.
 */
final class LightestPick implements NodePick {
  private static final int NONE = SlotLoads.NONE;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final int leaves;

  /** The winner below place {@code i}, whose children are {@code 2 i} and {@code 2 i + 1}. */
  private final int[] winner;

  private final double[] key;

  LightestPick(SlotLoads loads, DestinationRules rules) {
    this.loads = loads;
    this.rules = rules;
    int nodes = loads.rackOf.length;
    leaves = Integer.highestOneBit(Math.max(1, nodes * 2 - 1));
    winner = new int[2 * leaves];
    key = new double[nodes];
    Arrays.fill(winner, NONE);
    for (int node = 0; node < nodes; node++) {
      key[node] = keyOf(node);
      winner[leaves + node] = node;
    }
    for (int i = leaves - 1; i > 0; i--) {
      winner[i] = lighter(winner[2 * i], winner[2 * i + 1]);
    }
  }

  private double keyOf(int node) {
    boolean takes = loads.snapshot.acceptsReplicas(node) && loads.snapshot.inBytesPerSec(node) > 0;
    return takes ? loads.in[node] * loads.inSecPerByte[node] : Double.POSITIVE_INFINITY;
  }

  private int lighter(int a, int b) {
    if (a == NONE || b == NONE) {
      return a == NONE ? b : a;
    }
    return key[b] < key[a] || key[b] == key[a] && b < a ? b : a;
  }

  @Override
  public int source(int task) {
    return loads.leastUsedSource(task);
  }

  @Override
  public int destination(int task, int source) {
    int best = lightestAllowed(task);
    boolean takes =
        best != NONE
            && key[best] < Double.POSITIVE_INFINITY
            && rules.hasRoom(task, best)
            && loads.fitsSlot(loads.inSec(source, best, loads.bytes[task]));
    return takes ? best : lightestOfAll(task, source);
  }

  private int lightestAllowed(int task) {
    int from = 0;
    int best = NONE;
    while (from < key.length) {
      int to = key.length;
      int next = key.length;
      int end = loads.batch.firstNode(task + 1);
      for (int at = loads.batch.firstNode(task); at < end; at++) {
        int node = loads.batch.nodeAt(at);
        int rack = loads.rackOf[node];
        boolean whole = !rules.mayShare(task, rack);
        int first = whole ? loads.topology.firstNode(rack) : node;
        int last = whole ? loads.topology.firstNode(rack + 1) : node + 1;
        if (last > from && first < to) {
          to = Math.max(from, first);
          next = last;
        }
      }
      best = lighter(best, lightest(from, to));
      from = next;
    }
    return best;
  }

  /** The lightest of the nodes from {@code from} to {@code to}. */
  private int lightest(int from, int to) {
    int best = NONE;
    for (int low = leaves + from, high = leaves + to; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) {
        best = lighter(best, winner[low++]);
      }
      if (high % 2 == 1) {
        best = lighter(best, winner[--high]);
      }
    }
    return best;
  }

  private int lightestOfAll(int task, int source) {
    int best = NONE;
    for (int node = 0; node < key.length; node++) {
      if (key[node] < Double.POSITIVE_INFINITY
          && loads.fitsSlot(loads.inSec(source, node, loads.bytes[task]))
          && rules.admits(task, node)) {
        best = lighter(best, node);
      }
    }
    return best;
  }

  @Override
  public void placed(int destination) {
    key[destination] = keyOf(destination);
    for (int i = (leaves + destination) / 2; i > 0; i /= 2) {
      winner[i] = lighter(winner[2 * i], winner[2 * i + 1]);
    }
  }
}
