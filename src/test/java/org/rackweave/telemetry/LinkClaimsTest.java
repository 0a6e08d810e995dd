package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinkClaimsTest {
  private static final double DECLARED = 125e6;

  @Test
  void whatTheOperatorDeclaredIsBelievedInAnyCase() {
    assertEquals(DECLARED, LinkClaims.most(new double[] {}, DECLARED));
    assertEquals(DECLARED, LinkClaims.most(new double[] {0, 0, 1e6}, DECLARED));
  }

  @Test
  void fasterLinksAreBelievedWhereTheOthersAreFasterToo() {
    double[] claims = {1.25e9, 1.25e9, 3e9, 1.25e9, 0, 0, 0, 0};
    assertEquals(5e9, LinkClaims.most(claims, DECLARED));
  }

  @Test
  void ofTwoTheSmallerOneIsBelieved() {
    assertEquals(4 * DECLARED, LinkClaims.most(new double[] {1e15, DECLARED}, DECLARED));
  }

  @Test
  void aMinorityMovesNobodysLimitBeyondWhatHonestOnesClaim() {
    long seed = 20;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2000; round++) {
      int honest = random.nextInt(1, 40);
      int liars = random.nextInt(0, honest + 1);
      double[] claims = new double[honest + liars];
      double fastest = 0;
      for (int i = 0; i < honest; i++) {
        claims[i] = random.nextDouble(1e6, 1e10);
        fastest = Math.max(fastest, claims[i]);
      }
      for (int i = honest; i < claims.length; i++) {
        claims[i] = random.nextBoolean() ? Double.MAX_VALUE : random.nextDouble(0, 1e18);
      }
      double most = LinkClaims.most(claims, DECLARED);
      String what = "seed " + seed + ", round " + round;
      assertTrue(most <= Math.max(DECLARED, LinkClaims.TIMES_OTHERS * fastest), what);
      assertTrue(most >= DECLARED, what);
    }
  }
}
