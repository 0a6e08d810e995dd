package org.rackweave.dayu;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Leaves to a later plan what would only wait at its source. A DataNode makes some copies at a time
 * and lets others wait; these can go nowhere else then, however crowded their way becomes. Where
 * plans follow one another sooner than slots, the next one still knows better where to.
 *
 * <p>Of equal priority those into crowded nodes are left first. O(tasks log tasks).
 */
final class SourceStreams {
  /** Sources make any number of copies at a time. */
  static final int UNLIMITED = Integer.MAX_VALUE;

  /** One in so many more waits, to begin as soon as another is done. */
  private static final int SPARE = 4;

  private final SlotLoads loads;
  private final long most;

  /**
   * @param streams copies that a source makes at a time
   */
  SourceStreams(SlotLoads loads, int streams) {
    this.loads = loads;
    most = streams + Math.max(1L, streams / SPARE);
  }

  /** Leaves new copies of sources that have enough to do. */
  void leaveExcess() {
    RecoveryBatch batch = loads.batch;
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
}
