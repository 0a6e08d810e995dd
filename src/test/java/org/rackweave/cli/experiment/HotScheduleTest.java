package org.rackweave.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HotScheduleTest {

  private static final int PERIOD_MS = 10_000;

  @Test
  void loadsEveryRackEquallyOftenWhenPeriodsComeRound() {
    for (long seed = 0; seed < 100; seed++) {
      HotSchedule schedule = HotSchedule.draw(seed, 6, 2, PERIOD_MS, 6);
      int[] times = new int[6];
      schedule.periods().forEach(racks -> racks.forEach(rack -> times[rack]++));
      for (int rack = 0; rack < 6; rack++) {
        assertEquals(2, times[rack], "rack " + rack + ", seed " + seed);
      }
    }
  }

  @Test
  void leavesNoRackHotForTwoPeriodsWhenHalfOfThemOrFewerAre() {
    for (int racks = 4; racks <= 7; racks++) {
      HotSchedule schedule = HotSchedule.draw(racks, racks, 2, PERIOD_MS, 12);
      for (int period = 1; period < 12; period++) {
        Set<Integer> before = schedule.periods().get(period - 1);
        assertTrue(Collections.disjoint(before, schedule.periods().get(period)));
      }
    }
  }

  @Test
  void repeatsItselfWhenTheSeedIsTheSame() {
    assertEquals(
        HotSchedule.draw(7, 6, 2, PERIOD_MS, 4).periods(),
        HotSchedule.draw(7, 6, 2, PERIOD_MS, 4).periods());
  }

  @Test
  void staysInTheLastPeriodWhenARoundTakesLonger() {
    HotSchedule schedule = HotSchedule.draw(7, 6, 2, PERIOD_MS, 2);
    assertEquals(schedule.periods().get(0), schedule.hotAt(9_999));
    assertEquals(schedule.periods().get(1), schedule.hotAt(10_000));
    assertEquals(schedule.periods().get(1), schedule.hotAt(1_000_000));
  }

  @Test
  void knowsWhatWasHotAtAnyMomentOfAStretch() {
    HotSchedule schedule = HotSchedule.draw(7, 6, 2, PERIOD_MS, 3);
    assertEquals(schedule.periods().get(1), schedule.hotBetween(PERIOD_MS, 2 * PERIOD_MS - 1));
    assertEquals(6, schedule.hotBetween(PERIOD_MS - 1, 2 * PERIOD_MS).size());
  }

  @Test
  void givesOutItsPeriodsInParts() {
    HotSchedule whole = HotSchedule.draw(3, 6, 2, PERIOD_MS, 6);
    assertEquals(whole.periods().get(3), whole.part(2, 4).hotAt(PERIOD_MS));
  }

  @Test
  void refusesToLoadAllRacks() {
    assertThrows(IllegalArgumentException.class, () -> HotSchedule.draw(1, 3, 3, PERIOD_MS, 1));
  }
}
