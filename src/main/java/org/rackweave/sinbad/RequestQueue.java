package org.rackweave.sinbad;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Requests of one decision interval in the order of OPT' (section 5.2): fewest remaining blocks of
 * their file first, then first come.
 *
 * @param <T> what the caller queues
 */
public final class RequestQueue<T> {
  private record Waiting<T>(T request, long remainingBlocks, long arrival) {}

  private static final Comparator<Waiting<?>> FEWEST_REMAINING_FIRST =
      Comparator.<Waiting<?>>comparingLong(Waiting::remainingBlocks)
          .thenComparingLong(Waiting::arrival);

  private final int bound;
  private final List<Waiting<T>> waiting = new ArrayList<>();
  private long arrivals;

  /**
   * @param bound most requests held at a time
   */
  public RequestQueue(int bound) {
    this.bound = bound;
  }

  /**
   * @param remainingBlocks blocks of the request's file that are still to be placed
   * @return false when the queue is full: the caller decides at once
   */
  public boolean offer(T request, long remainingBlocks) {
    return waiting.size() < bound
        && waiting.add(new Waiting<>(request, remainingBlocks, arrivals++));
  }

  /** Requests that wait. */
  public int size() {
    return waiting.size();
  }

  /** Empties the queue, in the order in which the requests are to be decided. */
  public List<T> drain() {
    waiting.sort(FEWEST_REMAINING_FIRST);
    List<T> ordered = new ArrayList<>(waiting.size());
    waiting.forEach(w -> ordered.add(w.request()));
    waiting.clear();
    return ordered;
  }
}
