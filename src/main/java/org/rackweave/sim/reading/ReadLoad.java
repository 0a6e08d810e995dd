package org.rackweave.sim.reading;

/**
 * What readers ask for.
 *
 * @param askingsPerSec moments at which somebody reads, on average; gaps are exponential
 * @param together so many read the same file at such a moment (section 4.1.1, x)
 * @param isWholeFile whether a read is of the file, or one call of {@link ReadPool#RESPONSE_BYTES}
 * @param warmUpNanos reads before count in no figure
 * @param durationNanos nobody asks at this moment or later
 */
public record ReadLoad(
    double askingsPerSec, int together, boolean isWholeFile, long warmUpNanos, long durationNanos) {

  /** A read that takes longer is late (section 4.1.1). */
  public static final long LATE_NANOS = 10_000_000;
}
