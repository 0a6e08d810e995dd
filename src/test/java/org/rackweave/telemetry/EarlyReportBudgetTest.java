package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class EarlyReportBudgetTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void allowsOneInTwentyHeartbeatsInTheLongRunHoweverOftenItIsAsked() {
    long seed = System.nanoTime();
    System.out.println("budget of early reports, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int intervalMs : new int[] {1_000, 3_000, 60_000}) {
      long now = random.nextLong();
      long hours = 100 * intervalMs / 1_000;
      long end = now + hours * 3_600 * SECOND;
      EarlyReportBudget budget = new EarlyReportBudget(intervalMs, now);
      int taken = 0;
      while (now - end < 0) {
        if (budget.allows(now)) {
          budget.take(now);
          taken++;
        }
        now += 1 + random.nextLong(20 * SECOND);
      }
      double regular = hours * 3_600_000.0 / intervalMs;
      assertTrue(taken <= 0.05 * regular + 1, () -> "seed " + seed);
      assertTrue(taken >= 0.049 * regular, () -> "seed " + seed);
    }
  }

  @Test
  void keepsThreeAndSpendsThemASecondApart() {
    EarlyReportBudget budget = new EarlyReportBudget(3_000, 0);
    long now = 24 * 3_600 * SECOND;
    for (int i = 0; i < 3; i++) {
      assertTrue(budget.allows(now));
      budget.take(now);
      assertFalse(budget.allows(now + SECOND - 1));
      now += SECOND;
    }
    assertFalse(budget.allows(now));
    assertTrue(budget.allows(now + 60 * SECOND));
  }

  @Test
  void beginsWithOne() {
    EarlyReportBudget budget = new EarlyReportBudget(3_000, 5);
    assertTrue(budget.allows(5));
    budget.take(5);
    assertFalse(budget.allows(5 + 59 * SECOND));
    assertTrue(budget.allows(5 + 60 * SECOND + 1_000));
  }

  @Test
  void doesNotMindAskingTwiceOrATimeThatStands() {
    EarlyReportBudget budget = new EarlyReportBudget(3_000, 0);
    assertTrue(budget.allows(0));
    assertTrue(budget.allows(0));
    assertTrue(budget.allows(-1));
    assertEquals(true, budget.allows(SECOND));
  }
}
