package org.rackweave.eafr;

/** Refuses values, naming the thing, the value and what is allowed. */
final class Range {
  private Range() {}

  static void check(boolean allowed, String what, Object value, String range) {
    if (!allowed) {
      throw new IllegalArgumentException(what + " is " + value + ", allowed is " + range);
    }
  }

  static void within(String what, long value, long least, long most) {
    check(value >= least && value <= most, what, value, least + " to " + most);
  }

  static void atLeast(String what, long value, long least) {
    check(value >= least, what, value, "at least " + least);
  }

  /** A share that is neither none nor all. */
  static void fraction(String what, double value) {
    check(value > 0 && value < 1, what, value, "(0, 1)");
  }

  static void positive(String what, double value) {
    check(value > 0 && value < Double.POSITIVE_INFINITY, what, value, "positive");
  }
}
