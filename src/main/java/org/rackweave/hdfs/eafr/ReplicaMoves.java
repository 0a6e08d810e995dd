package org.rackweave.hdfs.eafr;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Replicas that move inside one NameNode. HDFS is told to copy a block to one DataNode more, as if
 * it were short of a replica; when that has it, the replica that is to leave is one too many, and
 * HDFS deletes it by its own rules. Every call is one short hold of the namesystem's lock.
 */
public interface ReplicaMoves {
  /**
   * A block whose replicas all stand as they are to.
   *
   * @param holders the DataNodes that have it
   */
  record SettledBlock(long id, long sizeBytes, List<DatanodeDescriptor> holders) {}

  /**
   * A replica that is to move.
   *
   * @param factor that the file must have
   * @param from which it leaves, and from which it is copied
   */
  record Move(
      long fileId,
      int factor,
      long blockId,
      long sizeBytes,
      DatanodeDescriptor from,
      DatanodeDescriptor to) {}

  /** What came of an order. */
  enum Order {
    ORDERED,
    /** The block or its file is no more. */
    GONE,
    /** The file has another factor by now, or is being written. */
    CHANGED,
    /**
     * A replica is missing, surplus, corrupt, on its way, or not reported since this NameNode
     * became active.
     */
    UNSETTLED,
    /** The DataNode copies as many blocks as HDFS lets it. */
    SOURCE_BUSY,
    /** Out of service, silent or full, or HDFS would not delete the old replica for this one. */
    TARGET_REFUSED
  }

  /** How a move stands. */
  enum Fate {
    UNDER_WAY,
    /** One of its DataNodes is dead; HDFS still expects it. */
    BROKEN,
    /** The new replica is there, and the old one is deleted or about to be. */
    MOVED,
    /** The new replica is there, and so is the old one: HDFS deleted another, or none. */
    KEPT,
    /** HDFS does not expect it any more. */
    FAILED
  }

  /**
   * Looks blocks up.
   *
   * @param blockIds few enough for one hold of the lock
   * @return in the order asked, {@code null} for one that is not there or not settled
   */
  List<SettledBlock> settled(List<Long> blockIds);

  /**
   * Orders moves, each of which is looked at again.
   *
   * @param moves few enough for one hold of the lock
   * @param term the change of state since which the NameNode must be active
   * @return in the order asked; empty when that is over
   */
  List<Order> order(List<Move> moves, long term);

  /** How moves stand, in the order asked; few enough for one hold of the lock. */
  List<Fate> fates(List<Move> moves);

  /**
   * Has HDFS expect moves no longer whose DataNodes are dead, so that it makes what is missing
   * without waiting for them.
   */
  void release(List<Move> broken, long term);

  /** Blocks that HDFS lets one DataNode copy at a time. */
  int streams();

  /** The same at most, whatever hurry it is in. */
  int streamsHardLimit();
}
