package org.rackweave.hdfs.eafr;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where reads wait between the call that brought them and their counting: a call leaves two numbers
 * a block here, which takes some ten nanoseconds; to find a block's file takes the namesystem's
 * lock and is left to a thread that can wait.
 *
 * <p>Handlers spread over {@value #STRIPES} buffers, so that they seldom meet. A full buffer drops
 * what comes, and counts that. Memory: {@value #STRIPES} times {@value #CAPACITY} reads of 12
 * bytes. Thread-safe.
 */
final class ReadLog {
  private static final int STRIPES = 16;

  /** Reads in one buffer; all together what a NameNode answers in a second. */
  static final int CAPACITY = 8192;

  /** Takes reads out. */
  @FunctionalInterface
  interface Reader {
    /**
     * Hears of some reads.
     *
     * @param blockIds blocks; valid until this returns
     * @param servers of each the {@link ServerKey} of its server
     * @param count how many there are
     */
    void read(long[] blockIds, int[] servers, int count);
  }

  private static final class Stripe {
    private long[] blockIds = new long[CAPACITY];
    private int[] servers = new int[CAPACITY];
    private int count;

    /** Returns how many it has taken. */
    synchronized int add(long[] ofBlocks, int[] byServers, int size) {
      int taken = Math.min(size, CAPACITY - count);
      for (int i = 0; i < taken; i++) {
        blockIds[count] = ofBlocks[i];
        servers[count++] = byServers[i];
      }
      return taken;
    }

    /** Swaps its buffers for others. */
    synchronized int take(Stripe empty) {
      long[] fullBlockIds = blockIds;
      int[] fullServers = servers;
      int taken = count;
      blockIds = empty.blockIds;
      servers = empty.servers;
      count = 0;
      empty.blockIds = fullBlockIds;
      empty.servers = fullServers;
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
   * @param count how many of both arrays to use
   */
  void add(long[] blockIds, int[] servers, int count) {
    Stripe stripe = stripes[(int) Thread.currentThread().getId() & STRIPES - 1];
    int taken = stripe.add(blockIds, servers, count);
    if (taken < count) {
      dropped.add(count - taken);
    }
  }

  /** Hands out everything there is; for one thread at a time. */
  synchronized void drainTo(Reader reader) {
    for (Stripe stripe : stripes) {
      int count = stripe.take(spare);
      if (count > 0) {
        reader.read(spare.blockIds, spare.servers, count);
      }
    }
  }

  /** Reads that came while a buffer was full. */
  long dropped() {
    return dropped.sum();
  }
}
