package org.rackweave.sim.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/** How often the files of a workload are read, compared with one another. */
public sealed interface Popularity {

  /** A weight for each of so many files, above 0 for at least one. */
  double[] weights(int files, SplittableRandom random);

  /** The file of rank k, counted from 1, is read in proportion to k^-exponent. */
  record Zipf(double exponent) implements Popularity {
    public Zipf {
      if (!(exponent >= 0 && exponent <= 10)) {
        throw new IllegalArgumentException("exponent out of range: " + exponent);
      }
    }

    @Override
    public double[] weights(int files, SplittableRandom random) {
      double[] weights = new double[files];
      for (int i = 0; i < files; i++) {
        weights[i] = Math.pow(i + 1, -exponent);
      }
      return weights;
    }
  }

  /** Every file draws for itself how often it is read. */
  record Drawn(Distribution reads) implements Popularity {
    @Override
    public double[] weights(int files, SplittableRandom random) {
      double[] weights = new double[files];
      Arrays.setAll(weights, i -> Math.max(0, reads.draw(random)));
      if (Arrays.stream(weights).noneMatch(weight -> weight > 0)) {
        Arrays.fill(weights, 1);
      }
      return weights;
    }
  }
}
