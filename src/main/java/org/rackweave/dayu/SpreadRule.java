package org.rackweave.dayu;

import org.rackweave.model.Require;

/**
 * How the replicas of a block are spread over racks, told as what a new replica may do. A rack that
 * has none of the block is always allowed. One that has some is allowed when the others already
 * stand in enough racks and it has room.
 *
 * @param racksMin racks the replicas should stand in, at least 1; a cluster with fewer racks is
 *     asked for no more than it has
 * @param rackLimit most replicas of the block in one rack, the new one included, at least 1
 */
public record SpreadRule(int racksMin, int rackLimit) {

  /** Destinations are "not in the same rack" as any replica (section 4.1). */
  public static final SpreadRule PAPER = new SpreadRule(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public SpreadRule {
    Require.atLeast("racksMin", racksMin, 1);
    Require.atLeast("rackLimit", rackLimit, 1);
  }

  /**
   * As HDFS places by default: two racks, and at most (replicas - 1) / racks + 2 in one.
   *
   * @param replicas the block's replication factor, at least 1
   * @param racks of the cluster, at least 1
   */
  public static SpreadRule hdfs(int replicas, int racks) {
    Require.atLeast("replicas", replicas, 1);
    Require.atLeast("racks", racks, 1);
    return new SpreadRule(Math.min(2, replicas), (replicas - 1) / racks + 2);
  }
}
