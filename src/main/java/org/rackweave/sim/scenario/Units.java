package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.Comparator;
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

  private static final Comparator<Written> READABLE =
      Comparator.comparing(Written::isPercentage)
          .reversed()
          .thenComparing(Written::broken)
          .thenComparingInt(Written::digits)
          .thenComparingInt(Written::length)
          .thenComparing(Written::text);

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

  /** A text that is read as this very number: a whole number of units where there is one. */
  String format(double value) {
    if (value == 0) {
      return "0" + smallest();
    }
    List<Written> exact = new ArrayList<>();
    for (Unit unit : units) {
      double number = unit.size >= 1 ? value / unit.size : value * Math.rint(1 / unit.size);
      for (double candidate : new double[] {number, Math.rint(number)}) {
        Written written = new Written(number(candidate), unit);
        if (scaled(Double.parseDouble(written.number), unit) == value) {
          exact.add(written);
        }
      }
    }
    return exact.stream().min(READABLE).map(Written::text).orElse(value + smallest());
  }

  /** A quantity as it might be written. */
  private record Written(String number, Unit unit) {
    boolean broken() {
      return number.contains(".");
    }

    /** People think of 100% rather than of 1, and of 12.5% rather than of 0.125. */
    boolean isPercentage() {
      return unit.name.equals("%") && number.length() <= 5;
    }

    int digits() {
      return number.length();
    }

    String text() {
      return number + unit.name;
    }

    int length() {
      return text().length();
    }
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? String.format(Locale.ROOT, "%d", (long) value) : Double.toString(value);
  }
}
