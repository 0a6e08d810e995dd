package org.rackweave.history;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * How sure a figure is: it is worked out again of as many groups, drawn with replacement, {@value
 * #RESAMPLES} times. A group holds what depends on each other, such as the blocks of one file or of
 * the same minutes, which is no evidence of its own.
 */
public final class Bootstrap {
  private static final int RESAMPLES = 1000;
  private static final double OUTSIDE = 0.025;

  private Bootstrap() {}

  /**
   * The 95 % interval of a figure.
   *
   * @param groups how many groups each sample has, at least 1
   * @param figure of samples in which each group counts as often as it was drawn
   * @return its lower and its upper end
   */
  public static double[] interval(
      int[] groups, ToDoubleFunction<int[][]> figure, RandomGenerator random) {
    double[] figures = new double[RESAMPLES];
    int[][] drawn = new int[groups.length][];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int sample = 0; sample < groups.length; sample++) {
        drawn[sample] = new int[groups[sample]];
        for (int j = 0; j < groups[sample]; j++) {
          drawn[sample][random.nextInt(groups[sample])]++;
        }
      }
      figures[i] = figure.applyAsDouble(drawn);
    }
    Arrays.sort(figures);
    return new double[] {
      figures[(int) (OUTSIDE * RESAMPLES)], figures[(int) ((1 - OUTSIDE) * RESAMPLES)]
    };
  }
}
