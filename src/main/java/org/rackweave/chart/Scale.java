package org.rackweave.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Maps values to pixels along one axis.
 *
 * @param low value at {@code from}; above 0 on a logarithmic scale
 * @param high value at {@code to}, above {@code low}
 * @param logarithmic whether equal distances are equal ratios
 */
record Scale(double low, double high, double from, double to, boolean logarithmic) {

  /** From 0 to a round number not below {@code max}. */
  static Scale linear(double max, double from, double to) {
    double step = step(max);
    return new Scale(0, Math.max(step, Math.ceil(max / step - 1e-9) * step), from, to, false);
  }

  /**
   * From the 1, 2 or 5 times a power of ten not above {@code min} to the one not below {@code max}.
   */
  static Scale logarithmic(double min, double max, double from, double to) {
    int first = logIndex(min);
    int last = first + 1;
    while (logTick(last) < max * (1 - 1e-9)) {
      last++;
    }
    return new Scale(logTick(first), logTick(last), from, to, true);
  }

  /** Which tick is the greatest not above {@code value}. */
  private static int logIndex(double value) {
    int index = 3 * (int) Math.floor(Math.log10(value));
    while (logTick(index + 1) <= value * (1 + 1e-9)) {
      index++;
    }
    return index;
  }

  /** The pixel of {@code value}; values outside are drawn at the end they passed. */
  double at(double value) {
    double inside = Math.min(high, Math.max(low, value));
    double share =
        logarithmic ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
    return from + share * (to - from);
  }

  /** Values worth a mark on the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (int i = logIndex(low); logTick(i) <= high * (1 + 1e-9); i++) {
        ticks.add(logTick(i));
      }
    } else {
      double step = step(high);
      for (int i = 0; i * step <= high * (1 + 1e-9); i++) {
        ticks.add(i * step);
      }
    }
    return ticks;
  }

  /** A tick's label: as many digits as it needs. */
  static String label(double tick) {
    String text = String.format(Locale.ROOT, "%.3f", tick);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  /** 1, 2, 5, 10, 20, ... from index 0 on, 0.5, 0.2, 0.1, ... before. */
  private static double logTick(int index) {
    double digit =
        switch (Math.floorMod(index, 3)) {
          case 0 -> 1;
          case 1 -> 2;
          default -> 5;
        };
    return digit * Math.pow(10, Math.floorDiv(index, 3));
  }

  /** A round step that divides {@code max} into about five. */
  private static double step(double max) {
    if (!(max > 0)) {
      return 1;
    }
    double rough = max / 5;
    double magnitude = Math.pow(10, Math.floor(Math.log10(rough)));
    double digit = rough / magnitude;
    return magnitude * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }
}
