package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.dayu.RecoveryGoal.Plan;
import org.rackweave.dayu.RecoveryGoal.Work;

class RecoveryGoalTest {
  private static final long HOUR_MS = 3_600_000;
  private static final ZoneId ZONE = ZoneOffset.UTC;
  private static final long MIDNIGHT_MS = Instant.parse("2026-11-23T00:00:00Z").toEpochMilli();

  private static Plan plan(RecoveryGoal goal, Work work, String calendar) {
    return goal.plan(work, RecoveryCalendar.parse(calendar), ZONE, MIDNIGHT_MS);
  }

  private static RecoveryGoal by(double hours, double interference) {
    return new RecoveryGoal(MIDNIGHT_MS + Math.round(hours * HOUR_MS), interference);
  }

  @Test
  void takesTheLeastShareThatIsDoneInTime() {
    Plan plan = plan(by(6, 1), new Work(0, 2 * 3600, 0), "");
    assertEquals(1 / 3.0, plan.share(), 1e-6);
    assertEquals(MIDNIGHT_MS + 2 * HOUR_MS, plan.earliestMs());
    assertEquals(0.05, plan(by(6, 1), new Work(0, 60, 0), "").share(), "a slot moves a block");
  }

  @Test
  void blocksWithASingleReplicaComeFirstAtTheFullRate() {
    assertEquals(0.4, plan(by(6, 1), new Work(3600, 2 * 3600, 0), "").share(), 1e-6);
    Plan late = plan(by(0.5, 1), new Work(3600, 0, 0), "");
    assertFalse(late.isFeasible());
    assertEquals(MIDNIGHT_MS + HOUR_MS, late.earliestMs());
  }

  @Test
  void theCalendarBindsIt() {
    String half = "00:00-02:00=25%";
    assertEquals(0.625, plan(by(6, 1), new Work(0, 3 * 3600, 0), half).share(), 1e-6);
    Plan plan = plan(by(2, 1), new Work(0, 3600, 0), half);
    assertFalse(plan.isFeasible());
    assertEquals(MIDNIGHT_MS + Math.round(2.5 * HOUR_MS), plan.earliestMs());
    assertTrue(Double.isNaN(plan.leastInterference()), "by then with none at all");
  }

  @Test
  void namesTheBestThatIsFeasible() {
    Work work = new Work(0, 2 * 3600, 0.08);
    Plan plan = plan(by(4, 0.02), work, "");
    assertFalse(plan.isFeasible());
    assertEquals(MIDNIGHT_MS + 8 * HOUR_MS, plan.earliestMs(), "with a quarter");
    assertEquals(0.04, plan.leastInterference(), 1e-6, "with half");
    assertEquals(0.25, by(4, 0.02).mostShare(work), 1e-9);
    assertTrue(plan(by(4, 0.04), work, "").isFeasible());
    assertEquals(-1, plan(by(4, 0.0001), work, "").earliestMs(), "not in a week");
    assertEquals(0.05, by(4, 0.0001).mostShare(work), "it gets on all the same");
    assertFalse(plan(by(100, 0.003), work, "").isFeasible(), "a slot would move no block");
    assertEquals(0.05, plan(by(4, 0.0001), new Work(60, 0, 0.08), "").share());
  }

  @Test
  void refusesAnInterferenceThatIsNone() {
    assertEquals(
        "max-interference is 0.0, allowed is (0, 1]",
        assertThrows(IllegalArgumentException.class, () -> by(1, 0)).getMessage());
  }

  /** Against minutes gone through one by one with each share of a fine grid. */
  @Test
  void theShareIsTheLeastOfAllThatWouldDo() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      String text =
          String.format(
              "%02d:00-%02d:30=%d%%",
              random.nextInt(24), random.nextInt(24), 5 + random.nextInt(96));
      RecoveryCalendar calendar = RecoveryCalendar.parse(text);
      RecoveryGoal goal = by(1 + random.nextInt(23), 0.01 + 0.05 * random.nextDouble());
      Work work =
          new Work(
              600 * random.nextDouble(), 40_000 * random.nextDouble(), random.nextInt(3) / 20.0);
      double least = Double.NaN;
      for (int percent = 100; percent >= 5; percent--) {
        double share = Math.min(percent / 100.0, goal.mostShare(work));
        double left = work.restSec();
        long untilMs = goal.doneByMs() - Math.round(1000 * work.urgentSec());
        for (long ms = MIDNIGHT_MS; ms < untilMs; ms += 60_000) {
          // The calendar's hours begin where the urgent ones end, some minutes later at most.
          long at = ms + Math.round(1000 * work.urgentSec());
          double sec = Math.min(60, (untilMs - ms) / 1000.0);
          left -=
              sec
                  * Math.min(
                      share,
                      calendar.shareAt(Instant.ofEpochMilli(at).atZone(ZONE).toLocalDateTime()));
        }
        least = left <= 1e-6 ? percent / 100.0 : least;
      }
      Plan plan = goal.plan(work, calendar, ZONE, MIDNIGHT_MS);
      assertEquals(Double.isNaN(least), !plan.isFeasible(), "seed " + seed + " " + text);
      if (plan.isFeasible()) {
        assertTrue(
            plan.share() <= least + 1e-6 && plan.share() > least - 0.0101,
            () -> plan + " for " + text);
        assertTrue(plan.earliestMs() <= goal.doneByMs() + 1, "seed " + seed);
      }
    }
  }
}
