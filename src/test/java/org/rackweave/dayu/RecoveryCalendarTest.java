package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryCalendarTest {

  /** The 23rd of November 2026 is a Monday. */
  @ParameterizedTest
  @CsvSource({
    "mon-fri 08:00-20:00=25%, 23T07:59, 1",
    "mon-fri 08:00-20:00=25%, 23T08:00, 0.25",
    "mon-fri 08:00-20:00=25%, 27T19:59, 0.25",
    "mon-fri 08:00-20:00=25%, 27T20:00, 1",
    "mon-fri 08:00-20:00=25%, 28T12:00, 1",
    "20:00-06:00=10%, 23T05:59, 0.1",
    "20:00-06:00=10%, 23T06:00, 1",
    "20:00-06:00=10%, 23T20:00, 0.1",
    "sun 20:00-06:00=10%, 23T05:00, 0.1",
    "sun 20:00-06:00=10%, 22T05:00, 1",
    "'fri-mon,wed 00:00-24:00=50%', 23T23:59, 0.5",
    "'fri-mon,wed 00:00-24:00=50%', 24T12:00, 1",
    "'fri-mon,wed 00:00-24:00=50%', 25T00:00, 0.5",
    "'MON 08:00-12:00=50%; 10:00-11:00=20%', 23T10:30, 0.2",
    "'MON 08:00-12:00=50%; 10:00-11:00=20%', 23T11:00, 0.5",
    "'', 23T11:00, 1"
  })
  void givesTheShareOfAnHour(String text, String when, double share) {
    RecoveryCalendar calendar = RecoveryCalendar.parse(text);
    LocalDateTime at = LocalDateTime.parse("2026-11-" + when);
    assertEquals(share, calendar.shareAt(at));
    assertEquals(share, RecoveryCalendar.parse(calendar.toString()).shareAt(at), "written down");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mon-fri",
        "08:00-20:00",
        "08:00-20:00=4%",
        "08:00-20:00=101%",
        "08:00-20:00=half",
        "08:00-25:00=50%",
        "8-20=50%",
        "08:00-08:00=50%",
        "mon-fry 08:00-20:00=50%",
        "mo 08:00-20:00=50%",
        "mon- 08:00-20:00=50%",
        "08:00-20:00=50%;",
        "08:00-20:00=1.2.3%"
      })
  void namesWhatMakesNoSense(String text) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> RecoveryCalendar.parse(text))
            .getMessage();
    String entry = text.endsWith(";") ? "" : text;
    assertTrue(said.startsWith("calendar '" + entry + "': allowed is [DAYS] HH:MM"), said);
  }

  @Test
  void allIsAllowedWithoutOne() {
    assertEquals(1, RecoveryCalendar.NONE.shareAt(LocalDateTime.parse("2026-11-23T10:00")));
    assertEquals("", RecoveryCalendar.NONE.toString());
  }
}
