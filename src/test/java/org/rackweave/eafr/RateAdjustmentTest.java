package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Algorithm 2, with the thresholds of section 3.4. */
class RateAdjustmentTest {
  private static final double[] THREE = {100, 100, 100};

  private static double[] at(double freePercent, double... rates) {
    return RateAdjustment.PAPER.adjust(1000, 1000 - 10 * freePercent, rates);
  }

  /** Eq. 14 as section 3.4 means it: the oldest connection loses least. */
  @Test
  void onACrowdedLinkTheYoungestSlowsDownMost() {
    assertArrayEquals(new double[] {98, 96, 94}, at(8, THREE), 1e-9);
  }

  /** Eq. 15 with the order turned round: the oldest gains most. */
  @Test
  void onAFreeLinkTheOldestSpeedsUpMost() {
    assertArrayEquals(new double[] {115, 110, 105}, at(80, THREE), 1e-9);
  }

  @Test
  void betweenTheThresholdsRatesStay() {
    assertArrayEquals(THREE, at(20, THREE));
    assertArrayEquals(THREE, at(35, THREE));
    assertArrayEquals(THREE, at(50, THREE));
  }

  @Test
  void aLinkMeasuredAsMoreThanFullIsFull() {
    assertArrayEquals(at(0, THREE), at(-30, THREE));
    assertArrayEquals(at(100, THREE), at(130, THREE));
  }

  @Test
  void nobodyGetsMoreThanTheLink() {
    assertArrayEquals(new double[] {1000}, at(90, 990));
  }

  /** Thirty rounds on a link that others fill. */
  @Test
  void aCrowdedLinkBringsNobodyToAStandstill() {
    RateAdjustment bounded = new RateAdjustment(0.2, 0.5, 30);
    double[] rates = {100, 100, 20};
    for (int round = 0; round < 300; round++) {
      rates = bounded.adjust(1000, 1000, rates);
    }
    assertArrayEquals(new double[] {30, 30, 20}, rates, 1e-9, "slow ones stay as they are");
    assertArrayEquals(new double[] {10}, bounded.adjust(10, 10, new double[] {20}), 1e-9);
  }

  @Test
  void withoutSendersThereIsNothingToAdjust() {
    assertEquals(0, at(90).length);
  }

  @Test
  void orderOfAgeIsOrderOfPriorityWhateverTheLoad() {
    long first = System.nanoTime();
    System.out.println("Eq. 13 to 15, first seed " + first);
    for (long seed = first; seed < first + 5000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      int n = 1 + dice.nextInt(12);
      double free = dice.nextDouble();
      double[] rates = dice.doubles(n, 0, 1000.0 / 12).toArray();
      double[] after = RateAdjustment.PAPER.adjust(1000, 1000 * (1 - free), rates);
      double factors = 0;
      for (int i = 0; i < n; i++) {
        assertTrue(after[i] >= 0, "seed " + seed);
        double factor = after[i] / rates[i];
        assertTrue(i == 0 || factor <= after[i - 1] / rates[i - 1] + 1e-9, "seed " + seed);
        factors += factor - 1;
      }
      double expected = free < 0.2 ? free - 0.2 : free > 0.5 ? free - 0.5 : 0;
      assertEquals(expected, factors, 1e-6, "shares i / sum(k) add up to one, seed " + seed);
    }
  }

  /** Twenty senders, first too many for the link and then too few, with other traffic beside. */
  @Test
  void roundsOfAdjustmentBringTheLinkBetweenItsThresholds() {
    for (double start : new double[] {5, 70}) {
      double[] rates = new double[20];
      Arrays.fill(rates, start);
      for (int round = 0; round < 2000; round++) {
        double used = Math.min(1000, Arrays.stream(rates).sum());
        rates = RateAdjustment.PAPER.adjust(1000, used, rates);
      }
      double free = 1 - Arrays.stream(rates).sum() / 1000;
      assertTrue(free > 0.19 && free < 0.51, "started at " + start + ", free " + free);
    }
  }

  @Test
  void refusesThresholdsOutOfOrderByName() {
    assertEquals("eta_l is 0.0, allowed is (0, 1)", refusal(() -> new RateAdjustment(0, 0.5, 0)));
    assertEquals(
        "eta_h is 0.2, allowed is (eta_l, 1), eta_l being 0.2",
        refusal(() -> new RateAdjustment(0.2, 0.2, 0)));
    assertEquals(
        "least rate in bytes per second is -1, allowed is at least 0",
        refusal(() -> new RateAdjustment(0.2, 0.5, -1)));
    assertEquals(
        "link capacity in bytes per second is 0.0, allowed is positive",
        refusal(() -> RateAdjustment.PAPER.adjust(0, 0, THREE)));
  }

  private static String refusal(Runnable wrong) {
    return assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
  }
}
