package org.rackweave.sim.policy;

/** Decides where the replicas of a block go. */
@FunctionalInterface
public interface PlacementPolicy {
  /**
   * @return nodes in pipeline order, all distinct; fewer than asked for, or none, when no more can
   *     take one
   */
  int[] place(BlockRequest request);
}
