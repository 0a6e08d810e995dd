package org.rackweave.cli.experiment;

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
public record Figure<R>(String key, String label, String pattern, ToDoubleFunction<R> of) {
  private static final String MEBIBYTES = " MiB";
  private static final double MEBIBYTE = 1 << 20;
  private static final String PERCENT = " %%";

  /** A figure in seconds. */
  public static <R> Figure<R> seconds(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.2f s", of);
  }

  /** A figure with two decimals. */
  public static <R> Figure<R> number(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.2f", of);
  }

  /** A figure that counts something. */
  public static <R> Figure<R> count(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.0f", of);
  }

  /** A share, which people read in percent. */
  public static <R> Figure<R> percent(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.0f" + PERCENT, of);
  }

  /** Bytes, which people read in MiB. */
  public static <R> Figure<R> bytes(String key, String label, ToDoubleFunction<R> of) {
    return new Figure<>(key, label, "%.0f" + MEBIBYTES, of);
  }

  /** Whether it is a time. */
  public boolean isTime() {
    return pattern.endsWith(" s");
  }

  /** The same under another label. */
  public Figure<R> labelled(String other) {
    return new Figure<>(key, other, pattern, of);
  }

  /** The figure of every run, in their order. */
  public double[] bySeed(List<R> runs) {
    return runs.stream().mapToDouble(of).toArray();
  }

  /** The figure and its spread over runs. */
  public Spread spread(List<R> runs) {
    return Spread.of(bySeed(runs));
  }

  /** The figure of one run as it is printed. */
  public String textOf(R run) {
    return text(of.applyAsDouble(run));
  }

  /** A value as it is printed. */
  public String text(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, pattern, shown(value)) : "-";
  }

  private double shown(double value) {
    if (pattern.endsWith(MEBIBYTES)) {
      return value / MEBIBYTE;
    }
    return pattern.endsWith(PERCENT) ? 100 * value : value;
  }

  /** A mean with the standard deviation, if there is one. */
  public String text(Spread spread) {
    String mean = text(spread.mean());
    return Double.isFinite(spread.sd())
        ? mean + " ± " + text(spread.sd()).replace(" s", "").replace(MEBIBYTES, "")
        : mean;
  }
}
