package org.rackweave.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

class ExposureTest {
  private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  private final Exposure exposure = new Exposure(ZONE);
  private long nowMs =
      ZonedDateTime.of(2026, 11, 26, 23, 30, 0, 0, ZONE).toInstant().toEpochMilli();

  private void minutes(int count, long blocks) {
    for (int minute = 0; minute < count; minute++) {
      exposure.add(nowMs, blocks);
      nowMs += MINUTE_MS;
    }
  }

  @Test
  void sumsBlocksTimesHoursAndKeepsTodayApart() {
    minutes(30, 60);
    assertEquals(29, exposure.blockHours().today(), 1e-9);
    minutes(61, 60); // from midnight on
    assertEquals(29, exposure.blockHours().before(), 1e-9);
    assertEquals(61, exposure.blockHours().today(), 1e-9, "with the minute before midnight");
  }

  @Test
  void takesTheMeanOfTwoLooks() {
    exposure.add(nowMs, 0);
    exposure.add(nowMs + MINUTE_MS, 120);
    assertEquals(1, exposure.blockHours().today(), 1e-9);
  }

  @Test
  void knowsNothingOfGapsOfAStandbyAndOfAClockThatWasSetBack() {
    exposure.add(nowMs, 600);
    exposure.add(nowMs + 6 * MINUTE_MS, 600);
    exposure.add(nowMs + 5 * MINUTE_MS, 600);
    exposure.add(nowMs + 6 * MINUTE_MS, -1);
    exposure.add(nowMs + 7 * MINUTE_MS, 600);
    assertEquals(0, exposure.blockHours().today());
    exposure.add(nowMs + 8 * MINUTE_MS, 600);
    assertEquals(10, exposure.blockHours().today(), 1e-9);
  }
}
