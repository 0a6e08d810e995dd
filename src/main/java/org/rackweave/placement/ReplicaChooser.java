package org.rackweave.placement;

import java.util.random.RandomGenerator;

/** An algorithm that chooses the nodes of a block's replicas, its view of the cluster bound. */
@FunctionalInterface
public interface ReplicaChooser {
  /** Candidates that admission may refuse before a decision is left to stock placement. */
  int CANDIDATES_MAX = 32;

  /** Decides; changes neither request nor cluster. */
  PlacementDecision choose(PlacementRequest request, Admission admission, RandomGenerator random);
}
