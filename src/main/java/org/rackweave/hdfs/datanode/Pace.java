package org.rackweave.hdfs.datanode;

import java.io.InterruptedIOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How fast one transfer may go, and how far it is. Its thread calls {@link #pass} for what it has
 * sent and waits there; others change the rate, or end the transfer, at any time. Thread-safe.
 *
 * <p>The rate is an average. Where others crowd a link, TCP gives a transfer more at one moment and
 * less at another; were what it could not send lost to it, it would stay below its rate for good.
 * So it makes up for the last seconds, at no more than twice its rate.
 */
public final class Pace {
  /** Goes as fast as it can. */
  public static final double UNLIMITED = Double.POSITIVE_INFINITY;

  /** A receiver gives up when a packet, some 64 KB, takes a minute. */
  static final double LEAST_BYTES_PER_SEC = 16 * 1024;

  /** How long a transfer may have been held up and make up for all of it. */
  static final double CATCH_UP_SEC = 5;

  /** Most of its rate a transfer may go at while it catches up. */
  static final double PEAK = 2;

  private static final double BURST_SEC = 0.1;
  private static final long LONGEST_WAIT_MS = 200;

  private final LongSupplier clockNanos;
  private final long sizeBytes;
  private final Consumer<Pace> whenSent;
  private volatile long sentBytes;
  private volatile boolean isCancelled;
  private double bytesPerSec;

  /** Bytes by which it is behind its rate; below 0 when it is ahead. */
  private double behind;

  /** Bytes it may send at once. */
  private double burst;

  private long paidNanos;

  /**
   * @param bytesPerSec at first, above 0
   * @param sizeBytes of the block
   * @param whenSent told once, by the transfer's thread, that it has sent its block
   */
  public Pace(
      double bytesPerSec, long sizeBytes, LongSupplier clockNanos, Consumer<Pace> whenSent) {
    this.bytesPerSec = Math.max(LEAST_BYTES_PER_SEC, bytesPerSec);
    this.sizeBytes = sizeBytes;
    this.whenSent = whenSent;
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

  /** Whether all of the block has been sent, but for what of it is checksums. */
  public boolean isSent() {
    return sentBytes >= sizeBytes;
  }

  /** Bytes sent so far, those of checksums included. */
  public long sentBytes() {
    return sentBytes;
  }

  /**
   * Ends the transfer before it is complete. One that has sent all of its block is left to say so
   * to its receiver.
   */
  public synchronized void cancel() {
    isCancelled |= !isSent();
    notifyAll();
  }

  /** Whether the transfer has been ended: its receiver will never have all of the block. */
  public boolean isCancelled() {
    return isCancelled;
  }

  /**
   * Says that bytes have been sent and waits until more may be; returns at once if interrupted.
   *
   * @throws InterruptedIOException when the transfer is cancelled; it is not to send any more
   */
  public void pass(long bytes) throws InterruptedIOException {
    boolean wasSent = isSent();
    sent(bytes);
    if (!wasSent && isSent()) {
      whenSent.accept(this);
    }
    await();
  }

  private synchronized void await() throws InterruptedIOException {
    for (double sec = waitSec(); !isCancelled && sec > 0; sec = waitSec()) {
      try {
        long ms = (long) Math.ceil(sec * 1000);
        wait(Math.min(LONGEST_WAIT_MS, ms));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    if (isCancelled) {
      throw new InterruptedIOException(
          "cancelled after " + sentBytes + " bytes: the NameNode has it made another way");
    }
  }

  synchronized void sent(long bytes) {
    sentBytes += bytes;
    pay();
    behind -= bytes;
    burst -= bytes;
  }

  /** Until more may be sent, 0 for at once. */
  synchronized double waitSec() {
    pay();
    return Math.max(0, Math.max(-behind, -burst / PEAK) / bytesPerSec);
  }

  private void pay() {
    long now = clockNanos.getAsLong();
    double sec = (now - paidNanos) / 1e9;
    paidNanos = now;
    if (bytesPerSec == UNLIMITED) {
      behind = 0;
      burst = 0;
    } else {
      behind = Math.min(bytesPerSec * CATCH_UP_SEC, behind + sec * bytesPerSec);
      burst = Math.min(PEAK * bytesPerSec * BURST_SEC, burst + sec * PEAK * bytesPerSec);
    }
  }
}
