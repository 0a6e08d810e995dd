package org.rackweave.sim.claims;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Locale;
import org.rackweave.sim.claims.Claim.Verdict;
import org.rackweave.sim.statistics.Estimate;

/**
 * What is asked of a figure: that it lies between two limits.
 *
 * @param low least, or infinite
 * @param high most, or infinite
 * @param hasEnds whether the limits themselves will do
 */
record Bound(double low, double high, boolean hasEnds) {

  /**
   * Reads a bound.
   *
   * @param text {@code at least}, {@code at most}, {@code above}, {@code below} or {@code near} a
   *     number; only a tolerance gives the last one room
   */
  @JsonCreator
  static Bound parse(String text) {
    int space = text.lastIndexOf(' ');
    double limit = Double.parseDouble(text.substring(space + 1));
    return switch (text.substring(0, space)) {
      case "at least" -> new Bound(limit, Double.POSITIVE_INFINITY, true);
      case "at most" -> new Bound(Double.NEGATIVE_INFINITY, limit, true);
      case "above" -> new Bound(limit, Double.POSITIVE_INFINITY, false);
      case "below" -> new Bound(Double.NEGATIVE_INFINITY, limit, false);
      case "near" -> new Bound(limit, limit, true);
      default -> throw new IllegalArgumentException("no bound: " + text);
    };
  }

  /** By which a figure may miss the limits and hold still. */
  Bound with(double tolerance) {
    return new Bound(low - tolerance, high + tolerance, hasEnds);
  }

  /**
   * Judges a figure by its confidence interval, one of a single seed by its value. A figure there
   * is none of is not within any bound.
   */
  Verdict of(Estimate seen) {
    if (holds(seen.low()) && holds(seen.high())) {
      return Verdict.MET;
    }
    boolean meets =
        hasEnds ? seen.high() >= low && seen.low() <= high : seen.high() > low && seen.low() < high;
    return meets ? Verdict.UNDECIDED : Verdict.NOT_MET;
  }

  private boolean holds(double figure) {
    return hasEnds ? figure >= low && figure <= high : figure > low && figure < high;
  }

  @Override
  public String toString() {
    if (Double.isInfinite(high)) {
      return (hasEnds ? "at least " : "above ") + number(low);
    }
    if (Double.isInfinite(low)) {
      return (hasEnds ? "at most " : "below ") + number(high);
    }
    return "between " + number(low) + " and " + number(high);
  }

  private static String number(double limit) {
    return String.format(Locale.ROOT, "%.3f", limit);
  }
}
