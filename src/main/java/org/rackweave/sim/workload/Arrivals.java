package org.rackweave.sim.workload;

import java.util.SplittableRandom;

/**
 * The moments at which independent clients come: gaps are exponential, and a slow cluster does not
 * slow them down.
 */
final class Arrivals {

  private static final double NANOS_PER_SEC = 1e9;

  private final Distribution gapNanos;
  private final SplittableRandom random;
  private final long endNanos;
  private double atNanos;

  /**
   * @param ratePerSec average arrivals per second, above 0
   * @param endNanos nobody comes at this moment or later
   */
  Arrivals(double ratePerSec, long endNanos, SplittableRandom random) {
    this.gapNanos = new Distribution.Exponential(NANOS_PER_SEC / ratePerSec);
    this.random = random;
    this.endNanos = endNanos;
  }

  /** The next moment, or -1 after the last. */
  long next() {
    atNanos += gapNanos.draw(random);
    return atNanos < endNanos ? (long) atNanos : -1;
  }
}
