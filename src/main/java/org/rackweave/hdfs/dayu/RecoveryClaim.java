package org.rackweave.hdfs.dayu;

import java.util.concurrent.atomic.LongAdder;

/**
 * Says to stock HDFS's own monitor that somebody else makes lost replicas again. Holds for a while
 * only and must be renewed: a thread that hangs or dies lets go of it by that alone. Thread-safe.
 */
public final class RecoveryClaim {
  private record Held(Object policy, long untilMs) {}

  private static final Held NOT_HELD = new Held(null, Long.MIN_VALUE);

  private final LongAdder heldBack = new LongAdder();
  private volatile Held held = NOT_HELD;

  /**
   * Claims recovery, or goes on claiming it.
   *
   * @param policy the placement policy that HDFS asks for contiguous blocks
   * @param untilMs monotonic time at which the claim ends if it is not renewed
   */
  void renew(Object policy, long untilMs) {
    held = new Held(policy, untilMs);
  }

  void release() {
    held = NOT_HELD;
  }

  /** Whether it holds. */
  boolean isHeld(long nowMs) {
    return nowMs < held.untilMs();
  }

  /** Whether it was not given back, but ran out. */
  boolean hasRunOut(long nowMs) {
    Held now = held;
    return now != NOT_HELD && nowMs >= now.untilMs();
  }

  /**
   * Whether a policy is to name no target for a block that HDFS wants to copy. Only the monitor's
   * own requests are: others, such as those of a client's pipeline, look the same.
   *
   * @param policy the one that is asked; that for striped blocks is another one
   * @param isMonitors whether the monitor asks
   * @param nowMs monotonic time
   */
  public boolean holdsBack(Object policy, boolean isMonitors, long nowMs) {
    Held now = held;
    boolean answer = now.policy() == policy && nowMs < now.untilMs() && isMonitors;
    if (answer) {
      heldBack.increment();
    }
    return answer;
  }

  /** Requests of stock's monitor that were held back. */
  long heldBackCount() {
    return heldBack.sum();
  }
}
