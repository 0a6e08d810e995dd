package org.rackweave;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Random numbers of tests whose seeds follow one another. {@link Random} begins alike for seeds
 * that are close, so that a thousand of them would be far fewer cases.
 */
public final class MixedRandom {
  private MixedRandom() {}

  /** The same numbers for the same seed. */
  public static Random of(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }
}
