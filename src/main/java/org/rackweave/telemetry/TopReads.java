package org.rackweave.telemetry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts reads of blocks in bounded memory and keeps the blocks read most.
 *
 * <p><b>Algorithm</b>: space-saving (Metwally, Agrawal, El Abbadi, ICDT 2005). At most {@code
 * tracked} blocks have a counter. A read of a block without one takes over the counter with the
 * smallest weight, and its weight goes on from there. Example with two counters: reads A A B C give
 * A weight 2 and C weight 2, because C took over B's counter at weight 1.
 *
 * <p><b>Deviation</b>: the weight decides only who stays. What is reported is the number of reads
 * seen while the block had its counter (C above: 1 read), so that a count is never too high and
 * sums over many reports add up.
 *
 * <p><b>Error</b>: with W the sum of all weights, a count is too low by at most {@link
 * #errorBound()}, the smallest weight, which is at most W / tracked; a block read more often than
 * that since the last drain is never missing.
 *
 * <p><b>Decay</b>: every drain halves all weights, so W is at most the reads since the last drain,
 * plus half of those of the drain before, and so on; a block that is no longer read leaves after a
 * few drains.
 *
 * <p>Soft state of one DataNode for one NameNode, lost with the process; about 150 bytes a counter.
 * Not thread-safe. {@link #add} takes O(log tracked).
 */
public final class TopReads {

  /** Counters kept for each block asked for: the error shrinks in proportion. */
  private static final int TRACKED_PER_REPORTED = 4;

  private static final Comparator<Counter> MOST_READ_FIRST =
      Comparator.<Counter>comparingLong(counter -> -counter.reads)
          .thenComparingLong(counter -> counter.blockId);

  private static final class Counter {
    long blockId;
    long weight;
    long reads;
    int position;
  }

  private final int reported;
  private final int tracked;
  private final Map<Long, Counter> counters = new HashMap<>();

  /** A binary heap, the smallest weight first. */
  private final List<Counter> heap = new ArrayList<>();

  /** Whether a block has lost its counter to another one since the last drain. */
  private boolean hasTakenOver;

  private long missed;

  /**
   * @param reported most blocks one {@link #drain} returns, 1 to {@link
   *     HeartbeatReport#MAX_TOP_READS}
   */
  public TopReads(int reported) {
    if (reported < 1 || reported > HeartbeatReport.MAX_TOP_READS) {
      throw new IllegalArgumentException(
          "reported must be within 1 to " + HeartbeatReport.MAX_TOP_READS + ": " + reported);
    }
    this.reported = reported;
    this.tracked = reported * TRACKED_PER_REPORTED;
  }

  /** Most blocks one {@link #drain} returns. */
  public int reported() {
    return reported;
  }

  /** Most blocks that have a counter at any time. */
  public int tracked() {
    return tracked;
  }

  /** Counts one read. */
  public void add(long blockId) {
    Counter counter = counters.get(blockId);
    if (counter == null) {
      counter = heap.size() < tracked ? newCounter() : takeOver();
      counter.blockId = blockId;
      counter.reads = 0;
      counters.put(blockId, counter);
    }
    counter.reads++;
    counter.weight++;
    siftDown(counter);
  }

  private Counter newCounter() {
    Counter counter = new Counter();
    counter.position = heap.size();
    heap.add(counter);
    siftUp(counter);
    return counter;
  }

  private Counter takeOver() {
    Counter smallest = heap.get(0);
    counters.remove(smallest.blockId);
    hasTakenOver = true;
    return smallest;
  }

  /** How many reads of a block may have gone uncounted since the last drain. */
  public long errorBound() {
    return heap.size() < tracked ? 0 : heap.get(0).weight;
  }

  /**
   * The blocks read most since they were last returned, the most read first, and halves all
   * weights. Blocks returned start again at no reads; the others keep theirs until they are
   * returned or lose their counter.
   */
  public List<BlockReads> drain() {
    List<Counter> read = new ArrayList<>(heap);
    read.removeIf(counter -> counter.reads == 0);
    read.sort(MOST_READ_FIRST);
    List<BlockReads> result = new ArrayList<>(Math.min(reported, read.size()));
    for (Counter counter : read.subList(0, Math.min(reported, read.size()))) {
      result.add(new BlockReads(counter.blockId, counter.reads));
      counter.reads = 0;
    }
    long left = read.size() > reported ? read.get(reported).reads : 0;
    missed = left + (hasTakenOver ? errorBound() : 0);
    hasTakenOver = false;
    decay();
    return result;
  }

  /**
   * How many reads any one block may have had between the last {@link #drain} and the one before,
   * beyond what the last one returned of it: 0 when that was everything.
   */
  public long missed() {
    return missed;
  }

  private void decay() {
    List<Counter> all = new ArrayList<>(heap);
    heap.clear();
    for (Counter counter : all) {
      counter.weight /= 2;
      if (counter.weight == 0) {
        counters.remove(counter.blockId);
      } else {
        counter.position = heap.size();
        heap.add(counter);
        siftUp(counter);
      }
    }
  }

  private void siftUp(Counter counter) {
    while (counter.position > 0) {
      Counter parent = heap.get((counter.position - 1) / 2);
      if (parent.weight <= counter.weight) {
        return;
      }
      swap(parent, counter);
    }
  }

  private void siftDown(Counter counter) {
    while (true) {
      Counter smallest = counter;
      for (int child = 2 * counter.position + 1; child <= 2 * counter.position + 2; child++) {
        if (child < heap.size() && heap.get(child).weight < smallest.weight) {
          smallest = heap.get(child);
        }
      }
      if (smallest == counter) {
        return;
      }
      swap(counter, smallest);
    }
  }

  private void swap(Counter first, Counter second) {
    int position = first.position;
    first.position = second.position;
    second.position = position;
    heap.set(first.position, first);
    heap.set(second.position, second);
  }
}
