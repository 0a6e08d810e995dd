package org.rackweave.sim.engine;

import java.util.SplittableRandom;

/**
 * Random numbers by purpose: each purpose draws from a stream of its own, so that a policy that
 * draws more than another does not change what either is asked to place.
 *
 * @param seed of the run
 */
public record Streams(long seed) {
  /** A multiplier that spreads neighbouring seeds, from Steele and Vigna's tables. */
  private static final long SPREAD = 0xd1342543de82ef95L;

  /** The stream of one purpose, from its beginning. */
  public SplittableRandom of(String purpose) {
    return new SplittableRandom((seed + 1) * SPREAD ^ (long) purpose.hashCode() << 20);
  }
}
