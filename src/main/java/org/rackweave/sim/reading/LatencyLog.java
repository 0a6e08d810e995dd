package org.rackweave.sim.reading;

/**
 * Latencies of very many reads: their number, sum and how many were late exactly, their quantiles
 * to within 1 %.
 */
public final class LatencyLog {
  private static final double STEP = Math.log(1.01);
  private static final double LEAST_NANOS = 1e3;

  /** Up to 1.01^3000 microseconds, some hundred days. */
  private static final int BINS = 3000;

  private final long lateNanos;
  private final long[] counts = new long[BINS];
  private long count;
  private long late;
  private double sumNanos;

  /** The last latency looked up and its bin: many reads have the same. */
  private long knownNanos = -1;

  private int knownBin;

  /**
   * @param lateNanos a read that takes longer is late
   */
  public LatencyLog(long lateNanos) {
    this.lateNanos = lateNanos;
  }

  void add(long nanos) {
    count++;
    late += nanos > lateNanos ? 1 : 0;
    sumNanos += nanos;
    if (nanos != knownNanos) {
      knownNanos = nanos;
      knownBin = (int) Math.min(BINS - 1.0, Math.max(0, Math.log(nanos / LEAST_NANOS) / STEP + 1));
    }
    counts[knownBin]++;
  }

  public long count() {
    return count;
  }

  /** Part of the reads that were late; NaN when there was none. */
  public double lateShare() {
    return late / (double) count;
  }

  /** NaN when there was none. */
  public double meanMs() {
    return sumNanos / count / 1e6;
  }

  /** The latency that a fraction of the reads did not exceed, to within 1 %. */
  public double quantileMs(double fraction) {
    long wanted = (long) Math.ceil(fraction * count);
    long seen = 0;
    int bin = 0;
    while (bin < BINS - 1 && (seen += counts[bin]) < wanted) {
      bin++;
    }
    return LEAST_NANOS * Math.exp((bin - 0.5) * STEP) / 1e6;
  }
}
