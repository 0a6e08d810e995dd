package org.rackweave.cli.demo;

import java.util.Random;
import java.util.SplittableRandom;

/** Everything random in the demo comes from the printed seed. */
final class Seeded {

  private Seeded() {}

  /**
   * A generator of its own for each seed; plain ones begin alike when their seeds are neighbours.
   */
  static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }
}
