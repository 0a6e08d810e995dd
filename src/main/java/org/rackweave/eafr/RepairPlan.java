package org.rackweave.eafr;

import java.util.BitSet;
import java.util.List;

/**
 * How the replicas of failed servers are made again.
 *
 * @param steps in the order of the replicas lost
 * @param left replicas that are left to HDFS
 * @param woken cold servers that some step reads from; do not modify
 * @param next where the round robin goes on
 */
public record RepairPlan(List<Step> steps, List<Left> left, BitSet woken, Turn next) {

  /** One copy. */
  public record Step(long blockId, int source, int destination) {}

  /** Why a replica is left to HDFS. */
  public enum Reason {
    /** No live server has a replica. */
    NO_SOURCE,
    /** No hot or standby server has the space, none of the others, and the right rack. */
    NO_DESTINATION
  }

  public record Left(long blockId, Reason reason) {}

  /** Whose turn it is among hot and among standby servers: the paper's counter, from 0. */
  public record Turn(int hot, int standby) {
    public static final Turn FIRST = new Turn(0, 0);
  }
}
