package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor.BlockTargetPair;

/**
 * Bridge: HDFS's queues of the copies that DataNodes of one NameNode have not been told of. HDFS
 * lets nobody take a single copy out of one, so all are taken and the others put back. Who does
 * that has to be alone: of two at a time, one would miss what the other holds. The namesystem's
 * lock does not see to it, for not everybody has it.
 */
public final class SourceQueue {
  /**
   * Offers all that waits for a source, in order, to somebody else; what is left waits on, in the
   * same order. A heartbeat that HDFS answers meanwhile takes what is there: under the namesystem's
   * write lock none is.
   *
   * @param takes whether somebody else has taken a copy; must not throw
   */
  synchronized void offer(DatanodeDescriptor source, Predicate<BlockTargetPair> takes) {
    List<BlockTargetPair> waiting = source.getReplicationCommand(Integer.MAX_VALUE);
    if (waiting == null) {
      return;
    }
    for (BlockTargetPair copy : waiting) {
      if (!takes.test(copy)) {
        add(source, copy);
      }
    }
  }

  /** Has a copy wait behind the others of a source. */
  synchronized void add(DatanodeDescriptor source, BlockTargetPair copy) {
    source.addBlockToBeReplicated(copy.block, copy.targets);
  }
}
