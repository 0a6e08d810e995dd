package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a run.
 *
 * @param <R> what is measured of a run
 * @param key name in JSON
 * @param label name for people
 * @param pattern how it is printed
 * @param of takes it from a run; NaN where there is none
 */
record Figure<R>(String key, String label, String pattern, ToDoubleFunction<R> of) {

  /** A figure in seconds. */
  static <R> Figure<R> seconds(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.2f s", of);
  }

  /** A figure with two decimals. */
  static <R> Figure<R> number(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.2f", of);
  }

  /** A figure that counts something. */
  static <R> Figure<R> count(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.0f", of);
  }

  /** The figure of every run, in their order. */
  double[] bySeed(List<R> runs) {
    return runs.stream().mapToDouble(of).toArray();
  }

  /** The figure of one run as it is printed. */
  String textOf(R run) {
    return text(of.applyAsDouble(run));
  }

  /** A value as it is printed. */
  String text(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, pattern, value) : "-";
  }
}
