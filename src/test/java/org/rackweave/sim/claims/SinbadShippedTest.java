package org.rackweave.sim.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SinbadShippedTest {

  @Test
  void isMetWhereNoScenarioLosesMoreThanATwentieth() {
    Claim claim = SinbadShipped.verdict(Map.of("day", 1.3, "load", 0.951), List.of());
    assertTrue(claim.met());
    assertEquals(0.951, claim.ours().mean(), 1e-9);
  }

  @Test
  void isNotMetWhereOneLosesMore() {
    Claim claim = SinbadShipped.verdict(Map.of("day", 1.3, "load", 0.949), List.of());
    assertFalse(claim.met());
    assertEquals("load is 0.949 and not at least 0.950", claim.why());
  }
}
