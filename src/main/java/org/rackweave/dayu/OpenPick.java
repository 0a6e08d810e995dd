package org.rackweave.dayu;

import java.util.random.RandomGenerator;

/**
 * The next node with room, for what is left when nearly all nodes are full: which of them is least
 * utilised makes no difference within the slot then. Nodes without room for the smallest block are
 * looked at once. A task gives up after {@value #TRIES} nodes.
 */
final class OpenPick implements NodePick {
  private static final int TRIES = 256;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final double smallest;
  private final int[] open;
  private int opens;
  private int at;

  OpenPick(SlotLoads loads, DestinationRules rules, double smallest, RandomGenerator random) {
    this.loads = loads;
    this.rules = rules;
    this.smallest = smallest;
    int nodes = loads.rackOf.length;
    open = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      int other = random.nextInt(node + 1);
      open[node] = open[other];
      open[other] = node;
    }
    opens = nodes;
  }

  @Override
  public int source(int task) {
    return loads.leastUsedSource(task);
  }

  @Override
  public int destination(int task, int source) {
    double size = loads.bytes[task];
    for (int tries = 0; tries < TRIES && opens > 0; ) {
      at = at < opens ? at : 0;
      int node = open[at];
      if (!loads.fitsSlot((smallest + loads.in[node]) * loads.inSecPerByte[node])) {
        open[at] = open[--opens];
        continue;
      }
      at++;
      tries++;
      if (loads.fitsSlot(loads.inSec(source, node, size)) && rules.admits(task, node)) {
        return node;
      }
    }
    return SlotLoads.NONE;
  }
}
