package org.rackweave.hdfs;

import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * A time of being active of a NameNode, named by the change of state with which it began. What was
 * known in one is another NameNode's to know by the next.
 */
public final class ActiveTerm {
  /** Of a NameNode that is not active. */
  public static final long NONE = -1;

  private ActiveTerm() {}

  /**
   * The term of a NameNode now, or {@link #NONE}. While it becomes active HDFS still names the last
   * term, in which this NameNode knew other things.
   */
  public static long of(NameNode nameNode) {
    return nameNode.isActiveState() && !nameNode.getNamesystem().inTransitionToActive()
        ? nameNode.getLastHATransitionTime()
        : NONE;
  }

  /**
   * Whether a term goes on and replicas are made in it; cannot change under the namesystem's write
   * lock.
   */
  public static boolean mayCopy(NameNode nameNode, long term) {
    return nameNode.isActiveState()
        && nameNode.getLastHATransitionTime() == term
        && !nameNode.isInSafeMode()
        && nameNode.getNamesystem().getBlockManager().isPopulatingReplQueues();
  }
}
