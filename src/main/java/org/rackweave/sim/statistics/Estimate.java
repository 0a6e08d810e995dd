package org.rackweave.sim.statistics;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A mean over seeds and the interval that holds the true one with 95 % confidence (Student's t, the
 * seeds being independent).
 *
 * @param mean over the seeds
 * @param halfWidth of the interval; NaN for a single seed
 * @param least of all seeds
 * @param most of all seeds
 * @param seeds how many there were
 */
public record Estimate(double mean, double halfWidth, double least, double most, int seeds) {

  /** 97.5 % quantiles of Student's t for 1, 2, ... degrees of freedom; 1.96 beyond. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

  private static final double NORMAL = 1.96;

  /** Of one value a seed. */
  public static Estimate of(double... values) {
    Sample sample = new Sample(values);
    int n = values.length;
    double halfWidth =
        n < 2 ? Double.NaN : student(n - 1) * sample.sampleDeviation() / Math.sqrt(n);
    return new Estimate(sample.mean(), halfWidth, sample.min(), sample.max(), n);
  }

  /** Of a figure of each seed's result. */
  public static <T> Estimate of(Iterable<T> results, ToDoubleFunction<T> figure) {
    double[] values = new double[0];
    for (T result : results) {
      values = Arrays.copyOf(values, values.length + 1);
      values[values.length - 1] = figure.applyAsDouble(result);
    }
    return of(values);
  }

  /** Lower end of the interval; of a single seed its value. */
  public double low() {
    return Double.isNaN(halfWidth) ? mean : mean - halfWidth;
  }

  /** Upper end of the interval; of a single seed its value. */
  public double high() {
    return Double.isNaN(halfWidth) ? mean : mean + halfWidth;
  }

  private static double student(int degrees) {
    return degrees <= STUDENT.length ? STUDENT[degrees - 1] : NORMAL;
  }

  /** For people: the mean and, where there is one, the interval's half width. */
  public String text(int decimals) {
    String number = "%." + decimals + "f";
    return Double.isNaN(halfWidth)
        ? String.format(Locale.ROOT, number, mean)
        : String.format(Locale.ROOT, number + " +-" + number, mean, halfWidth);
  }
}
