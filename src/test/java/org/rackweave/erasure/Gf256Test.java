package org.rackweave.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class Gf256Test {
  /** Multiplication of polynomials over bits, step by step. */
  static int slowProduct(int a, int b) {
    int product = 0;
    for (int bit = 7; bit >= 0; bit--) {
      product <<= 1;
      if (product > 255) {
        product ^= 0x11d;
      }
      if ((b >> bit & 1) != 0) {
        product ^= a;
      }
    }
    return product;
  }

  @Test
  void multipliesAsPolynomialsDo() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        assertEquals(slowProduct(a, b), Gf256.multiply(a, b), a + " * " + b);
      }
    }
  }

  @Test
  void invertsEveryElementButZero() {
    for (int a = 1; a < 256; a++) {
      assertEquals(1, Gf256.multiply(a, Gf256.inverse(a)));
    }
    assertThrows(ArithmeticException.class, () -> Gf256.inverse(0));
  }
}
