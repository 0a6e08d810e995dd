package org.rackweave.dayu;

/** Refuses numbers outside their range in words that name thing, value and range. */
final class Require {
  private Require() {}

  /** From 0, finite. */
  static double rate(double value, String what) {
    return between(value, 0, Double.MAX_VALUE, what);
  }

  /** From 0, infinite for no limit. */
  static double limit(double value, String what) {
    if (!(value >= 0)) {
      throw new IllegalArgumentException(what + " is 0 to infinity, not " + value);
    }
    return value;
  }

  static double positive(double value, String what) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " is above 0 and finite, not " + value);
    }
    return value;
  }

  static double between(double value, double low, double high, String what) {
    if (!(value >= low && value <= high)) {
      String to = high == Double.MAX_VALUE ? "finite and at least " + low : low + " to " + high;
      throw new IllegalArgumentException(what + " is " + to + ", not " + value);
    }
    return value;
  }

  static long between(long value, long low, long high, String what) {
    if (value < low || value > high) {
      String to = high == Long.MAX_VALUE ? "at least " + low : low + " to " + high;
      throw new IllegalArgumentException(what + " is " + to + ", not " + value);
    }
    return value;
  }
}
