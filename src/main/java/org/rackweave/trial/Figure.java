package org.rackweave.trial;

import java.util.Locale;

/** What is said of the times that many blocks took to be written. */
public enum Figure {
  WRITE_MEAN(Double.NaN, 100),
  WRITE_P50(0.5, 200),
  WRITE_P95(0.95, 100),
  WRITE_P99(0.99, 500);

  private final double quantile;

  /** How many blocks of an arm it takes to say anything. */
  final int blocksLeast;

  Figure(double quantile, int blocksLeast) {
    this.quantile = quantile;
    this.blocksLeast = blocksLeast;
  }

  /** The name in conditions and answers. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Works it out.
   *
   * @param sorted values in ascending order
   * @param groups of each value
   * @param weights how often each group counts; some group does
   */
  double of(double[] sorted, int[] groups, int[] weights) {
    double sum = 0;
    long count = 0;
    for (int i = 0; i < sorted.length; i++) {
      sum += weights[groups[i]] * sorted[i];
      count += weights[groups[i]];
    }
    if (this == WRITE_MEAN) {
      return sum / count;
    }
    int at = 0;
    for (long below = 0; below < quantile * count; at++) {
      below += weights[groups[at]];
    }
    return sorted[at - 1];
  }
}
