package org.rackweave.dayu;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/**
 * What a slot's plan has given to nodes and rack links so far: the paper's c_in and c_out (table 1)
 * and the same of rack links. Mutable, lives as long as one planning, single-threaded.
 *
 * <p>A copy uses the links of racks only when it crosses them. Utilisation is the paper's: the
 * seconds a link takes for what it was given and one more task, (s + c) / B.
 */
final class SlotLoads {
  static final int NONE = RecoveryBatch.NONE;

  /** A load that is full but for rounding is full. */
  private static final double ROUNDING = 1 + 1e-9;

  private static final Verdict[] VERDICTS = Verdict.values();

  final RecoverySnapshot snapshot;
  final RecoveryBatch batch;
  final ClusterTopology topology;
  final double slotSec;
  final int[] rackOf;

  final double[] out;
  final double[] in;
  final double[] rackOut;
  final double[] rackIn;

  /** 1 / B: infinite where there is no bandwidth, 0 where there is no limit. */
  final double[] outSecPerByte;

  final double[] inSecPerByte;
  final double[] rackOutSecPerByte;
  final double[] rackInSecPerByte;

  /** Room by storage type and node; 0 for nodes that are not to be destinations. */
  final long[][] freeBytes;

  private final int[] crowded;

  /** Room of crowded nodes while they are spared. */
  private final long[][] sparedBytes;

  final int[] source;
  final int[] destination;

  /** What a task moves in this slot. */
  final double[] bytes;

  /** Ordinal of each task's verdict plus one, 0 while it has none. */
  private final byte[] verdict;

  private final double limitBytes;
  private double plannedBytes;

  SlotLoads(RecoverySnapshot snapshot, RecoveryBatch batch, double slotSec) {
    this.snapshot = snapshot;
    this.batch = batch;
    this.slotSec = slotSec;
    topology = snapshot.topology();
    int nodes = topology.nodeCount();
    int racks = topology.rackCount();
    rackOf = new int[nodes];
    out = new double[nodes];
    in = new double[nodes];
    outSecPerByte = new double[nodes];
    inSecPerByte = new double[nodes];
    freeBytes = new long[snapshot.storageTypes()][nodes];
    for (int node = 0; node < nodes; node++) {
      rackOf[node] = topology.rackOf(node);
      outSecPerByte[node] = 1 / snapshot.outBytesPerSec(node);
      inSecPerByte[node] = 1 / snapshot.inBytesPerSec(node);
      for (int type = 0; type < freeBytes.length; type++) {
        freeBytes[type][node] = snapshot.acceptsReplicas(node) ? snapshot.freeBytes(type, node) : 0;
      }
    }
    crowded = IntStream.range(0, nodes).filter(snapshot::isCrowded).toArray();
    sparedBytes = new long[freeBytes.length][crowded.length];
    rackOut = new double[racks];
    rackIn = new double[racks];
    rackOutSecPerByte = new double[racks];
    rackInSecPerByte = new double[racks];
    for (int rack = 0; rack < racks && racks > 1; rack++) {
      rackOutSecPerByte[rack] = 1 / snapshot.rackOutBytesPerSec(rack);
      rackInSecPerByte[rack] = 1 / snapshot.rackInBytesPerSec(rack);
    }
    source = new int[batch.count()];
    destination = new int[batch.count()];
    bytes = new double[batch.count()];
    verdict = new byte[batch.count()];
    Arrays.fill(source, NONE);
    Arrays.fill(destination, NONE);
    for (int task = 0; task < batch.count(); task++) {
      bytes[task] = batch.sizeBytes(task);
    }
    limitBytes = snapshot.slotBytes(slotSec);
  }

  /**
   * Closes crowded nodes, which is undone by {@link #openCrowded}. A copy into one takes what
   * others want, and is slow. That cannot be helped where the only source is crowded; of
   * destinations there are many.
   */
  void spareCrowded() {
    for (int type = 0; type < freeBytes.length; type++) {
      for (int i = 0; i < crowded.length; i++) {
        sparedBytes[type][i] += freeBytes[type][crowded[i]];
        freeBytes[type][crowded[i]] = 0;
      }
    }
  }

  void openCrowded() {
    for (int type = 0; type < freeBytes.length; type++) {
      for (int i = 0; i < crowded.length; i++) {
        freeBytes[type][crowded[i]] += sparedBytes[type][i];
        sparedBytes[type][i] = 0;
      }
    }
  }

  boolean fitsSlot(double sec) {
    return sec <= slotSec * ROUNDING;
  }

  /** Whether S (Eq. 2) leaves room for more. */
  boolean fitsBudget(double more) {
    return plannedBytes + more <= limitBytes * ROUNDING;
  }

  /** S less what was planned. */
  double budgetBytes() {
    return limitBytes - plannedBytes;
  }

  double plannedBytes() {
    return plannedBytes;
  }

  boolean crosses(int from, int to) {
    return rackOf[from] != rackOf[to];
  }

  /** Seconds a source and its rack's link would take with so much more. */
  double outSec(int node, double more) {
    int rack = rackOf[node];
    return Math.max(
        (more + out[node]) * outSecPerByte[node], (more + rackOut[rack]) * rackOutSecPerByte[rack]);
  }

