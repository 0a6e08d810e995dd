package org.rackweave.hdfs.datanode;

import java.util.concurrent.TimeUnit;

/**
 * Keeps what a task reads to a rate: after each part it waits until as much time has passed since
 * the last one as the rate wants for it. What was slower than the rate is not made up for, so in no
 * span of time more is read than the rate allows and one part. Used by one thread.
 *
 * <p>HDFS's own {@code DataTransferThrottler} counts in half seconds and waits for ever at rates
 * below two bytes a second.
 */
final class Throttle {
  /** The longest that it waits without a word. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Time as it passes. */
  interface Clock {
    /** The one that there is. */
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
          }
        };

    /** Now, since whenever. */
    long nanos();

    void sleep(long nanos) throws InterruptedException;
  }

  private final double bytesPerSec;
  private final Clock clock;
  private long passedNanos;

  /**
   * @param bytesPerSec above 0
   */
  Throttle(long bytesPerSec, Clock clock) {
    this.bytesPerSec = bytesPerSec;
    this.clock = clock;
    passedNanos = clock.nanos();
  }

  /**
   * Says that a part has been read, and waits until the next may be; returns at once if
   * interrupted, and the thread stays so.
   *
   * @param waiting called now and then meanwhile
   */
  void pass(long bytes, Runnable waiting) {
    long needed = (long) Math.ceil(bytes / bytesPerSec * TimeUnit.SECONDS.toNanos(1));
    try {
      for (long left = left(needed); left > 0; left = left(needed)) {
        clock.sleep(Math.min(left, SILENT_NANOS));
        waiting.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    passedNanos = clock.nanos();
  }

  private long left(long needed) {
    return needed - (clock.nanos() - passedNanos);
  }
}
