package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class RateCodeTest {
  private static final int CODES = 1 << RateCode.BITS;
  private static final int SIGN = CODES / 2;

  @Test
  void isExactForWhatACodeStandsFor() {
    for (int code = 0; code < CODES; code++) {
      assertEquals(code, RateCode.ofRate(RateCode.rate(code)));
      assertEquals(code == SIGN ? 0 : code, RateCode.ofTrend(RateCode.trend(code)), "trend");
    }
  }

  @Test
  void keepsARateWithinHalfAPercentAndATrendWithinOne() {
    long seed = System.nanoTime();
    System.out.println("rate codes, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int i = 0; i < 100_000; i++) {
      double rate = RateCode.LEAST * Math.pow(2, 42 * random.nextDouble());
      double read = RateCode.rate(RateCode.ofRate(rate));
      assertTrue(Math.abs(read - rate) <= 0.005 * rate, rate + " read as " + read);
      double trend = random.nextBoolean() ? rate : -rate;
      double readTrend = RateCode.trend(RateCode.ofTrend(trend));
      assertTrue(Math.abs(readTrend - trend) <= 0.01 * rate, trend + " read as " + readTrend);
    }
  }

  @Test
  void neverTurnsALargerRateIntoASmallerOne() {
    long seed = System.nanoTime();
    System.out.println("order of rate codes, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int i = 0; i < 100_000; i++) {
      double rate = Math.pow(2, 52 * random.nextDouble()) - 1;
      double larger = rate * (1 + random.nextDouble() / 50);
      assertTrue(
          RateCode.rate(RateCode.ofRate(rate)) <= RateCode.rate(RateCode.ofRate(larger)),
          rate + " and " + larger);
      assertTrue(
          RateCode.trend(RateCode.ofTrend(-rate)) >= RateCode.trend(RateCode.ofTrend(-larger)),
          -rate + " and " + -larger);
    }
  }

  @Test
  void takesTheNearestEndForWhatIsOutOfRange() {
    assertEquals(0, RateCode.rate(RateCode.ofRate(0)));
    assertEquals(0, RateCode.rate(RateCode.ofRate(31)));
    assertEquals(64, RateCode.rate(RateCode.ofRate(33)));
    assertEquals(RateCode.MOST, RateCode.rate(RateCode.ofRate(Double.MAX_VALUE)));
    assertEquals(-RateCode.MOST, RateCode.trend(RateCode.ofTrend(-Double.MAX_VALUE)));
    assertEquals(0, RateCode.ofTrend(-31), "no minus zero");
  }

  @Test
  void refusesRatesThatAreNone() {
    assertThrows(IllegalArgumentException.class, () -> of(-2, 0));
    assertThrows(IllegalArgumentException.class, () -> of(Double.NaN, 0));
    assertThrows(IllegalArgumentException.class, () -> of(0, Double.NEGATIVE_INFINITY));
    assertEquals(-5, of(0, -5).rxTrend());
  }

  private static LinkRates of(double rx, double trend) {
    return new LinkRates(rx, 0, 0, 0, 0, 0, trend, 0);
  }
}
