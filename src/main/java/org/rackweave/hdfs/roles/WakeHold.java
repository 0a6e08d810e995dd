package org.rackweave.hdfs.roles;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Keeps HDFS from making replicas again that only sleep: a NameNode that has become active holds
 * back all copies until it is known that no DataNode sleeps whose replicas it has never heard of,
 * or until those have been woken and have reported. Ends by itself after a while, whatever happens
 * to who is to end it. Thread-safe.
 */
public final class WakeHold {
  private static final long NEVER = Long.MIN_VALUE;

  private final LongSupplier longestMs;
  private final LongAdder heldBack = new LongAdder();
  private long term = NEVER;
  private long beganMs;
  private boolean isOver;

  /**
   * @param longestMs after which it is over in any case
   */
  public WakeHold(LongSupplier longestMs) {
    this.longestMs = longestMs;
  }

  /**
   * Whether copies are held back.
   *
   * @param currentTerm that tells one time of being active from another
   * @param nowMs monotonic time
   */
  public synchronized boolean holds(long currentTerm, long nowMs) {
    if (term != currentTerm) {
      term = currentTerm;
      beganMs = nowMs;
      isOver = false;
    }
    isOver |= nowMs - beganMs >= longestMs.getAsLong();
    return !isOver;
  }

  /**
   * The same, for a request that HDFS's own monitor may have made. A block with one replica left,
   * or none, is not held back.
   *
   * @param isMonitors whether it has
   * @param replicas that the block has, as far as is known
   */
  public boolean holdsBack(boolean isMonitors, int replicas, long currentTerm, long nowMs) {
    boolean answer = replicas > 1 && isMonitors && holds(currentTerm, nowMs);
    if (answer) {
      heldBack.increment();
    }
    return answer;
  }

  /** Nothing is copied for another reason: its time begins again, unless it is over. */
  synchronized void postpone(long currentTerm, long nowMs) {
    if (holds(currentTerm, nowMs)) {
      beganMs = nowMs;
    }
  }

  /** All replicas that there are are known. */
  synchronized void release(long currentTerm, long nowMs) {
    if (holds(currentTerm, nowMs)) {
      isOver = true;
    }
  }

  /** Requests held back. */
  long heldBackCount() {
    return heldBack.sum();
  }
}
