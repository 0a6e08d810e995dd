package org.rackweave.hdfs.dayu;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Blocks that stock HDFS is to see to: it gets them as many at a time and as often as it takes
 * blocks by itself, all others before the same again. Single-threaded.
 */
final class StocksShare {
  /** For how long a block whose copy stood still is stock's. */
  static final long STOOD_STILL_MS = TimeUnit.HOURS.toMillis(1);

  private static final int STOOD_STILL_MAX = 10_000;

  private final ReconstructionQueue queue;
  private final RecoveryCounts counts;
  private final long intervalMs;

  /** In the order of their turns. */
  private Map<Long, WaitingBlock> waiting = new LinkedHashMap<>();

  /** Of those that were left last, the ones that had their turn since all had it. */
  private final Set<Long> served = new HashSet<>();

  /** Those that no plan leaves. */
  private final Map<Long, WaitingBlock> refusedTwice = new LinkedHashMap<>();

  /** When blocks are planned again, by block. */
  private final Map<Long, Long> stoodStill =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > STOOD_STILL_MAX;
        }
      };

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
    Map<Long, WaitingBlock> all = new LinkedHashMap<>(refusedTwice);
    left.forEach(block -> all.put(block.id(), block));
    served.retainAll(all.keySet());
    if (served.size() == all.size()) {
      served.clear();
    }
    waiting = all;
    waiting.keySet().removeAll(served);
  }

  /** Adds what HDFS has refused twice in a row to schedule. */
  void refused(Set<Long> now, List<WaitingBlock> blocks) {
    Set<Long> twice = new HashSet<>(now);
    twice.retainAll(refusedLast);
    if (!twice.isEmpty()) {
      counts.left(LeftReason.REFUSED, twice.size());
      for (WaitingBlock block : blocks) {
        if (twice.contains(block.id())) {
          refusedTwice.put(block.id(), block);
          waiting.put(block.id(), block);
        }
      }
    }
    refusedLast = now;
  }

  /** Says that a block's copy stood still, and was ended. */
  void stoodStill(long blockId, long nowMs) {
    stoodStill.remove(blockId);
    stoodStill.put(blockId, nowMs + STOOD_STILL_MS);
  }

  /** Whether a block is not to be planned: what its links are said to carry may not be true. */
  boolean isStocks(WaitingBlock block, long nowMs) {
    Long untilMs = stoodStill.get(block.id());
    return untilMs != null && nowMs < untilMs;
  }

  /** Gives stock a part, if it is time. */
  void serve(long nowMs) {
    if (waiting.isEmpty() || nowMs - servedMs < intervalMs) {
      return;
    }
    servedMs = nowMs;
    List<WaitingBlock> part = waiting.values().stream().limit(queue.batchSize()).toList();
    for (WaitingBlock block : part) {
      waiting.remove(block.id());
      refusedTwice.remove(block.id());
      served.add(block.id());
    }
    counts.handedOver(queue.leaveToStock(part));
  }

  void forget() {
    waiting = new LinkedHashMap<>();
    served.clear();
    refusedTwice.clear();
    stoodStill.clear();
    refusedLast = Set.of();
  }
}
