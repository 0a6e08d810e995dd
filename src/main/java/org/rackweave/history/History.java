package org.rackweave.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.rackweave.model.Require;

/**
 * The latest of many things, a fixed number of them. So that a busy minute does not push out all
 * that was before, no more are kept on average than fill it once in a given time: a tenth of them
 * in a row, and then one whenever its time has come. The others are only counted.
 *
 * <p>Example: 10,000 in 10 minutes keeps the first 1,000 of a burst whole, then 17 a second.
 *
 * <p>Lock-free and safe for use by many threads. A reader may miss what is being added.
 */
public final class History<E> {
  /** Part of the capacity that may be taken in a row. */
  private static final int BURST = 10;

  private final int capacity;
  private final AtomicReferenceArray<E> ring;
  private final AtomicLong added = new AtomicLong();
  private final LongAdder left = new LongAdder();
  private volatile List<E> before = List.of();
  private final long intervalNanos;
  private final long burstNanos;

  /** When the next would be due if all came evenly; ahead of time by at most the burst. */
  private final AtomicLong dueNanos = new AtomicLong(Long.MIN_VALUE);

  /**
   * @param capacity how many are kept, at least 0; 0 keeps none
   * @param spanNanos the time in which no more than that are kept, above 0
   */
  public History(int capacity, long spanNanos) {
    Require.atLeast("entries kept", capacity, 0);
    Require.atLeast("time in which they are kept, in ns", spanNanos, 1);
    this.capacity = capacity;
    ring = new AtomicReferenceArray<>(capacity);
    intervalNanos = spanNanos / Math.max(1, capacity);
    burstNanos = spanNanos / BURST;
  }

  /** How many are kept at most. */
  public int capacity() {
    return capacity;
  }

  /**
   * Whether one more is kept; whoever is told so adds it.
   *
   * @param nowNanos monotonic time
   */
  public boolean admits(long nowNanos) {
    if (capacity == 0) {
      return false;
    }
    while (true) {
      long due = dueNanos.get();
      boolean isIdle = due == Long.MIN_VALUE || due - nowNanos < 0;
      if (!isIdle && due - nowNanos > burstNanos) {
        left.increment();
        return false;
      }
      if (dueNanos.compareAndSet(due, (isIdle ? nowNanos : due) + intervalNanos)) {
        return true;
      }
    }
  }

  /** Keeps one, in place of the oldest. */
  public void add(E entry) {
    if (capacity > 0) {
      ring.set((int) (added.getAndIncrement() % capacity), entry);
    }
  }

  /**
   * Takes what was kept before a restart, as if it had been added first.
   *
   * @param newestFirst at most the capacity; what is added pushes the oldest out
   */
  public void resume(List<E> newestFirst) {
    before = List.copyOf(newestFirst);
  }

  /** The latest, newest first. */
  public List<E> latest(int most, Predicate<? super E> which) {
    List<E> found = new ArrayList<>();
    long newest = added.get() - 1;
    for (long i = newest; i >= 0 && i > newest - capacity && found.size() < most; i--) {
      E entry = ring.get((int) (i % capacity));
      if (entry != null && which.test(entry)) {
        found.add(entry);
      }
    }
    List<E> older = before;
    int room = (int) Math.min(older.size(), Math.max(0, capacity - added.get()));
    older.subList(0, room).stream().filter(which).limit(most - found.size()).forEach(found::add);
    return found;
  }

  /** How many were added so far. */
  public long added() {
    return added.get();
  }

  /** How many were not admitted. */
  public long left() {
    return left.sum();
  }
}
