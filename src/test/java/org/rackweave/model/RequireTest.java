package org.rackweave.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RequireTest {
  @Test
  void handsBackWhatIsAllowedUpToBothEnds() {
    assertEquals(1, Require.within("x", 1, 1, 3));
    assertEquals(3, Require.within("x", 3, 1, 3));
    assertEquals(0.5, Require.within("x", 0.5, 0.5, 0.5));
    assertEquals(7, Require.atLeast("x", 7, 7));
    assertEquals(Long.MAX_VALUE, Require.atLeast("x", Long.MAX_VALUE, 0));
    assertEquals(0.999, Require.fraction("x", 0.999));
    assertEquals(Double.MIN_VALUE, Require.positive("x", Double.MIN_VALUE));
    assertEquals(0, Require.rate("x", 0));
    assertEquals(Double.MAX_VALUE, Require.rate("x", Double.MAX_VALUE));
    assertEquals(Double.POSITIVE_INFINITY, Require.limit("x", Double.POSITIVE_INFINITY));
    Require.that(true, "x", 1, "2");
  }

  @Test
  void namesThingValueAndWhatIsAllowed() {
    assertRefused("x is 0, allowed is 1 to 3", () -> Require.within("x", 0, 1, 3));
    assertRefused("x is 4, allowed is 1 to 3", () -> Require.within("x", 4, 1, 3));
    assertRefused("x is 1.1, allowed is 0.0 to 1.0", () -> Require.within("x", 1.1, 0, 1));
    assertRefused("x is 6, allowed is at least 7", () -> Require.atLeast("x", 6, 7));
    assertRefused("x is 0.0, allowed is (0, 1)", () -> Require.fraction("x", 0));
    assertRefused("x is 1.0, allowed is (0, 1)", () -> Require.fraction("x", 1));
    assertRefused("x is 0.0, allowed is positive", () -> Require.positive("x", 0));
    assertRefused("x is -1.0, allowed is finite and at least 0", () -> Require.rate("x", -1));
    assertRefused("x is -1.0, allowed is 0 to infinity", () -> Require.limit("x", -1));
    assertRefused("x is y, allowed is z", () -> Require.that(false, "x", "y", "z"));
  }

  @Test
  void refusesInfinityWhereNothingCouldBeThatLarge() {
    double infinite = Double.POSITIVE_INFINITY;
    assertRefused("x is Infinity, allowed is finite", () -> Require.positive("x", infinite));
    assertRefused(
        "x is Infinity, allowed is finite and at least 0", () -> Require.rate("x", infinite));
  }

  @Test
  void refusesWhatIsNoNumber() {
    double nan = Double.NaN;
    assertRefused("x is NaN, allowed is 0.0 to 1.0", () -> Require.within("x", nan, 0, 1));
    assertRefused("x is NaN, allowed is (0, 1)", () -> Require.fraction("x", nan));
    assertRefused("x is NaN, allowed is positive", () -> Require.positive("x", nan));
    assertRefused("x is NaN, allowed is finite and at least 0", () -> Require.rate("x", nan));
    assertRefused("x is NaN, allowed is 0 to infinity", () -> Require.limit("x", nan));
  }

  private static void assertRefused(String message, Runnable check) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, check::run).getMessage());
  }
}