  /** Seconds a destination, and its rack's link if it is crossed, would take with so much more. */
  double inSec(int from, int to, double more) {
    double sec = (more + in[to]) * inSecPerByte[to];
    int rack = rackOf[to];
    return rackOf[from] == rack
        ? sec
        : Math.max(sec, (more + rackIn[rack]) * rackInSecPerByte[rack]);
  }

  /** The least utilised source of a task (section 4.1), or NONE when none has bandwidth. */
  int leastUsedSource(int task) {
    return leastUsedSource(task, NONE);
  }

  /** The same but for one node. */
  int leastUsedSource(int task, int except) {
    int best = NONE;
    double bestSec = Double.POSITIVE_INFINITY;
    for (int at = batch.firstNode(task); at < batch.standingFrom(task); at++) {
      int node = batch.nodeAt(at);
      double sec = outSec(node, bytes[task]);
      if (sec < bestSec && node != except) {
        bestSec = sec;
        best = node;
      }
    }
    return best;
  }

  /** Whether a task has a source with any bandwidth. */
  boolean hasSource(int task) {
    for (int at = batch.firstNode(task); at < batch.standingFrom(task); at++) {
      if (outSecPerByte[batch.nodeAt(at)] < Double.POSITIVE_INFINITY) {
        return true;
      }
    }
    return false;
  }

  Verdict verdict(int task) {
    return verdict[task] == 0 ? null : VERDICTS[verdict[task] - 1];
  }

  /** Whether a copy under way is held up; one that begins anew has not been yet. */
  boolean isHeldUp(int task) {
    return batch.isHeldUp(task) && verdict(task) == Verdict.KEPT;
  }

  /** Whether others crowd the node that a copy under way goes to, and not the one it is from. */
  boolean isCrowdedOnlyThere(int task) {
    return snapshot.isCrowded(batch.runningTo(task))
        && !snapshot.isCrowdedOut(batch.runningFrom(task));
  }

  void leave(int task, Verdict why) {
    verdict[task] = (byte) (why.ordinal() + 1);
  }

  /** Gives a task its nodes and them its bytes. */
  void assign(int task, int from, int to, Verdict how) {
    source[task] = from;
    destination[task] = to;
    addOut(from, bytes[task]);
    addIn(from, to, bytes[task]);
    if (!crosses(from, to)) {
      rackOut[rackOf[from]] -= bytes[task];
    }
    count(task, how);
  }

  /** Books what {@link #assign} books besides loads: space, S and the verdict. */
  void count(int task, Verdict how) {
    if (how == Verdict.PLANNED || how == Verdict.RESTARTED) {
      freeBytes[batch.storageType(task)][destination[task]] -= batch.sizeBytes(task);
    }
    plannedBytes += bytes[task];
    leave(task, how);
  }

  /**
   * Books new tasks whose source sends them already and whose destination is chosen.
   *
   * @param tasks of which those from {@code from} to {@code to} are booked, if they have one
   * @return how many had
   */
  int receive(int[] tasks, int from, int to) {
    byte planned = (byte) (Verdict.PLANNED.ordinal() + 1);
    double sum = 0;
    int booked = 0;
    for (int i = from; i < to; i++) {
      int task = tasks[i];
      int node = destination[task];
      if (node != NONE) {
        double size = bytes[task];
        int rack = rackOf[node];
        in[node] += size;
        if (rackOf[source[task]] == rack) {
          rackOut[rack] -= size;
        } else {
          rackIn[rack] += size;
        }
        freeBytes[batch.storageType(task)][node] -= batch.sizeBytes(task);
        sum += size;
        verdict[task] = planned;
        booked++;
      }
    }
    plannedBytes += sum;
    return booked;
  }

  /** Takes back a copy under way, whose space was never booked here. */
  void release(int task) {
    int from = source[task];
    addOut(from, -bytes[task]);
    addIn(from, destination[task], -bytes[task]);
    if (!crosses(from, destination[task])) {
      rackOut[rackOf[from]] += bytes[task];
    }
    plannedBytes -= bytes[task];
    verdict[task] = 0;
  }

  /** Takes back a new copy. */
  void releaseNew(int task) {
    release(task);
    freeBytes[batch.storageType(task)][destination[task]] += batch.sizeBytes(task);
  }

  /** Takes back a new copy for good. */
  void leaveNew(int task, Verdict why) {
    releaseNew(task);
    source[task] = NONE;
    destination[task] = NONE;
    leave(task, why);
  }

  /** Load of a source whose destination is not known: taken to cross. */
  void addOut(int from, double more) {
    out[from] += more;
    rackOut[rackOf[from]] += more;
  }

  void addIn(int from, int to, double more) {
    in[to] += more;
    if (crosses(from, to)) {
      rackIn[rackOf[to]] += more;
    }
  }

  RecoveryPlan plan(double[] rates, double aimSec, BitSet waiting) {
    return new RecoveryPlan(this, rates, limitBytes, aimSec, waiting);
  }
}
