package org.rackweave.dayu;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What sources make of their copies: a DataNode makes some at a time and lets others wait. The most
 * urgent go first: one that has begun waits for a more urgent one, and does not keep it out.
 *
 * <p><b>What would only wait is left to a later plan.</b> It could go nowhere else then, however
 * crowded its way becomes; where plans follow one another sooner than slots, the next one still
 * knows better where to. Of equal priority those into crowded nodes are left first.
 *
 * <p><b>Few at a time.</b> What is half done when its way becomes crowded is lost or slow, and a
 * block that is whole sooner is safe sooner. So a source makes no more at a time than it finishes
 * until what is ordered next is there, two plans later, but {@value #FEW}. Where its way out is
 * crowded already it makes as many as it may: each is one among many others there, and a few get
 * less than B_min. And one that is held up elsewhere leaves its place to another, for as long as it
 * is.
 *
 * <p><b>What waits takes no bandwidth</b>; that is for those that go. When one of them is done, its
 * source gives what it had to another before the next plan. So on a link that sources share, those
 * of one that has much to do in the slot stand for all that follows them there.
 *
 * <p>O(tasks log tasks).
 */
final class SourceStreams {
  /** Sources make any number of copies at a time. */
  static final int UNLIMITED = Integer.MAX_VALUE;

  /** One in so many more waits, to begin as soon as another is done. */
  private static final int SPARE = 4;

  /** Copies that a source makes at a time at least, if it may. */
  private static final int FEW = 4;

  /**
   * Plans from one in which a copy is not ordered to when it has begun, if the next one orders it.
   */
  private static final int PLANS_AHEAD = 3;

  private final SlotLoads loads;
  private final RecoveryBatch batch;
  private final int[] streams;

  /** Copies that a source has to make within the slot, before any is left. */
  private final int[] copies;

  /**
   * Who goes first.
   *
   * @param waiting tasks that wait at their sources
   * @param standsFor of each source, how many of its copies each one that goes stands for, at least
   *     1
   * @param areTaken whether one that goes keeps a place at its source from others
   */
  record Turns(BitSet waiting, double[] standsFor, boolean areTaken) {
    /** All go at once. */
    static Turns none(int nodes) {
      double[] one = new double[nodes];
      Arrays.fill(one, 1);
      return new Turns(new BitSet(), one, false);
    }
  }

  /**
   * @param most copies that a source makes at a time
   * @param replanSec until the next plan
   */
  SourceStreams(SlotLoads loads, int most, double replanSec) {
    this.loads = loads;
    batch = loads.batch;
    streams = new int[batch.nodeCount()];
    copies = new int[batch.nodeCount()];
    int[] heldUp = new int[batch.nodeCount()];
    for (int task = 0; task < batch.count(); task++) {
      int source = loads.source[task];
      if (source != SlotLoads.NONE) {
        copies[source]++;
        heldUp[source] += loads.isHeldUp(task) ? 1 : 0;
      }
    }
    for (int node = 0; node < streams.length; node++) {
      double finished = PLANS_AHEAD * replanSec * copies[node] / loads.outSec(node, 0);
      int needed = Math.max(FEW, (int) Math.ceil(finished)) + heldUp[node];
      streams[node] = loads.snapshot.isCrowdedOut(node) ? most : Math.min(most, needed);
    }
  }

  /** Copies that a source is told of at most. */
  private int most(int node) {
    return streams[node] + Math.max(1, streams[node] / SPARE);
  }

  /** Leaves new copies of sources that have enough to do that is as urgent, or more so. */
  void leaveExcess() {
    int[] told = new int[batch.nodeCount()];
    IntStream.range(0, batch.count())
        .filter(task -> loads.source[task] != SlotLoads.NONE)
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer task) -> batch.priority(task))
                .thenComparing(this::isNew)
                .thenComparing(task -> loads.snapshot.isCrowded(loads.destination[task])))
        .forEach(
            task -> {
              if (++told[loads.source[task]] > most(loads.source[task]) && isNew(task)) {
                loads.leaveNew(task, Verdict.SOURCE_SATURATED);
              }
            });
  }

  private boolean isNew(int task) {
    return loads.verdict(task) == Verdict.PLANNED;
  }

  /** Which copies of the plan wait at their sources for others to end, and what those stand for. */
  Turns turns() {
    int[] going = new int[batch.nodeCount()];
    BitSet waiting = new BitSet(batch.count());
    IntStream.range(0, batch.count())
        .filter(task -> loads.verdict(task).transfers())
        .boxed()
        .sorted(Comparator.comparingInt(batch::priority).thenComparingInt(this::turn))
        .forEach(
            task -> {
              int source = loads.source[task];
              waiting.set(task, ++going[source] > streams[source]);
            });
    double[] standsFor = new double[going.length];
    for (int node = 0; node < going.length; node++) {
      int goingNow = Math.max(1, Math.min(going[node], streams[node]));
      standsFor[node] = Math.max(1, (double) copies[node] / goingNow);
    }
    return new Turns(waiting, standsFor, true);
  }

  /**
   * Of equal priority those that go, those that their source has been told of, those that it will
   * be told of.
   */
  private int turn(int task) {
    if (loads.verdict(task) != Verdict.KEPT) {
      return 2;
    }
    return batch.rateBytesPerSec(task) > 0 ? 0 : 1;
  }
}
