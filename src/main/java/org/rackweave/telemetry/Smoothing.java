package org.rackweave.telemetry;

/** How much a new measurement counts against the average so far. */
public sealed interface Smoothing {

  /**
   * The same weight for every report, whatever the time between two (Sinbad, section 6.2): with
   * reports every three seconds and the paper's 0.2 half of a change is seen after nine seconds.
   *
   * @param alpha weight of the new measurement, in (0, 1]
   */
  record PerReport(double alpha) implements Smoothing {
    @Override
    public double weight(boolean rises, double elapsedMs) {
      return alpha;
    }
  }

  /**
   * A change is half seen after a fixed time, however often there are reports. A link that fills is
   * noticed faster than one that empties: senders that adapt (TCP) take less for a while, as when
   * our transfers join them, and come back.
   *
   * @param attackHalfLifeMs of what grows, above 0
   * @param releaseHalfLifeMs of what falls, above 0
   */
  record InTime(double attackHalfLifeMs, double releaseHalfLifeMs) implements Smoothing {
    @Override
    public double weight(boolean rises, double elapsedMs) {
      return 1 - left(elapsedMs, rises ? attackHalfLifeMs : releaseHalfLifeMs);
    }
  }

  double LN2 = Math.log(2);

  /**
   * Half of a change is seen in a second where only counters are known. A link that empties is
   * believed later, since TCP's senders make way for our transfers and come back.
   */
  Smoothing CURRENT = new InTime(1_000, 3_000);

  /**
   * Weight of a new measurement, from 0 to 1.
   *
   * @param rises whether it is above the average
   * @param elapsedMs time since the measurement before, at least 0
   */
  double weight(boolean rises, double elapsedMs);

  /** Part that is left, after a time, of what halves in another; both of one unit. */
  static double left(double elapsed, double halfLife) {
    return Math.exp(-LN2 * elapsed / halfLife);
  }
}
