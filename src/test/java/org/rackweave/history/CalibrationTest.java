package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.history.PlacementRecord.Expected;

class CalibrationTest {
  private final Calibration calibration = new Calibration();

  private static PlacementRecord record(long atMs, String path) {
    return new PlacementRecord(
        atMs,
        path,
        true,
        1000,
        null,
        PlacementRecord.Ranking.NETWORK,
        null,
        List.of(),
        List.of(),
        List.of(),
        new Expected(2, Double.NaN, 9, 9, 0, 0));
  }

  @Test
  void tellsHowMeasuredTimesSpreadAboutExpectedOnes() {
    assertTrue(Double.isNaN(calibration.ratios().median()));
    for (int i = 1; i <= 10; i++) {
      calibration.add(record(i, "/a"), 1000, 0.4 * i);
    }
    Calibration.Ratios ratios = calibration.ratios();
    assertEquals(10, ratios.blocks());
    assertEquals(0.4, ratios.p10(), 1e-9);
    assertEquals(1.2, ratios.median(), 1e-9);
    assertEquals(2, ratios.p90(), 1e-9);
  }

  @Test
  void findsTheBlockOfAPlacement() {
    calibration.add(record(1, "/a"), 1000, 1);
    calibration.add(record(1, "/b"), 500, 3);
    Calibration.Block found = calibration.of(record(1, "/b"));
    assertEquals(3, found.seconds(), 1e-9);
    assertEquals(
        "Written in 3.00 s, the writer's own time included; expected were 1.00 s (of 2 blocks, 80 %"
            + " took 0.50 to 3.00 times as long as expected).",
        calibration.sentence(found));
    assertNull(calibration.of(record(2, "/b")));
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 6000; i++) {
      calibration.add(record(i, "/a"), 1000, 1);
    }
    assertEquals(5000, calibration.ratios().blocks());
    assertNull(calibration.of(record(0, "/a")));
  }
}
