package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.MixedRandom;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "BYTES, 256MiB, 268435456, 256MiB",
    "BYTES, 250GB, 250e9, 250GB",
    "BYTES, 1.5kB, 1500, 1500B",
    "BYTES, 1024B, 1024, 1KiB",
    "TIME, 600s, 600000, 10min",
    "TIME, 300s, 300000, 5min",
    "TIME, 120min, 7200000, 2h",
    "BANDWIDTH, 1Gbps, 125e6, 1Gbps",
    "BANDWIDTH, 125MB/s, 125e6, 1Gbps",
    "BANDWIDTH, 50MB/s, 50e6, 50MB/s",
    "RATE, 30/min, 0.5, 30/min",
    "RATE, 4/s, 4, 4/s",
    "RATE, 7/h, 0.0019444444444444444, 7/h",
    "SHARE, 20%, 0.2, 20%",
    "SHARE, 0.2, 0.2, 20%",
    "SHARE, 1, 1, 100%",
    "SHARE, 0.125, 0.125, 12.5%",
    "SHARE, 0, 0, 0",
    "TIME, 0d, 0, 0ms",
    "NUMBER, 1e3, 1000, 1000"
  })
  void readsAndWritesShortly(Units units, String text, double value, String shortest)
      throws BadValueException {
    assertEquals(value, units.parse(text));
    assertEquals(shortest, units.format(value));
  }

  @ParameterizedTest
  @CsvSource({
    "BYTES, 256", "BYTES, 256 MiB", "BYTES, 256mib", "BYTES, MiB", "BYTES, .5kB", "TIME, 5m",
    "BANDWIDTH, 1Gb", "SHARE, 20 %", "NUMBER, NaN", "NUMBER, 1d", "NUMBER, 0x1", "NUMBER, ''"
  })
  void refusesWhatIsNoQuantity(Units units, String text) {
    assertThrows(BadValueException.class, () -> units.parse(text));
  }

  @Test
  void readsAgainWhateverItWrites() throws BadValueException {
    for (long seed = 0; seed < 20_000; seed++) {
      Random dice = MixedRandom.of(seed);
      List<Units> all = List.of(Units.values());
      Units units = all.get(dice.nextInt(all.size()));
      double value =
          dice.nextBoolean()
              ? dice.nextInt(1 + dice.nextInt(1_000_000))
              : dice.nextDouble() * Math.pow(10, dice.nextInt(24) - 9);
      assertEquals(value, units.parse(units.format(value)), "seed " + seed + " " + units);
    }
  }

  @Test
  void countsChangesBetweenWords() {
    assertEquals(0, NearestName.changes("racks", "racks"));
    assertEquals(1, NearestName.changes("rack", "racks"));
    assertEquals(2, NearestName.changes("clutser", "cluster"));
    assertEquals(5, NearestName.changes("", "racks"));
    assertEquals("", NearestName.suggestion("x".repeat(1000), List.of("racks")));
  }
}
