package org.rackweave.erasure;

/**
 * The field of 256 elements in which HDFS codes bytes: polynomials over bits modulo x^8 + x^4 + x^3
 * + x^2 + 1. Addition is exclusive or. Elements are ints from 0 to 255.
 */
final class Gf256 {
  /** x^8 modulo the field's polynomial. */
  static final int REDUCTION = 0x1d;

  private static final int NON_ZERO = 255;
  private static final int[] LOGARITHM = new int[256];

  /** Powers of x, twice over, so that the sum of two logarithms needs no modulo. */
  private static final int[] POWER = new int[2 * NON_ZERO];

  static {
    int power = 1;
    for (int exponent = 0; exponent < NON_ZERO; exponent++) {
      POWER[exponent] = power;
      POWER[exponent + NON_ZERO] = power;
      LOGARITHM[power] = exponent;
      power <<= 1;
      if (power > 255) {
        power = (power & 255) ^ REDUCTION;
      }
    }
  }

  private Gf256() {}

  static int multiply(int a, int b) {
    return a == 0 || b == 0 ? 0 : POWER[LOGARITHM[a] + LOGARITHM[b]];
  }

  /**
   * @throws ArithmeticException for 0
   */
  static int inverse(int a) {
    if (a == 0) {
      throw new ArithmeticException("0 has no inverse");
    }
    return POWER[NON_ZERO - LOGARITHM[a]];
  }
}
