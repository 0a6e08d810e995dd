package org.rackweave.ear;

import java.util.Arrays;
import java.util.function.IntFunction;

/** Why the replicas of a block are not where they were when its stripe was sealed. */
public enum ReplicaDrift {
  /** They are. */
  NONE,
  /** A node that had one is dead or gone. */
  FAILURE,
  /** A node that had one is being taken out of service. */
  DECOMMISSION,
  /** The file wants fewer replicas than it had. */
  SETREP,
  /** A node that had one is well and has it no more, though as many are wanted: Balancer, Mover. */
  MOVED;

  /** Condition of a node that had a replica. */
  public enum NodeCondition {
    /** In service. */
    LIVE,
    /** Decommissioning, or in or entering maintenance. */
    LEAVING,
    /** Dead or not known any more. */
    GONE
  }

  /**
   * @param recorded nodes of the replicas then
   * @param current nodes of the replicas now
   * @param wanted replicas that HDFS is asked to keep now
   * @param condition of a recorded node
   * @return the gravest cause that explains a recorded replica's absence
   */
  public static ReplicaDrift of(
      int[] recorded, int[] current, int wanted, IntFunction<NodeCondition> condition) {
    ReplicaDrift gravest = NONE;
    for (int node : recorded) {
      if (Arrays.stream(current).noneMatch(now -> now == node)) {
        ReplicaDrift cause =
            switch (condition.apply(node)) {
              case GONE -> FAILURE;
              case LEAVING -> DECOMMISSION;
              case LIVE -> wanted < recorded.length ? SETREP : MOVED;
            };
        gravest = gravest == NONE || cause.ordinal() < gravest.ordinal() ? cause : gravest;
      }
    }
    return gravest;
  }
}
