package org.rackweave.telemetry;

import java.util.concurrent.TimeUnit;

/** The largest number within the last day or two. Not thread-safe. */
public final class RecentMaximum {
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  private double today;
  private double before;
  private long sinceMs;

  /**
   * @param value at least 0
   * @param nowMs monotonic time
   */
  public void add(double value, long nowMs) {
    expire(nowMs);
    today = Math.max(today, value);
  }

  /** 0 where there was none. */
  public double get(long nowMs) {
    expire(nowMs);
    return Math.max(today, before);
  }

  private void expire(long nowMs) {
    if (nowMs - sinceMs >= DAY_MS) {
      before = nowMs - sinceMs >= 2 * DAY_MS ? 0 : today;
      today = 0;
      sinceMs = nowMs;
    }
  }
}
