package org.rackweave.dayu;

/**
 * Sources for many tasks at once.
 *
 * <p><b>Goal.</b> The last source is done as soon as it can be. A task has two or three candidates,
 * so this is a flow problem, and its fractional optimum is the {@link IdealMakespan}.
 *
 * <p><b>Algorithm.</b> Tasks of underemployed nodes go there (section 4.2). The others take their
 * least utilised candidate, one after another (section 4.1); greedy alone ends 10 to 40 % over the
 * optimum, because early tasks did not know of later ones. Then the tasks are gone through again,
 * up to {@value #SWEEPS} times: one whose source is busier than the average moves to a candidate
 * that would be less busy with it than the source is now. Each move lowers the busier of two nodes,
 * so sweeps end; what is left after three is 1 to 4 % over the optimum.
 *
 * <p>Example (section 4.2): A with 50 MB/s can send tasks 1 and 2, B with 60 MB/s can send 1 to 4.
 * Greedy gives 1 to B, 2 to A and 3 to B; 4 has only B. In the sweep 1 moves to A.
 *
 * <p>O(tasks x candidates) a sweep.
 */
final class BalancedSources {
  private static final int SWEEPS = 3;

  /** What later sweeps take for no busier than the average. */
  private static final double ABOUT = 1.005;

  /** A sweep that moved less than one task in so many was the last. */
  private static final int RARE = 2_000;

  private final SlotLoads loads;
  private final UnderemployedNodes underemployed;
  private final boolean racksNarrow;
  private final double bandwidth;

  BalancedSources(SlotLoads loads, UnderemployedNodes underemployed) {
    this.loads = loads;
    this.underemployed = underemployed;
    double sum = 0;
    boolean narrow = false;
    for (int rack = 0; rack < loads.rackOut.length; rack++) {
      double ofNodes = 0;
      int end = loads.topology.firstNode(rack + 1);
      for (int node = loads.topology.firstNode(rack); node < end; node++) {
        ofNodes += loads.snapshot.outBytesPerSec(node);
      }
      double secPerByte = loads.rackOutSecPerByte[rack];
      narrow |= ofNodes * secPerByte > 1;
      sum += secPerByte == 0 ? ofNodes : Math.min(ofNodes, 1 / secPerByte);
    }
    racksNarrow = narrow;
    bandwidth = sum;
  }

