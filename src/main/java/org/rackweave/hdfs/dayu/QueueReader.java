package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * Reads the queue of blocks that wait, part by part, each under its own short lock. What was read
 * at a slot's beginning and still waits is not read again before the next: HDFS looks at every
 * block again before it orders a copy. Single-threaded.
 */
final class QueueReader {
  /** Blocks looked at in one go where most are held, by those that are read. */
  private static final int PASSED_OVER_TIMES = 4;

  private final ReconstructionQueue queue;
  private final IntSupplier blocksMax;
  private final Map<Long, WaitingBlock> known = new HashMap<>();
  private boolean isContinued;
  private boolean hasMore;
  private boolean wasMostlyHeld;

  /**
   * @param blocksMax most blocks that are remembered
   */
  QueueReader(ReconstructionQueue queue, IntSupplier blocksMax) {
    this.queue = queue;
    this.blocksMax = blocksMax;
  }

  /**
   * Reads.
   *
   * @param most blocks, but for what a part has more
   * @param isAnew whether nothing that was read before counts
   * @param holds which blocks are to wait: passed over, as far as that does not take too long
   * @param afterBatch called after every part
   * @return the blocks, the most urgent first
   */
  List<WaitingBlock> read(
      int most, boolean isAnew, Predicate<WaitingBlock> holds, Runnable afterBatch) {
    if (isAnew) {
      known.clear();
    }
    List<WaitingBlock> blocks = new ArrayList<>();
    Set<Long> read = new HashSet<>();
    if (!isContinued) {
      queue.rewind();
    }
    // Stock's monitor may take the place in the queue back to its start at any time.
    long looksLeft =
        Math.min(2L * Math.max(most, queue.waitingCount()), (long) PASSED_OVER_TIMES * most);
    int held = 0;
    int looked = Integer.MAX_VALUE;
    int size = 0;
    while (blocks.size() < most && looksLeft > 0 && looked >= size) {
      // Whole parts among those held, however few are wanted yet: each takes the lock.
      size = Math.min(queue.batchSize(), held > 0 ? most : most - blocks.size());
      ReconstructionQueue.Batch batch = queue.next(size, known);
      looked = batch.looked();
      looksLeft -= Math.max(1, looked);
      for (WaitingBlock block : batch.blocks()) {
        if (!read.add(block.id())) {
          continue;
        }
        remember(block);
        if (holds.test(block)) {
          held++;
        } else {
          blocks.add(block);
        }
      }
      afterBatch.run();
    }
    boolean isAtTheEnd = looked < size;
    hasMore = !isAtTheEnd && (blocks.size() >= most || looksLeft <= 0);
    wasMostlyHeld = held > blocks.size();
    isContinued = false;
    blocks.sort(Comparator.comparingInt(WaitingBlock::priority));
    return blocks;
  }

  private void remember(WaitingBlock block) {
    // One that nobody can send may be sent again at any time.
    if (!block.sources().isEmpty() && known.size() < blocksMax.getAsInt()) {
      known.put(block.id(), block);
    }
  }

  /** Forgets what was read. */
  void forget() {
    known.clear();
    wasMostlyHeld = false;
  }

  /** Says that something was to be done about blocks: they are not as they were. */
  void changed(List<PlannedCopy> copies) {
    copies.forEach(copy -> known.remove(copy.blockId()));
  }

  /** Whether most of what was read last is held. */
  boolean wasMostlyHeld() {
    return wasMostlyHeld;
  }

  /**
   * Says that what was read last need not be read again soon. Blocks that are held would be in the
   * way of others for as long as they are: if most were, and there is more, the next read begins
   * behind them.
   */
  void passHeld() {
    isContinued |= hasMore && wasMostlyHeld;
  }

  /**
   * Says that nothing came of what was read last: if there is more, the next read begins behind it,
   * so that blocks nothing can be done for do not keep out others.
   */
  void wasInVain() {
    isContinued |= hasMore;
  }
}
