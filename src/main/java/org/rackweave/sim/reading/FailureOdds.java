package org.rackweave.sim.reading;

import java.util.SplittableRandom;

/**
 * How much of the reads succeeds when servers fail at random and nobody repairs anything (section
 * 4.1.6): a read fails when all servers with a replica have. A sleeping server is woken and counts
 * as there.
 */
public final class FailureOdds {
  private static final int DRAWS = 400;

  private FailureOdds() {}

  /**
   * Part of the reads that succeeds.
   *
   * @param weights how often each file is read
   * @param probability with which each server fails
   */
  public static double success(
      ReplicaMap replicas, double[] weights, double probability, SplittableRandom random) {
    double all = 0;
    double good = 0;
    boolean[] isDown = new boolean[replicas.servers()];
    for (int draw = 0; draw < DRAWS; draw++) {
      for (int server = 0; server < isDown.length; server++) {
        isDown[server] = random.nextDouble() < probability;
      }
      for (int file = 0; file < weights.length; file++) {
        all += weights[file];
        good += isThere(replicas.holders(file), isDown) ? weights[file] : 0;
      }
    }
    return good / all;
  }

  private static boolean isThere(int[] holders, boolean[] isDown) {
    for (int holder : holders) {
      if (!isDown[holder]) {
        return true;
      }
    }
    return false;
  }
}
