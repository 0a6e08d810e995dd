package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Blocks that stock HDFS is to see to: it gets them as many at a time and as often as it takes
 * blocks by itself. Single-threaded.
 */
final class StocksShare {
  private final ReconstructionQueue queue;
  private final RecoveryCounts counts;
  private final long intervalMs;
  private List<WaitingBlock> waiting = new ArrayList<>();
  private Set<Long> refusedLast = Set.of();
  private long servedMs;

  /**
   * @param intervalMs rest between two looks of stock's own monitor
   */
  StocksShare(ReconstructionQueue queue, RecoveryCounts counts, long intervalMs) {
    this.queue = queue;
    this.counts = counts;
    this.intervalMs = intervalMs;
  }

  /** Replaces what waits by what the last plan left. */
  void leave(List<WaitingBlock> left) {
    waiting = new ArrayList<>(left);
  }

  /** Adds what HDFS has refused twice in a row to schedule. */
  void refused(Set<Long> now, List<WaitingBlock> blocks) {
    Set<Long> twice = new HashSet<>(now);
    twice.retainAll(refusedLast);
    if (!twice.isEmpty()) {
      counts.left(LeftReason.REFUSED, twice.size());
      blocks.stream().filter(block -> twice.contains(block.id())).forEach(waiting::add);
    }
    refusedLast = now;
  }

  /** Gives stock a part, if it is time. */
  void serve(long nowMs) {
    if (waiting.isEmpty() || nowMs - servedMs < intervalMs) {
      return;
    }
    servedMs = nowMs;
    int size = Math.min(queue.batchSize(), waiting.size());
    List<WaitingBlock> part = List.copyOf(waiting.subList(0, size));
    waiting.subList(0, size).clear();
    counts.handedOver(queue.leaveToStock(part));
  }

  void forget() {
    waiting = new ArrayList<>();
    refusedLast = Set.of();
  }
}
