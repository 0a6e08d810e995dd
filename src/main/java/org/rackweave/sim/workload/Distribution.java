package org.rackweave.sim.workload;

import java.util.ArrayList;
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

  /**
   * A measured distribution, by its quantiles; between two of them every order of magnitude is as
   * likely.
   *
   * @param shares ascending from 0 to 1, at least two
   * @param values as many, ascending, above 0
   */
  record Quantiles(List<Double> shares, List<Double> values) implements Distribution {
    public Quantiles {
      shares = List.copyOf(shares);
      values = List.copyOf(values);
      require(shares.size() >= 2, "number of shares", shares.size());
      require(values.size() == shares.size(), "number of values", values.size());
      require(shares.get(0) == 0, "first share", shares.get(0));
      require(shares.get(shares.size() - 1) == 1, "last share", shares.get(shares.size() - 1));
      for (int i = 0; i < shares.size(); i++) {
        boolean ascends = i == 0 || shares.get(i) > shares.get(i - 1);
        require(ascends, "share " + (i + 1), shares.get(i));
        double least = i == 0 ? Double.MIN_NORMAL : values.get(i - 1);
        require(values.get(i) >= least && Double.isFinite(values.get(i)), "value", values.get(i));
      }
    }

    /** Quantiles of evenly spaced shares: 0, 1/(n-1), ..., 1. */
    static Quantiles evenly(double... values) {
      List<Double> shares = new ArrayList<>();
      List<Double> boxed = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        shares.add(i / (values.length - 1.0));
        boxed.add(values[i]);
      }
      return new Quantiles(shares, boxed);
    }

    /** The value below which a share of all draws lies. */
    public double at(double share) {
      int i = 1;
      while (i < shares.size() - 1 && shares.get(i) < share) {
        i++;
      }
      double within = (share - shares.get(i - 1)) / (shares.get(i) - shares.get(i - 1));
      double low = values.get(i - 1);
      return low * Math.pow(values.get(i) / low, within);
    }

    @Override
    public double draw(SplittableRandom random) {
      return at(random.nextDouble());
    }

    @Override
    public double mean() {
      double sum = 0;
      for (int i = 1; i < shares.size(); i++) {
        double part = new LogUniform(values.get(i - 1), values.get(i)).mean();
        sum += part * (shares.get(i) - shares.get(i - 1));
      }
      return sum;
    }
  }

  private static void require(boolean holds, String what, double value) {
    if (!holds) {
      throw new IllegalArgumentException(what + " out of range: " + value);
    }
  }
}
