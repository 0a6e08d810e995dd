package org.rackweave.hdfs.roles;

import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** What a NameNode knows of the replicas of servers that sleep. */
public interface SleepLookup {
  /** What stands in the way of a server's sleep, or what a look at some of its blocks has found. */
  enum Look {
    /** These blocks are awake elsewhere; there are more to look at. */
    MORE,
    /** These are, and there are no more. */
    ALL_AWAKE,
    /** A block has too few other replicas that are awake. */
    NEEDED,
    /** A block is being written. */
    WRITTEN,
    /** It has blocks with a code of HDFS's own, of which none may be missing. */
    ERASURE_CODED
  }

  /**
   * A block without a replica that is awake.
   *
   * @param holders of its replicas that are sound
   */
  record AsleepBlock(long blockId, List<DatanodeDescriptor> holders) {}

  /**
   * Looks at some of a server's blocks, in one short hold of the lock.
   *
   * @param from how many were looked at before
   * @param awake whether a server is awake, and stays so
   */
  Look look(DatanodeDescriptor server, int from, int count, Predicate<DatanodeDescriptor> awake);

  /**
   * Some blocks of those that HDFS wants copied most urgently.
   *
   * @param blocks those without a replica that is awake, but with sound ones in maintenance
   * @param looked how many were looked at; fewer than asked for when there are no more
   */
  record Urgent(List<AsleepBlock> blocks, int looked) {}

  /**
   * Finds blocks that HDFS misses because all servers with sound replicas are in maintenance, in
   * one short hold of the lock.
   *
   * @param from how many urgent blocks to pass over
   * @param count how many to look at
   */
  Urgent urgent(int from, int count);

  /** Whether a server has not been heard of for as long as HDFS asks of those it writes to. */
  boolean isStale(DatanodeDescriptor server);

  /**
   * Puts a server into maintenance, or changes how long it is in it.
   *
   * @param expiryMs wall clock
   */
  void beginMaintenance(DatanodeDescriptor server, long expiryMs);

  /**
   * Leaves a server to the operator's rules: ends its maintenance where these have none for it, and
   * drains it where they say so. The replicas of one that is not there count as lost from then on.
   */
  void endMaintenance(DatanodeDescriptor server);
}
