package org.rackweave.hdfs.dayu;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.copies.PendingCopies;

/**
 * The blocks of one NameNode that wait for replicas. Whatever takes the namesystem's lock holds it
 * for the blocks of one call; callers give or ask for {@link #batchSize} of them at most.
 */
public interface ReconstructionQueue extends PendingCopies {
  /**
   * A copy in the place of another of the same block.
   *
   * @param ended the one that has been cancelled: its source will never complete it
   * @param instead the one to be made
   */
  public record Replacement(PlannedCopy ended, PlannedCopy instead) {
    /** Whether nothing is made in its place: the block waits again. */
    public boolean isWithdrawal() {
      return instead == ended;
    }
  }

  /** Blocks that wait, striped ones too, without those that are lost; no lock. */
  int waitingCount();

  /**
   * The same by priority, the most urgent first. Without the namesystem's lock. Where several of
   * HDFS's queues but that of the most urgent are longer than can be counted soon, what is not
   * counted is said to be of the least urgent of these.
   */
  int[] waitingByPriority();

  /** Whether the NameNode looks for blocks that lack replicas. */
  boolean isPopulated();

  /** Whether stock avoids DataNodes that have not been heard of for a while; no lock. */
  boolean isStaleTarget(DatanodeDescriptor node);

  /**
   * Has HDFS take a DataNode in service for dead that has been silent for so long that by HDFS's
   * own rule it is, and queue its blocks; by itself HDFS looks only now and then. Under the write
   * lock, as long as stock; what it had is noted before, under the read lock for a storage at a
   * time.
   *
   * @param replicasMax most replicas to note
   * @return who was, {@code null} for nobody
   */
  Dead noticeDead(int replicasMax);

  /**
   * A DataNode that has died.
   *
   * @param replicas what it had, {@code null} where that is too much to note
   * @param count of these
   */
  record Dead(DatanodeDescriptor node, BlockBloomFilter replicas, int count) {}

  /**
   * The placement policy for contiguous blocks if it can hold stock back, else {@code null}; no
   * lock.
   *
   * @param any whether any of Rackweave's policies can, or only those that serve recovery
   */
  Object holdingPolicy(boolean any);

  /**
   * A part of the queue.
   *
   * @param blocks those that can be planned, and striped ones
   * @param looked blocks looked at, striped and deleted ones too
   */
  record Batch(List<WaitingBlock> blocks, int looked) {}

  /** Has the next {@link #next} begin with the most urgent blocks; no lock. */
  void rewind();

  /**
   * Reads on in the queue, the most urgent first, under the read lock where there are any that are
   * not known. Stock's monitor has the same place in the queue: it and this skip what the other has
   * read.
   *
   * @param max blocks to look at; fewer were looked at only where the queue ended
   * @param known blocks by number, that are given back as they are if their priority is the same
   */
  Batch next(int max, Map<Long, WaitingBlock> known);

  /**
   * Blocks as they would wait if some DataNodes died, under the read lock; those with no source
   * would be lost.
   *
   * @param ids at most {@link #batchSize}
   * @return those that are still there and could be copied
   */
  List<WaitingBlock> blocksWithout(long[] ids, Set<DatanodeDescriptor> lost);

  /**
   * Has copies made, after everything has been looked at again, under the write lock.
   *
   * @param term the change of state that made this NameNode active
   * @return one for each, in order; empty when this NameNode is not to do it any more
   */
  List<CopyOutcome> schedule(List<PlannedCopy> copies, long term);

  /** Scheduled copies that their source has not been told of; no lock. */
  int ordersWaiting(DatanodeDescriptor source);

  /** The same of all sources. */
  int ordersWaiting();

  /**
   * The next orders of a source, the most urgent first, without those that HDFS does not expect any
   * more; no lock.
   *
   * @param most orders
   * @return {@code null} for none
   */
  DatanodeCommandProto nextOrders(DatanodeDescriptor source, int most);

  /** Gives HDFS all orders that sources have not been told of; no lock. */
  void handOverOrders();

  /** Forgets all orders that sources have not been told of; no lock. */
  void forgetOrders();

  /** After how long HDFS gives a copy up, ms. */
  long pendingTimeoutMs();

  /**
   * Has HDFS go on expecting copies, from now for as long as from their beginning; those that it
   * does not expect any more are left alone. Under the read lock, for {@link #batchSize} at a time.
   */
  void expectOn(List<PlannedCopy> copies);

  /**
   * What there is to know of blocks of copies under way, as if these copies were not; under the
   * read lock.
   *
   * @return those that are still there and could be copied
   */
  List<WaitingBlock> blocksOf(List<PlannedCopy> copies);

  /**
   * Has HDFS no longer expect copies, and has others made in their place, if any are to be, after
   * everything has been looked at again; under the write lock.
   *
   * @param term as above
   * @return what became of the others, one for each, in order; empty when this NameNode is not to
   *     do it any more
   */
  List<CopyOutcome> replace(List<Replacement> replacements, long term);

  /**
   * Has stock HDFS make replicas of blocks, by its own choice and under its own locks.
   *
   * @return how many copies it scheduled
   */
  int leaveToStock(List<WaitingBlock> blocks);

  /**
   * The longest that anything of the above held the namesystem's lock, but for what is stock's own
   * work, {@link #noticeDead} and {@link #leaveToStock}.
   */
  long longestHoldNanos();
}
