package org.rackweave.hdfs;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.Time;

/**
 * Lets a message through at most once per interval, so that no fault can flood a log. Thread-safe.
 */
public final class LogThrottle {
  private static final long MINUTE_MS = 60_000;

  private final long intervalMs;
  private final LongSupplier clockMs;
  private final AtomicLong nextAtMs = new AtomicLong(Long.MIN_VALUE);

  /**
   * @param clockMs monotonic clock in milliseconds
   */
  public LogThrottle(long intervalMs, LongSupplier clockMs) {
    this.intervalMs = intervalMs;
    this.clockMs = clockMs;
  }

  public static LogThrottle oncePerMinute() {
    return new LogThrottle(MINUTE_MS, Time::monotonicNow);
  }

  /** Whether this message may be logged; true at most once per interval. */
  public boolean shouldLog() {
    long now = clockMs.getAsLong();
    long next = nextAtMs.get();
    return now >= next && nextAtMs.compareAndSet(next, now + intervalMs);
  }
}
