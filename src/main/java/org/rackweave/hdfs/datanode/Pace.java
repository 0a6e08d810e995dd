package org.rackweave.hdfs.datanode;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How fast one transfer may go, and how far it is. Its thread calls {@link #pass} for what it has
 * sent and waits there; others change the rate at any time. Thread-safe.
 */
public final class Pace {
  /** Goes as fast as it can. */
  public static final double UNLIMITED = Double.POSITIVE_INFINITY;

  /** A receiver gives up when a packet, some 64 KB, takes a minute. */
  static final double LEAST_BYTES_PER_SEC = 16 * 1024;

  private static final double BURST_SEC = 0.1;
  private static final long LONGEST_WAIT_MS = 200;

  private final LongSupplier clockNanos;
  private final AtomicLong sentBytes = new AtomicLong();
  private double bytesPerSec;
  private double credit;
  private long paidNanos;

  /**
   * @param bytesPerSec at first, above 0
   */
  public Pace(double bytesPerSec, LongSupplier clockNanos) {
    this.bytesPerSec = Math.max(LEAST_BYTES_PER_SEC, bytesPerSec);
    this.clockNanos = clockNanos;
    paidNanos = clockNanos.getAsLong();
  }

  /** Changes the rate, from now on. */
  public synchronized void change(double newBytesPerSec) {
    pay();
    bytesPerSec = Math.max(LEAST_BYTES_PER_SEC, newBytesPerSec);
    notifyAll();
  }

  public synchronized double bytesPerSec() {
    return bytesPerSec;
  }

  /** Bytes sent so far, those of checksums included. */
  public long sentBytes() {
    return sentBytes.get();
  }

  /** Says that bytes have been sent and waits until more may be; returns at once if interrupted. */
  public void pass(long bytes) {
    sentBytes.addAndGet(bytes);
    synchronized (this) {
      pay();
      credit -= bytes;
      while (credit < 0 && bytesPerSec != UNLIMITED) {
        try {
          long waitMs = (long) Math.ceil(-credit / bytesPerSec * 1000);
          wait(Math.max(1, Math.min(LONGEST_WAIT_MS, waitMs)));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
        pay();
      }
    }
  }

  private void pay() {
    long now = clockNanos.getAsLong();
    double sec = (now - paidNanos) / 1e9;
    paidNanos = now;
    credit =
        bytesPerSec == UNLIMITED
            ? 0
            : Math.min(bytesPerSec * BURST_SEC, credit + sec * bytesPerSec);
  }
}
