package org.rackweave.telemetry;

/**
 * Rates in 12 bits: equal steps of the logarithm, so that the error is the same fraction of any
 * rate. Every 12 bits are the code of something.
 *
 * <ul>
 *   <li>A rate: 0 for none, 1 to 4094 for 64 B/s to 2^48 B/s with an error of at most 0.36 %, 4095
 *       for unknown.
 *   <li>A trend: a sign bit (2048) and 11 bits, 0 for none and 1 to 2047 for the same range with an
 *       error of at most 0.72 %.
 * </ul>
 *
 * <p>What is below 64 B/s becomes nothing or 64 B/s, whichever is nearer; what is above the range
 * becomes its end.
 */
final class RateCode {
  static final int BITS = 12;

  /** Not known, of a rate. */
  static final int UNKNOWN = (1 << BITS) - 1;

  static final double LEAST = 64;
  static final double MOST = 1L << 48;

  private static final int LAST_RATE = UNKNOWN - 1;
  private static final int SIGN = 1 << BITS - 1;
  private static final int LAST_TREND = SIGN - 1;
  private static final double RANGE = Math.log(MOST / LEAST);
  private static final double[] RATES = new double[1 << BITS];
  private static final double[] TRENDS = new double[1 << BITS];

  static {
    for (int code = 1; code <= LAST_RATE; code++) {
      RATES[code] = value(code, LAST_RATE);
    }
    RATES[UNKNOWN] = LinkRates.UNKNOWN;
    for (int code = 1; code <= LAST_TREND; code++) {
      TRENDS[code] = value(code, LAST_TREND);
      TRENDS[code | SIGN] = -TRENDS[code];
    }
  }

  private RateCode() {}

  /**
   * @param rate at least 0, or {@link LinkRates#UNKNOWN}
   */
  static int ofRate(double rate) {
    return rate == LinkRates.UNKNOWN ? UNKNOWN : code(rate, LAST_RATE);
  }

  static double rate(int code) {
    return RATES[code];
  }

  static int ofTrend(double trend) {
    int code = code(Math.abs(trend), LAST_TREND);
    return trend < 0 && code > 0 ? code | SIGN : code;
  }

  static double trend(int code) {
    return TRENDS[code];
  }

  private static int code(double value, int last) {
    if (value < LEAST) {
      return value < LEAST / 2 ? 0 : 1;
    }
    return 1 + (int) Math.round((last - 1) * Math.min(1, Math.log(value / LEAST) / RANGE));
  }

  private static double value(int code, int last) {
    return code == last ? MOST : LEAST * Math.exp(RANGE * (code - 1) / (last - 1));
  }
}
