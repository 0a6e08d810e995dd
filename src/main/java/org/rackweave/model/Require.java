package org.rackweave.model;

/**
 * Refuses arguments, naming the thing, its value and what is allowed. What is not a number is never
 * allowed. All throw {@link IllegalArgumentException} or return the value; words are put together
 * only for a refusal.
 */
public final class Require {
  private Require() {}

  /**
   * @param allowed what would be allowed, in words that follow "allowed is"
   */
  public static void that(boolean holds, String what, Object value, String allowed) {
    if (!holds) {
      throw refusal(what, value, allowed);
    }
  }

  public static long within(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw refusal(what, value, least + " to " + most);
    }
    return value;
  }

  public static double within(String what, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw refusal(what, value, least + " to " + most);
    }
    return value;
  }

  public static long atLeast(String what, long value, long least) {
    if (value < least) {
      throw refusal(what, value, "at least " + least);
    }
    return value;
  }

  /** A share that is neither none nor all. */
  public static double fraction(String what, double value) {
    if (!(value > 0 && value < 1)) {
      throw refusal(what, value, "(0, 1)");
    }
    return value;
  }

  /** Above 0, finite. */
  public static double positive(String what, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw refusal(what, value, value > 0 ? "finite" : "positive");
    }
    return value;
  }

  /** From 0, finite. */
  public static double rate(String what, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw refusal(what, value, "finite and at least 0");
    }
    return value;
  }

  /** From 0, infinite for no limit. */
  public static double limit(String what, double value) {
    if (!(value >= 0)) {
      throw refusal(what, value, "0 to infinity");
    }
    return value;
  }

  private static IllegalArgumentException refusal(String what, Object value, String allowed) {
    return new IllegalArgumentException(what + " is " + value + ", allowed is " + allowed);
  }
}
