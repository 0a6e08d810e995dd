package org.rackweave.sim.policy;

import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.rackweave.model.ClusterTopology;

/** Any of the nodes, each as likely. */
public final class RandomChoice implements NodeChoice {
  /** Draws before a search; enough while most nodes are allowed. */
  private static final int DRAWS = 32;

  private final SplittableRandom random;

  public RandomChoice(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public int choose(int first, int number, IntPredicate allowed) {
    for (int draw = 0; draw < DRAWS; draw++) {
      int node = first + random.nextInt(number);
      if (allowed.test(node)) {
        return node;
      }
    }
    int from = random.nextInt(number);
    for (int i = 0; i < number; i++) {
      int node = first + (from + i) % number;
      if (allowed.test(node)) {
        return node;
      }
    }
    return ClusterTopology.NONE;
  }
}
