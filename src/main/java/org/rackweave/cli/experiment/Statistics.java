package org.rackweave.cli.experiment;

import java.util.Arrays;

/** The few statistics the demo reports. An empty sample has no mean: the answer is NaN. */
public final class Statistics {

  private Statistics() {}

  /** The arithmetic mean. */
  public static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  /**
   * The value that {@code fraction} of the sample does not exceed, linear between neighbours.
   *
   * @param fraction in [0, 1]
   */
  public static double quantile(double[] values, double fraction) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double position = fraction * (sorted.length - 1);
    int below = (int) Math.floor(position);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }

  /** The coefficient of variation: population standard deviation over mean; 0 if all are 0. */
  public static double variation(double[] values) {
    double mean = mean(values);
    if (mean == 0) {
      return 0;
    }
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / values.length) / mean;
  }
}
