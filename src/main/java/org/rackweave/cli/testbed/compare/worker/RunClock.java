package org.rackweave.cli.testbed.compare.worker;

import java.util.concurrent.TimeUnit;

/**
 * Time since the start of a run, the same in every process of this machine: the start is given as a
 * wall clock time, everything after it is counted by the monotonic clock.
 */
public final class RunClock {

  private final long startNanos;

  /**
   * A clock that shows 0 when the wall clock shows {@code startMs}.
   *
   * @param startMs milliseconds since 1970, in the near future
   */
  public RunClock(long startMs) {
    long ahead = TimeUnit.MILLISECONDS.toNanos(startMs - System.currentTimeMillis());
    this.startNanos = System.nanoTime() + ahead;
  }

  /** Microseconds since the start, negative before it. */
  public long nowUs() {
    return Math.floorDiv(System.nanoTime() - startNanos, 1000);
  }

  /** Microseconds from now to {@code atMs} after the start, at least 0. */
  public long untilUs(long atMs) {
    return Math.max(0, atMs * 1000 - nowUs());
  }
}
