package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StripeRulesTest {
  private static final StripeRules FACEBOOK = StripeRules.of(ErasureCode.named("rs-10-4"));

  /** Experiment B.2: (14, 10) "can tolerate 4-node or 4-rack failures". */
  @Test
  void toleratesFourNodesOrFourRacksWithOneBlockARack() {
    assertEquals(4, FACEBOOK.nodeFailures());
    assertEquals(4, FACEBOOK.rackFailures());
    assertEquals(14, FACEBOOK.racksNeeded());
  }

  /** Figure 6: (6, 3) with c = n - k = 3 can do with two of six racks. */
  @Test
  void needsTwoTargetRacksWhenOnlyOneRackHasToBeTolerated() {
    StripeRules rules = StripeRules.of(new ErasureCode(3, 3)).withRackLimit(3);
    assertEquals(2, rules.racksNeeded());
    assertEquals(1, rules.rackFailures());
    assertEquals(2, rules.withTargetRacks(2).targetRacks());
  }

  @Test
  void toleratesFewerRacksTheMoreBlocksTheyHold() {
    assertEquals(2, FACEBOOK.withRackLimit(2).rackFailures());
    assertEquals(1, FACEBOOK.withRackLimit(3).rackFailures());
    assertEquals(1, FACEBOOK.withRackLimit(4).rackFailures());
  }

  @Test
  void namesValuesOutOfRange() {
    assertRefused("not 0", () -> FACEBOOK.withRackLimit(0));
    assertRefused("not 5", () -> FACEBOOK.withRackLimit(5));
    assertRefused("needs 14 racks, not 13", () -> FACEBOOK.withTargetRacks(13));
    ErasureCode code = FACEBOOK.code();
    assertRefused("openStripesMax", () -> new StripeRules(code, 1, 0, 0, 1, 1));
    assertRefused("sealAgeMs", () -> new StripeRules(code, 1, 0, 1, 0, 1));
    assertRefused("seatAgeMs", () -> new StripeRules(code, 1, 0, 1, 1, 0));
  }

  private static void assertRefused(String message, Runnable rules) {
    Exception refused = assertThrows(IllegalArgumentException.class, rules::run);
    assertTrue(refused.getMessage().contains(message), refused::getMessage);
  }

  /** A rack of one node holds one block, whatever the limit. */
  @Test
  void countsTheRoomOfUnevenRacks() {
    assertEquals(1 + 2 + 2, FACEBOOK.withRackLimit(2).roomIn(Racks.of(1, 2, 20)));
    assertEquals(3, FACEBOOK.roomIn(Racks.of(1, 2, 20)));
  }

  /** algorithms.md, step 3: 1 / (1 - floor((i - 1) / c) / (R - 1)). */
  @Test
  void boundsTheDrawsAsThePaperDoes() {
    assertEquals(1, FACEBOOK.drawsBound(1, 20));
    assertEquals(1 / (1 - 9 / 19.0), FACEBOOK.drawsBound(10, 20), 1e-12);
    assertEquals(1 / (1 - 4 / 19.0), FACEBOOK.withRackLimit(2).drawsBound(10, 20), 1e-12);
    assertEquals(1 / (1 - 9 / 13.0), FACEBOOK.withTargetRacks(14).drawsBound(10, 20), 1e-12);
    assertEquals(Double.POSITIVE_INFINITY, FACEBOOK.drawsBound(10, 10));
  }
}
