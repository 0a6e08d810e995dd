package org.rackweave.sim.scenario;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What quantities are measured in. A quantity is written as a number and a unit, {@code 256MiB}.
 */
enum Units {
  /** Bytes. */
  BYTES(
      new Unit("B", 1),
      new Unit("kB", 1e3),
      new Unit("MB", 1e6),
      new Unit("GB", 1e9),
      new Unit("TB", 1e12),
      new Unit("KiB", 1L << 10),
      new Unit("MiB", 1L << 20),
      new Unit("GiB", 1L << 30),
      new Unit("TiB", 1L << 40)),
  /** Milliseconds. */
  TIME(
      new Unit("ms", 1),
      new Unit("s", 1e3),
      new Unit("min", 60e3),
      new Unit("h", 3_600e3),
      new Unit("d", 86_400e3)),
  /** Bytes per second; links are written in bits. */
  BANDWIDTH(
      new Unit("B/s", 1),
      new Unit("kB/s", 1e3),
      new Unit("MB/s", 1e6),
      new Unit("GB/s", 1e9),
      new Unit("MiB/s", 1L << 20),
      new Unit("GiB/s", 1L << 30),
      new Unit("kbps", 125),
      new Unit("Mbps", 125e3),
      new Unit("Gbps", 125e6),
      new Unit("Tbps", 125e9)),
  /** Times per second. */
  RATE(new Unit("/s", 1), new Unit("/min", 1 / 60.0), new Unit("/h", 1 / 3600.0)),
  /** Fractions. */
  SHARE(new Unit("", 1), new Unit("%", 0.01)),
  /** Plain numbers. */
  NUMBER(new Unit("", 1));

  private static final Pattern QUANTITY =
      Pattern.compile("(-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d{1,3})?)([^\\d\\s.].*|)");

  private final List<Unit> units;

  Units(Unit... units) {
    this.units = List.of(units);
  }

  private record Unit(String name, double size) {}

  /** The units that a quantity is written in. */
  static Units of(String quantity) {
    return Arrays.stream(values())
        .sorted(Comparator.comparing(units -> units.units.size()))
        .filter(units -> !Double.isNaN(units.parse(quantity)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(quantity));
  }

  /** What to add to a message about a text that is no quantity. */
  String hint() {
    return this == NUMBER || this == SHARE
        ? ""
        : units.stream().map(Unit::name).collect(Collectors.joining(", ", ", with one of ", ""));
  }

  /**
   * Reads a number with a unit.
   *
   * @return in the first unit; not a number when the text is none
   */
  double parse(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (matcher.matches()) {
      for (Unit unit : units) {
        if (unit.name.equals(matcher.group(2))) {
          return scaled(Double.parseDouble(matcher.group(1)), unit);
        }
      }
    }
    return Double.NaN;
  }

  /** Divides where the unit is a fraction, so that 20% is the double nearest to 0.2. */
  private static double scaled(double number, Unit unit) {
    return unit.size >= 1 ? number * unit.size : number / Math.rint(1 / unit.size);
  }
}
