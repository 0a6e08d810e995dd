package org.rackweave.sim.claims;

import java.util.Locale;

/**
 * What is asked of a figure: that it lies between two limits.
 *
 * @param low least, or infinite
 * @param high most, or infinite
 * @param hasEnds whether the limits themselves will do
 */
record Bound(double low, double high, boolean hasEnds) {

  static Bound atLeast(double low) {
    return new Bound(low, Double.POSITIVE_INFINITY, true);
  }

  static Bound atMost(double high) {
    return new Bound(Double.NEGATIVE_INFINITY, high, true);
  }

  static Bound above(double low) {
    return new Bound(low, Double.POSITIVE_INFINITY, false);
  }

  static Bound below(double high) {
    return new Bound(Double.NEGATIVE_INFINITY, high, false);
  }

  /** A figure there is none of is not within any bound. */
  boolean holds(double figure) {
    return hasEnds ? figure >= low && figure <= high : figure > low && figure < high;
  }

  @Override
  public String toString() {
    if (Double.isInfinite(high)) {
      return (hasEnds ? "at least " : "above ") + number(low);
    }
    return (hasEnds ? "at most " : "below ") + number(high);
  }

  private static String number(double limit) {
    return String.format(Locale.ROOT, "%.3f", limit);
  }
}
