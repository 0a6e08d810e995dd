package org.rackweave.cli.experiment;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.rackweave.sim.statistics.Sample;

/**
 * A figure and how far it differs from seed to seed.
 *
 * @param mean over seeds
 * @param sd sample standard deviation over seeds, NaN for one seed
 * @param low lower end of the 95 % bootstrap interval of the mean, NaN for one seed
 * @param high upper end
 * @param seeds how many seeds there are
 */
public record Spread(double mean, double sd, double low, double high, int seeds) {

  private static final int RESAMPLES = 4_000;
  private static final double TAIL = 0.025;

  /** What the resampling is drawn with, so that the same figures give the same interval. */
  private static final long SEED = 20_130_812;

  /** The figure of every seed. */
  public static Spread of(double[] bySeed) {
    double[] ones = new double[bySeed.length];
    Arrays.fill(ones, 1);
    return ofRatio(bySeed, ones);
  }

  /**
   * A quotient of two figures: the sum of the one over the sum of the other, as a mean of quotients
   * would let one slow seed count more than another. Seeds are drawn as pairs, for both sides met
   * the same plan.
   *
   * @param above by seed
   * @param below by seed
   */
  public static Spread ofRatio(double[] above, double[] below) {
    int n = above.length;
    double[] each = new double[n];
    for (int i = 0; i < n; i++) {
      each[i] = above[i] / below[i];
    }
    double mean = Arrays.stream(above).sum() / Arrays.stream(below).sum();
    if (n < 2) {
      return new Spread(mean, Double.NaN, Double.NaN, Double.NaN, n);
    }
    Sample resampled = new Sample(resample(above, below));
    return new Spread(
        mean,
        new Sample(each).sampleDeviation(),
        resampled.quantile(TAIL),
        resampled.quantile(1 - TAIL),
        n);
  }

  private static double[] resample(double[] above, double[] below) {
    Random random = Seeded.random(SEED);
    double[] means = new double[RESAMPLES];
    for (int sample = 0; sample < RESAMPLES; sample++) {
      double upper = 0;
      double lower = 0;
      for (int i = 0; i < above.length; i++) {
        int drawn = random.nextInt(above.length);
        upper += above[drawn];
        lower += below[drawn];
      }
      means[sample] = upper / lower;
    }
    return means;
  }

  /** The mean with its 95 % interval, if there are enough seeds for one. */
  public String text() {
    return Double.isFinite(low)
        ? String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", mean, low, high)
        : Double.isFinite(mean) ? String.format(Locale.ROOT, "%.2f", mean) : "-";
  }
}
