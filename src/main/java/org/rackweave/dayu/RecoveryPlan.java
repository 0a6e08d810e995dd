package org.rackweave.dayu;

import java.util.BitSet;

/**
 * What happens to every task of a batch in one slot, immutable. Tasks have their numbers of the
 * batch.
 */
public final class RecoveryPlan {
  private final int[] source;
  private final int[] destination;
  private final double[] bytes;
  private final double[] rates;
  private final Verdict[] verdict;
  private final int[] counts = new int[Verdict.values().length];
  private final double plannedBytes;
  private final double slotBytes;
  private final double sourceSec;
  private final double destinationSec;
  private final double aimSec;
  private final BitSet waiting;

  RecoveryPlan(SlotLoads loads, double[] rates, double slotBytes, double aimSec, BitSet waiting) {
    this.aimSec = aimSec;
    this.waiting = waiting;
    source = loads.source;
    destination = loads.destination;
    bytes = loads.bytes;
    this.rates = rates;
    verdict = new Verdict[loads.batch.count()];
    this.slotBytes = slotBytes;
    plannedBytes = loads.plannedBytes();
    for (int task = 0; task < verdict.length; task++) {
      verdict[task] = loads.verdict(task);
      counts[verdict[task].ordinal()]++;
    }
    sourceSec =
        Math.max(
            longest(loads.out, loads.outSecPerByte),
            longest(loads.rackOut, loads.rackOutSecPerByte));
    destinationSec =
        Math.max(
            longest(loads.in, loads.inSecPerByte), longest(loads.rackIn, loads.rackInSecPerByte));
  }

  private static double longest(double[] load, double[] secPerByte) {
    double sec = 0;
    for (int link = 0; link < load.length; link++) {
      if (load[link] > 0) {
        sec = Math.max(sec, load[link] * secPerByte[link]);
      }
    }
    return sec;
  }

  /** Number of tasks. */
  public int count() {
    return verdict.length;
  }

  public Verdict verdict(int task) {
    return verdict[task];
  }

  /** Whether a task moves bytes by this plan. */
  public boolean transfers(int task) {
    return verdict[task].transfers();
  }

  /** Whether a task has no rate until another of its source is done. */
  public boolean waits(int task) {
    return waiting.get(task);
  }

  /** Where a task reads, or {@link RecoveryBatch#NONE} when it does not transfer. */
  public int source(int task) {
    return transfers(task) ? source[task] : RecoveryBatch.NONE;
  }

  /** Where a task writes, or {@link RecoveryBatch#NONE} when it does not transfer. */
  public int destination(int task) {
    return transfers(task) ? destination[task] : RecoveryBatch.NONE;
  }

  /** Rate of a task, bytes per second, or 0 when it does not transfer. */
  public double rateBytesPerSec(int task) {
    return transfers(task) ? rates[task] : 0;
  }

  /** What a task is to move in the slot; of a block larger than a slot the part that fits. */
  public double bytes(int task) {
    return transfers(task) ? bytes[task] : 0;
  }

  /** Number of tasks with a verdict. */
  public int count(Verdict of) {
    return counts[of.ordinal()];
  }

  /** Bytes that move in the slot. */
  public double plannedBytes() {
    return plannedBytes;
  }

  /**
   * Seconds from the slot's beginning by which its copies should be done: the slot's length, or
   * less where all that is left takes less. What is not done by then is worth a plan before the
   * next report, with such copies marked as overdue.
   */
  public double aimSec() {
    return aimSec;
  }

  /** S of the slot (Eq. 2). */
  public double slotBytes() {
    return slotBytes;
  }

  /** Seconds until the last source, or rack link out, has sent what it was given. */
  public double sourceSec() {
    return sourceSec;
  }

  /** Seconds until the last destination, or rack link in, has got what it was given. */
  public double destinationSec() {
    return destinationSec;
  }
}
