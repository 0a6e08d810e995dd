package org.rackweave.hdfs.datanode;

import java.util.concurrent.TimeUnit;

/** Time passes when somebody says so or sleeps. */
final class VirtualClock implements Throttle.Clock {
  private long nanos = 1_000;

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public void sleep(long more) {
    nanos += more;
  }

  void passMs(long ms) {
    nanos += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  /** Since the beginning, to the nearest. */
  long ms() {
    return Math.round((nanos - 1_000) / 1e6);
  }
}
