package org.rackweave.cli.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.rackweave.sim.statistics.Sample;

/**
 * Compares two pieces of work by the CPU time and the allocation of the calling thread, which other
 * processes and the garbage collector hardly touch. Both take turns, so that whatever changes
 * meanwhile changes for both; the medians over the turns are compared.
 */
final class Stopwatch {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What is measured. */
  interface Work {
    /** Brings the world to where the next portion starts; not measured. */
    default void prepare() throws Exception {}

    /** Performs some operations. */
    void run(int operations) throws Exception;
  }

  /**
   * What one operation takes.
   *
   * @param nanos CPU time
   * @param bytes allocated on the heap
   */
  record Cost(double nanos, double bytes) {}

  /**
   * Costs of both pieces of work, each the median of its turns.
   *
   * @param ratio median over the turns of ours / stock, the two that follow one another
   */
  record Comparison(Cost stock, Cost ours, double ratio) {}

  private final int turns;
  private final long turnNanos;
  private final long warmUpNanos;
  private final double clockNanos;

  private Stopwatch(int turns, long turnNanos, long warmUpNanos) {
    this.turns = turns;
    this.turnNanos = turnNanos;
    this.warmUpNanos = warmUpNanos;
    clockNanos = clockNanos();
  }

  /** Enough for figures. */
  static Stopwatch thorough() {
    return new Stopwatch(21, 80_000_000, 4_000_000_000L);
  }

  /** Enough for figures of loops that are compiled within a second. */
  static Stopwatch brief() {
    return new Stopwatch(21, 40_000_000, 800_000_000L);
  }

  /** Enough to see that it runs. */
  static Stopwatch quick() {
    return new Stopwatch(3, 2_000_000, 20_000_000);
  }

  /** CPU time of the calling thread. */
  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** What the calling thread has allocated on the heap. */
  static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  private static double median(double[] values) {
    return new Sample(values).median();
  }

  /** What reading the clock adds to every portion. */
  private static double clockNanos() {
    double[] nothing = new double[2001];
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < nothing.length; i++) {
        long started = cpuNanos();
        nothing[i] = cpuNanos() - started;
      }
    }
    return median(nothing);
  }

  /**
   * @param portion operations between two calls of {@link Work#prepare}
   */
  Comparison compare(Work stock, Work ours, int portion) throws Exception {
    double[] stockNanos = new double[turns];
    double[] oursNanos = new double[turns];
    double[] ratios = new double[turns];
    double[] stockBytes = new double[turns];
    double[] oursBytes = new double[turns];
    double stockGuess = warmUp(stock, portion);
    double oursGuess = warmUp(ours, portion);
    for (int turn = 0; turn < turns; turn++) {
      Cost a = turn(stock, portion, stockGuess);
      Cost b = turn(ours, portion, oursGuess);
      stockNanos[turn] = a.nanos();
      oursNanos[turn] = b.nanos();
      ratios[turn] = b.nanos() / a.nanos();
      stockBytes[turn] = a.bytes();
      oursBytes[turn] = b.bytes();
    }
    return new Comparison(
        new Cost(median(stockNanos), median(stockBytes)),
        new Cost(median(oursNanos), median(oursBytes)),
        median(ratios));
  }

  /** Cost of work that nothing is compared with. */
  Cost measure(Work work, int portion) throws Exception {
    return compare(work, work, portion).ours();
  }

  /** Runs until everything that will be compiled is, and returns nanoseconds an operation. */
  private double warmUp(Work work, int portion) throws Exception {
    // One portion first: an operation can take microseconds or milliseconds.
    double nanos = Math.max(100, turn(work, portion, (double) turnNanos).nanos());
    for (long spent = 0; spent < warmUpNanos; ) {
      Cost cost = turn(work, portion, nanos);
      spent += Math.max(turnNanos, 1);
      nanos = Math.max(100, cost.nanos());
    }
    return nanos;
  }

  private Cost turn(Work work, int portion, double guessNanos) throws Exception {
    long portions = Math.max(1, Math.round(turnNanos / guessNanos / portion));
    long nanos = 0;
    long bytes = 0;
    for (long i = 0; i < portions; i++) {
      work.prepare();
      long bytesBefore = allocatedBytes();
      long started = cpuNanos();
      work.run(portion);
      nanos += cpuNanos() - started;
      bytes += allocatedBytes() - bytesBefore;
    }
    double operations = (double) portions * portion;
    return new Cost(Math.max(0, nanos - portions * clockNanos) / operations, bytes / operations);
  }
}
