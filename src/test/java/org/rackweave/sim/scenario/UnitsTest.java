package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "BYTES, 256MiB, 268435456",
    "BYTES, 250GB, 250e9",
    "BYTES, 1.5kB, 1500",
    "BYTES, 1024B, 1024",
    "TIME, 600s, 600000",
    "TIME, 300s, 300000",
    "TIME, 120min, 7200000",
    "BANDWIDTH, 1Gbps, 125e6",
    "BANDWIDTH, 125MB/s, 125e6",
    "BANDWIDTH, 50MB/s, 50e6",
    "RATE, 30/min, 0.5",
    "RATE, 4/s, 4",
    "RATE, 7/h, 0.0019444444444444444",
    "SHARE, 20%, 0.2",
    "SHARE, 0.2, 0.2",
    "SHARE, 1, 1",
    "SHARE, 0.125, 0.125",
    "SHARE, 0, 0",
    "TIME, 0d, 0",
    "NUMBER, 1e3, 1000"
  })
  void readsNumbersWithUnits(Units units, String text, double value) {
    assertEquals(value, units.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "BYTES, 1TiB",
    "TIME, 1h",
    "BANDWIDTH, 1Tbps",
    "BANDWIDTH, 1B/s",
    "RATE, 1000000/s",
    "SHARE, 95%",
    "NUMBER, 1000"
  })
  void rangesTellTheirUnits(Units units, String text) {
    assertEquals(units, Units.of(text));
  }

  @ParameterizedTest
  @CsvSource({
    "BYTES, 256", "BYTES, 256 MiB", "BYTES, 256mib", "BYTES, MiB", "BYTES, .5kB", "TIME, 5m",
    "BANDWIDTH, 1Gb", "SHARE, 20 %", "NUMBER, NaN", "NUMBER, 1d", "NUMBER, 0x1", "NUMBER, ''"
  })
  void refusesWhatIsNoQuantity(Units units, String text) {
    assertEquals(Double.NaN, units.parse(text));
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
