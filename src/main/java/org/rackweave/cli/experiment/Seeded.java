package org.rackweave.cli.experiment;

import java.util.Random;
import java.util.SplittableRandom;

/** Everything random in an experiment comes from its printed seed. */
public final class Seeded {

  private Seeded() {}

  /**
   * A generator of its own for each seed; plain ones begin alike when their seeds are neighbours.
   */
  public static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }

  /** Draws the time to the next event of a Poisson process, in the unit of {@code mean}. */
  public static double exponential(Random random, double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }
}
