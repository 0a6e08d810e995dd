package org.rackweave.hdfs.eafr;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.copies.PendingCopies;

/**
 * Replicas that move inside one NameNode. HDFS is told to copy a block to one DataNode more, as if
 * it were short of a replica; when that has it, the replica that is to leave is one too many, and
 * HDFS deletes it by its own rules.
 */
public interface ReplicaMoves extends PendingCopies {
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
   * @param source from which it is copied, and which it leaves
   */
  record Move(
      long fileId,
      int factor,
      long blockId,
      long sizeBytes,
      DatanodeDescriptor source,
      DatanodeDescriptor target)
      implements Copy {}

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

  /**
   * Those of moves with the new replica there whose old one is deleted or about to be. Of others
   * HDFS deletes another replica, or none.
   */
  List<Move> completed(List<Move> arrived);

  /** Blocks that HDFS lets one DataNode copy at a time. */
  int streams();

  /** The same at most, whatever hurry it is in. */
  int streamsHardLimit();
}
