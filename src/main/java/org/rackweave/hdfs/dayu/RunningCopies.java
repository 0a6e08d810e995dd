package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.List;

/**
 * Copies that HDFS has been told to make and that are not over. Changed by one thread, read by any.
 */
final class RunningCopies {
  private final ReconstructionQueue queue;
  private final RecoveryCounts counts;
  private final CopyLimits limits;
  private volatile List<RunningCopy> all = List.of();

  RunningCopies(ReconstructionQueue queue, RecoveryCounts counts, CopyLimits limits) {
    this.queue = queue;
    this.counts = counts;
    this.limits = limits;
  }

  List<RunningCopy> all() {
    return all;
  }

  void replace(List<RunningCopy> copies) {
    all = List.copyOf(copies);
  }

  /** Looks how they stand, part by part; those whose source or target is dead are taken back. */
  void settle(long term) {
    List<RunningCopy> before = all;
    if (before.isEmpty()) {
      return;
    }
    List<RunningCopy> left = new ArrayList<>(before.size());
    for (int from = 0; from < before.size(); ) {
      List<RunningCopy> part =
          before.subList(from, Math.min(before.size(), from + queue.batchSize()));
      from += part.size();
      List<PlannedCopy> copies = part.stream().map(RunningCopy::copy).toList();
      List<CopyState> states = queue.states(copies);
      List<PlannedCopy> broken = new ArrayList<>();
      for (int i = 0; i < copies.size(); i++) {
        switch (states.get(i)) {
          case UNDER_WAY -> left.add(limits.measured(part.get(i)));
          case BROKEN -> broken.add(copies.get(i));
          default -> counts.ended(copies.get(i), states.get(i));
        }
      }
      if (!broken.isEmpty()) {
        queue.release(broken, term);
        broken.forEach(copy -> counts.ended(copy, CopyState.BROKEN));
      }
    }
    replace(left);
  }
}
