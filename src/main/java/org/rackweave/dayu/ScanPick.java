package org.rackweave.dayu;

/**
 * G1: every node is looked at for every task (section 5, CAR and PPR). O(nodes) a task. The
 * plainest of all, which the others are tested and measured against.
 */
final class ScanPick implements NodePick {
  private final SlotLoads loads;
  private final DestinationRules rules;

  ScanPick(SlotLoads loads, DestinationRules rules) {
    this.loads = loads;
    this.rules = rules;
  }

  @Override
  public int source(int task) {
    return loads.leastUsedSource(task);
  }

  /** Rules are asked only of nodes that would be better than the best so far. */
  @Override
  public int destination(int task, int source) {
    double[] in = loads.in;
    double[] secPerByte = loads.inSecPerByte;
    double size = loads.bytes[task];
    int best = SlotLoads.NONE;
    double bestSec = Double.POSITIVE_INFINITY;
    for (int node = 0; node < in.length; node++) {
      if ((size + in[node]) * secPerByte[node] < bestSec) {
        double sec = loads.inSec(source, node, size);
        if (sec < bestSec && rules.admits(task, node)) {
          bestSec = sec;
          best = node;
        }
      }
    }
    return best;
  }
}
