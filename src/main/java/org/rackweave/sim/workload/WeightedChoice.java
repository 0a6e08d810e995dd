package org.rackweave.sim.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws indices in proportion to their weights, in O(log n). */
public final class WeightedChoice {

  private final double[] sums;

  /**
   * @param weights not negative, at least one above 0
   */
  public WeightedChoice(double[] weights) {
    sums = weights.clone();
    // One by one: sums made in parallel are rounded differently from run to run.
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
    if (sums.length == 0 || !(sums[sums.length - 1] > 0)) {
      throw new IllegalArgumentException("no weight is above 0");
    }
  }

  /** Draws one. */
  public int draw(SplittableRandom random) {
    double point = random.nextDouble() * sums[sums.length - 1];
    int found = Arrays.binarySearch(sums, point);
    // An exact hit is the end of that index's share; of equal sums the first has the weight.
    int index = found < 0 ? -found - 1 : found + 1;
    while (index < sums.length - 1 && (index == 0 ? sums[0] : sums[index] - sums[index - 1]) <= 0) {
      index++;
    }
    return Math.min(index, sums.length - 1);
  }
}
