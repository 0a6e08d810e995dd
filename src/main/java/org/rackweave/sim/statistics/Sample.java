package org.rackweave.sim.statistics;

import java.util.Arrays;

/** Numbers that were seen, in ascending order. An empty sample has no mean: the answer is NaN. */
public final class Sample {
  private final double[] sorted;

  public Sample(double[] values) {
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  public int size() {
    return sorted.length;
  }

  /** All numbers, ascending. */
  public double[] values() {
    return sorted.clone();
  }

  public double mean() {
    return Arrays.stream(sorted).average().orElse(Double.NaN);
  }

  public double min() {
    return sorted.length == 0 ? Double.NaN : sorted[0];
  }

  public double max() {
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1];
  }

  public double median() {
    return quantile(0.5);
  }

  /**
   * The number that a fraction of the sample does not exceed, linear between neighbours.
   *
   * @param fraction 0 to 1
   */
  public double quantile(double fraction) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double position = fraction * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }

  /** Standard deviation of the numbers themselves, not of what they may be a sample of. */
  public double deviation() {
    return Math.sqrt(squares() / sorted.length);
  }

  /** Standard deviation of what the numbers are a sample of, NaN for a single one. */
  public double sampleDeviation() {
    return Math.sqrt(squares() / (sorted.length - 1));
  }

  private double squares() {
    double mean = mean();
    return Arrays.stream(sorted).map(v -> (v - mean) * (v - mean)).sum();
  }

  /** Coefficient of variation: deviation over mean; 0 if all are 0. */
  public double variation() {
    double mean = mean();
    return mean == 0 ? 0 : deviation() / mean;
  }

  /** Fraction of the numbers that are at least so large. */
  public double shareAtLeast(double limit) {
    return Arrays.stream(sorted).filter(v -> v >= limit).count() / (double) sorted.length;
  }
}
