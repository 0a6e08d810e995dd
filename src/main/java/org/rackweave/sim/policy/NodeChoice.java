package org.rackweave.sim.policy;

import java.util.function.IntPredicate;

/** Which of the nodes that may take a replica takes it. */
@FunctionalInterface
public interface NodeChoice {
  /**
   * @param first first of the nodes to choose from
   * @param number how many they are
   * @param allowed which of them may be chosen
   * @return {@link org.rackweave.model.ClusterTopology#NONE} when none is allowed
   */
  int choose(int first, int number, IntPredicate allowed);
}
