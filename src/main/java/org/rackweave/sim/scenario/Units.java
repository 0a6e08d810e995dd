package org.rackweave.sim.scenario;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.rackweave.sim.workload.InputException;

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

  String smallest() {
    return units.get(0).name;
  }

  /** The names of all units. */
  String names() {
    return units.stream().map(Unit::name).collect(Collectors.joining(", "));
  }

  /** How a range is written in messages and in the manual. */
  String range(double low, double high) {
    return format(low) + " to " + format(high);
  }

  /**
   * Reads a number with a unit.
   *
   * @return in the first unit
   */
  double parse(String text) throws BadValueException {
    Matcher matcher = QUANTITY.matcher(text);
    if (matcher.matches()) {
      for (Unit unit : units) {
        if (unit.name.equals(matcher.group(2))) {
          return scaled(Double.parseDouble(matcher.group(1)), unit);
        }
      }
    }
    boolean plain = units.size() == 1;
    throw new BadValueException(
        "is "
            + InputException.quote(text)
            + (plain ? "; allowed: a number" : "; allowed: a number with one of " + shown()));
  }

  private String shown() {
    return this == SHARE ? "%, or between 0 and 1" : names();
  }

  /** Divides where the unit is a fraction, so that 20% is the double nearest to 0.2. */
  private static double scaled(double number, Unit unit) {
    return unit.size >= 1 ? number * unit.size : number / Math.rint(1 / unit.size);
  }

  /** The shortest text that is read as this very number. */
  String format(double value) {
    if (Double.isInfinite(value)) {
      return "any";
    }
    String best = null;
    for (Unit unit : units) {
      double number = unit.size >= 1 ? value / unit.size : value * Math.rint(1 / unit.size);
      for (double candidate : new double[] {number, Math.rint(number)}) {
        String text = number(candidate);
        boolean exact = scaled(Double.parseDouble(text), unit) == value;
        if (exact && (best == null || text.length() + unit.name.length() < best.length())) {
          best = text + unit.name;
        }
      }
    }
    return best == null ? number(value) + smallest() : best;
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? String.format(Locale.ROOT, "%d", (long) value) : Double.toString(value);
  }
}