  /** Gives the first {@code count} tasks a source and books what it sends. */
  void assign(int[] tasks, int count) {
    if (racksNarrow) {
      assignWithRacks(tasks, count);
      return;
    }
    double[] before = loads.out.clone();
    prioritise(tasks, count);
    for (int i = 0; i < count; i++) {
      if (loads.source[tasks[i]] == SlotLoads.NONE) {
        int best = leastUtilised(tasks[i]);
        loads.source[tasks[i]] = best;
        loads.out[best] += loads.bytes[tasks[i]];
      }
    }
    double level = sum(loads.out) / bandwidth;
    int moved = count;
    for (int sweep = 0; sweep < SWEEPS && moved * (long) RARE > count; sweep++) {
      moved = sweep(tasks, count, sweep == 0 ? level : level * ABOUT);
    }
    for (int node = 0; node < before.length; node++) {
      loads.rackOut[loads.rackOf[node]] += loads.out[node] - before[node];
    }
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  private void prioritise(int[] tasks, int count) {
    for (int i = 0; i < count && underemployed.count() > 0; i++) {
      int task = tasks[i];
      int node = underemployed.leastUsedSource(task);
      if (node != SlotLoads.NONE && loads.fitsSlot(loads.outSec(node, loads.bytes[task]))) {
        loads.source[task] = node;
        loads.out[node] += loads.bytes[task];
      }
    }
  }

  private int leastUtilised(int task) {
    RecoveryBatch batch = loads.batch;
    double size = loads.bytes[task];
    int at = batch.firstNode(task);
    int end = batch.standingFrom(task);
    int best = batch.nodeAt(at);
    if (end - at == 2) {
      // Most blocks have two replicas left, and a choice without a branch is never mispredicted.
      int other = batch.nodeAt(at + 1);
      return sec(other, size) < sec(best, size) ? other : best;
    }
    double bestSec = sec(best, size);
    for (at++; at < end; at++) {
      int node = batch.nodeAt(at);
      if (sec(node, size) < bestSec) {
        bestSec = sec(node, size);
        best = node;
      }
    }
    return best;
  }

  private double sec(int node, double more) {
    return (more + loads.out[node]) * loads.outSecPerByte[node];
  }

  private int sweep(int[] tasks, int count, double levelSec) {
    double[] out = loads.out;
    int moved = 0;
    for (int i = 0; i < count; i++) {
      int task = tasks[i];
      int from = loads.source[task];
      double size = loads.bytes[task];
      int other = leastUtilisedBut(from, task);
      double sec = sec(from, 0);
      // Both are asked at once: half of the sources are over the level, but few tasks move.
      if (sec > levelSec & sec(other, size) < sec) {
        out[from] -= size;
        out[other] += size;
        loads.source[task] = other;
        moved++;
      }
    }
    return moved;
  }

  /** The node itself when there is no other. */
  private int leastUtilisedBut(int node, int task) {
    RecoveryBatch batch = loads.batch;
    int at = batch.firstNode(task);
    int end = batch.standingFrom(task);
    if (end - at == 2) {
      return batch.nodeAt(at) + batch.nodeAt(at + 1) - node;
    }
    int best = node;
    double bestSec = Double.POSITIVE_INFINITY;
    for (; at < end; at++) {
      int other = batch.nodeAt(at);
      if (other != node && sec(other, loads.bytes[task]) < bestSec) {
        bestSec = sec(other, loads.bytes[task]);
        best = other;
      }
    }
    return best;
  }

  /** The same where a rack's link may be what takes longest. */
  private void assignWithRacks(int[] tasks, int count) {
    for (int i = 0; i < count; i++) {
      int node = underemployed.leastUsedSource(tasks[i]);
      boolean first =
          node != SlotLoads.NONE && loads.fitsSlot(loads.outSec(node, loads.bytes[tasks[i]]));
      loads.source[tasks[i]] = first ? node : SlotLoads.NONE;
      if (first) {
        loads.addOut(node, loads.bytes[tasks[i]]);
      }
    }
    for (int i = 0; i < count; i++) {
      int task = tasks[i];
      if (loads.source[task] == SlotLoads.NONE) {
        int node = loads.leastUsedSource(task);
        loads.source[task] = node == SlotLoads.NONE ? leastUtilised(task) : node;
        loads.addOut(loads.source[task], loads.bytes[task]);
      }
    }
    double level = sum(loads.out) / bandwidth;
    int moved = count;
    for (int sweep = 0; sweep < SWEEPS && moved * (long) RARE > count; sweep++) {
      moved = sweepWithRacks(tasks, count, level);
    }
  }

  private int sweepWithRacks(int[] tasks, int count, double levelSec) {
    int moved = 0;
    for (int i = 0; i < count; i++) {
      int task = tasks[i];
      int from = loads.source[task];
      double sec = loads.outSec(from, 0);
      if (sec > levelSec) {
        double size = loads.bytes[task];
        loads.addOut(from, -size);
        int best = loads.leastUsedSource(task);
        boolean better = best != SlotLoads.NONE && loads.outSec(best, size) < sec;
        loads.source[task] = better ? best : from;
        loads.addOut(loads.source[task], size);
        moved += better && best != from ? 1 : 0;
      }
    }
    return moved;
  }

  /**
   * Takes from each source what it cannot send within the slot, the last tasks first.
   *
   * @return how many tasks are left, in their order
   */
  int dropExcess(int[] tasks, int count) {
    if (!anySaturated()) {
      return count;
    }
    for (int i = count - 1; i >= 0; i--) {
      int task = tasks[i];
      int from = loads.source[task];
      if (!loads.fitsSlot(loads.outSec(from, 0))) {
        loads.source[task] = SlotLoads.NONE;
        loads.addOut(from, -loads.bytes[task]);
      }
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (loads.source[tasks[i]] != SlotLoads.NONE) {
        tasks[kept++] = tasks[i];
      }
    }
    return kept;
  }

  private boolean anySaturated() {
    for (int node = 0; node < loads.out.length; node++) {
      if (loads.out[node] > 0 && !loads.fitsSlot(loads.outSec(node, 0))) {
        return true;
      }
    }
    return false;
  }
}
