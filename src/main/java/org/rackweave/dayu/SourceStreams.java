package org.rackweave.dayu;

import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What sources make of their copies: a DataNode makes some at a time, in the order in which it was
 * told of them, and lets others wait.
 *
 * <p><b>What would only wait is left to a later plan.</b> It could go nowhere else then, however
 * crowded its way becomes; where plans follow one another sooner than slots, the next one still
 * knows better where to. Of equal priority those into crowded nodes are left first.
 *
 * <p><b>What waits takes no bandwidth</b>; that is for those that go. When one of them is done, its
 * source gives what it had to another before the next plan.
 *
 * <p>O(tasks log tasks).
 */
final class SourceStreams {
  /** Sources make any number of copies at a time. */
  static final int UNLIMITED = Integer.MAX_VALUE;

  /** One in so many more waits, to begin as soon as another is done. */
  private static final int SPARE = 4;

  private final SlotLoads loads;
  private final RecoveryBatch batch;
  private final int streams;
  private final int most;

  /**
   * @param streams copies that a source makes at a time
   */
  SourceStreams(SlotLoads loads, int streams) {
    this.loads = loads;
    this.streams = streams;
    batch = loads.batch;
    most = Math.addExact(streams, Math.max(1, streams / SPARE));
  }

  /** Leaves new copies of sources that have enough to do. */
  void leaveExcess() {
    int[] copies = new int[batch.nodeCount()];
    for (int task = 0; task < batch.count(); task++) {
      if (loads.source[task] != SlotLoads.NONE && loads.verdict(task) != Verdict.PLANNED) {
        copies[loads.source[task]]++;
      }
    }
    IntStream.range(0, batch.count())
        .filter(task -> loads.verdict(task) == Verdict.PLANNED)
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer task) -> batch.priority(task))
                .thenComparing(task -> loads.snapshot.isCrowded(loads.destination[task])))
        .forEach(
            task -> {
              if (++copies[loads.source[task]] > most) {
                loads.leaveNew(task, Verdict.SOURCE_SATURATED);
              }
            });
  }

  /** Copies of the plan that wait at their sources for others to end. */
  BitSet waiting() {
    int[] going = new int[batch.nodeCount()];
    BitSet waiting = new BitSet(batch.count());
    IntStream.range(0, batch.count())
        .filter(task -> loads.verdict(task).transfers())
        .boxed()
        .sorted(Comparator.comparingInt(this::turn).thenComparingInt(batch::priority))
        .forEach(task -> waiting.set(task, ++going[loads.source[task]] > streams));
    return waiting;
  }

  /** Those that go, those that their source has been told of, those that it will be told of. */
  private int turn(int task) {
    if (loads.verdict(task) != Verdict.KEPT) {
      return 2;
    }
    return batch.rateBytesPerSec(task) > 0 ? 0 : 1;
  }
}
