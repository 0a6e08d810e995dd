package org.rackweave.sim.workload;

import java.util.List;
import java.util.SplittableRandom;

/**
 * What a number is drawn from. Units are those of the numbers given; nothing is rounded.
 *
 * <p>Every variant checks its parameters and throws {@link IllegalArgumentException} naming the one
 * that is out of range.
 */
public sealed interface Distribution {

  /** Draws one number. */
  double draw(SplittableRandom random);

  /** The expected value. */
  double mean();

  /** Always the same. */
  record Fixed(double value) implements Distribution {
    public Fixed {
      require(Double.isFinite(value), "value", value);
    }

    @Override
    public double draw(SplittableRandom random) {
      return value;
    }

    @Override
    public double mean() {
      return value;
    }
  }

  /** Every number between two is as likely. */
  record Uniform(double low, double high) implements Distribution {
    public Uniform {
      require(Double.isFinite(low), "low", low);
      require(Double.isFinite(high) && high >= low, "high", high);
    }

    @Override
    public double draw(SplittableRandom random) {
      return low + (high - low) * random.nextDouble();
    }

    @Override
    public double mean() {
      return (low + high) / 2;
    }
  }

  /** Every order of magnitude between two numbers is as likely: the usual shape of file sizes. */
  record LogUniform(double low, double high) implements Distribution {
    public LogUniform {
      require(low > 0 && Double.isFinite(low), "low", low);
      require(Double.isFinite(high) && high >= low, "high", high);
    }

    @Override
    public double draw(SplittableRandom random) {
      return low * Math.pow(high / low, random.nextDouble());
    }

    @Override
    public double mean() {
      return high == low ? low : (high - low) / Math.log(high / low);
    }
  }

  /** Gaps between events that know nothing of one another. */
  record Exponential(double mean) implements Distribution {
    public Exponential {
      require(mean > 0 && Double.isFinite(mean), "mean", mean);
    }

    @Override
    public double draw(SplittableRandom random) {
      return -mean * Math.log1p(-random.nextDouble());
    }
  }

  /**
   * The bell curve, cut off at zero: nothing drawn is negative, and the mean is that of the bell.
   */
  record Normal(double mean, double deviation) implements Distribution {
    public Normal {
      require(mean >= 0 && Double.isFinite(mean), "mean", mean);
      require(deviation >= 0 && Double.isFinite(deviation), "deviation", deviation);
    }

    @Override
    public double draw(SplittableRandom random) {
      return Math.max(0, mean + deviation * random.nextGaussian());
    }
  }

  /** One of a few numbers, each as likely. */
  record Choice(List<Double> values) implements Distribution {
    public Choice {
      values = List.copyOf(values);
      require(!values.isEmpty(), "number of values", values.size());
      values.forEach(value -> require(Double.isFinite(value), "value", value));
    }

    @Override
    public double draw(SplittableRandom random) {
      return values.get(random.nextInt(values.size()));
    }

    @Override
    public double mean() {
      return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
  }

  /** One distribution with a probability, another otherwise. */
  record Mixture(double probability, Distribution first, Distribution second)
      implements Distribution {
    public Mixture {
      require(probability >= 0 && probability <= 1, "probability", probability);
    }

    @Override
    public double draw(SplittableRandom random) {
      return (random.nextDouble() < probability ? first : second).draw(random);
    }

    @Override
    public double mean() {
      return probability * first.mean() + (1 - probability) * second.mean();
    }
  }

  private static void require(boolean holds, String what, double value) {
    if (!holds) {
      throw new IllegalArgumentException(what + " out of range: " + value);
    }
  }
}
