package org.rackweave.sim.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SinbadClaimsTest {

  @Test
  void asksWhatThePaperFound() {
    List<String> asked = new ArrayList<>();
    for (ScenarioClaim claim : SinbadClaims.CLAIMS) {
      claim.asked().forEach(one -> asked.add(claim.id() + ": " + one.what() + " " + one.bound()));
    }
    assertEquals(
        List.of(
            "sinbad-mean-write: the better of times over 1.58 and of share of the optimum's gain"
                + " over 0.65 at least 1.00",
            "sinbad-shares: faster at least 0.41",
            "sinbad-shares: slower at most 0.12",
            "sinbad-optimum: times at least 1.89",
            "sinbad-optimum: times more than Sinbad's on every seed above 0.00",
            "sinbad-cv: towards the core at most -0.30",
            "sinbad-cv: towards the racks at most -0.28",
            "sinbad-no-disk: times at least 1.79",
            "sinbad-storage-balance: times stock's at most 1.10",
            "sinbad-load: twice the load over once below 1.00",
            "sinbad-interval: 10 s over none at most 1.05"),
        asked);
  }

  /** On either side of every limit, the others being held. */
  @Test
  void verdictsTurnAtTheirLimits() {
    for (ScenarioClaim claim : SinbadClaims.CLAIMS) {
      double[] held =
          claim.asked().stream().mapToDouble(one -> besideLimit(one.bound(), true)).toArray();
      assertEquals("", claim.whyNot(held), claim.id());
      for (int i = 0; i < held.length; i++) {
        double[] missed = held.clone();
        missed[i] = besideLimit(claim.asked().get(i).bound(), false);
        String why = claim.whyNot(missed);
        assertTrue(why.startsWith(claim.asked().get(i).what() + " is "), claim.id() + ": " + why);
      }
    }
  }

  @Test
  void whatWasNotSeenIsNotMet() {
    for (ScenarioClaim claim : SinbadClaims.CLAIMS) {
      double[] nothing = new double[claim.asked().size()];
      Arrays.fill(nothing, Double.NaN);
      assertFalse(claim.whyNot(nothing).isEmpty(), claim.id());
    }
  }

  /** The number nearest to a bound's limit on which it holds, or does not. */
  private static double besideLimit(Bound bound, boolean holds) {
    double limit = Double.isInfinite(bound.low()) ? bound.high() : bound.low();
    if (bound.hasEnds() == holds) {
      return limit;
    }
    return holds == Double.isInfinite(bound.high()) ? Math.nextUp(limit) : Math.nextDown(limit);
  }
}
