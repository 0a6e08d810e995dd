package org.rackweave.hdfs.eafr;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where reads wait between the call that brought them and their counting: a call leaves two numbers
 * a block here, which takes some ten nanoseconds; to find a block's file takes the namesystem's
 * lock and is left to a thread that can wait.
 *
 * <p>Both numbers of a read lie side by side, the block in front of its server, in what a call
 * brings and in the buffers: a call of three blocks then writes to one or two lines of memory,
 * which the thread that counts had last.
 *
 * <p>Handlers spread over {@value #STRIPES} buffers, so that they seldom meet. A full buffer drops
 * what comes, and counts that. Memory: {@value #STRIPES} times {@value #CAPACITY} reads of 16
 * bytes. Thread-safe.
 */
final class ReadLog {
  private static final int STRIPES = 16;

  /** Reads in one buffer; all together what a NameNode answers in a second. */
  static final int CAPACITY = 8192;

  /** Numbers of a read. */
  static final int WIDTH = 2;

  /** Takes reads out. */
  @FunctionalInterface
  interface Reader {
    /**
     * Hears of some reads.
     *
     * @param reads of each its block and the {@link ServerKey} of its server; valid until this
     *     returns
     * @param count how many reads there are
     */
    void read(long[] reads, int count);
  }

  private static final class Stripe {
    private long[] reads = new long[WIDTH * CAPACITY];
    private int count;

    /** Returns how many it has taken. */
    synchronized int add(long[] more, int size) {
      int taken = Math.min(size, CAPACITY - count);
      System.arraycopy(more, 0, reads, WIDTH * count, WIDTH * taken);
      count += taken;
      return taken;
    }

    /** Swaps its buffer for another. */
    synchronized int take(Stripe empty) {
      long[] full = reads;
      int taken = count;
      reads = empty.reads;
      count = 0;
      empty.reads = full;
      return taken;
    }
  }

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final Stripe spare = new Stripe();
  private final LongAdder dropped = new LongAdder();

  ReadLog() {
    Arrays.setAll(stripes, i -> new Stripe());
  }

  /**
   * Blocks have been handed to a reader.
   *
   * @param reads of each its block and its server
   * @param count how many reads there are
   */
  void add(long[] reads, int count) {
    Stripe stripe = stripes[(int) Thread.currentThread().getId() & STRIPES - 1];
    int taken = stripe.add(reads, count);
    if (taken < count) {
      dropped.add(count - taken);
    }
  }

  /** Hands out everything there is; for one thread at a time. */
  synchronized void drainTo(Reader reader) {
    for (Stripe stripe : stripes) {
      int count = stripe.take(spare);
      if (count > 0) {
        reader.read(spare.reads, count);
      }
    }
  }

  /** Reads that came while a buffer was full. */
  long dropped() {
    return dropped.sum();
  }
}
