package org.rackweave.hdfs.eafr;

import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Copies that HDFS has ordered in one NameNode, and waits to tell their sources of until these next
 * send a heartbeat. For any thread; none of it takes the namesystem's lock.
 */
public interface WaitingCopies {
  /** Whether HDFS asks EAFR's policy where copies of contiguous blocks go. */
  boolean arePlacedByEafr();

  /**
   * Whether HDFS would let a DataNode send one more: it is in service, has been heard of lately and
   * has fewer than {@code dfs.namenode.replication.max-streams} waiting.
   *
   * @param coming that are going to wait there besides
   */
  boolean canSend(DatanodeDescriptor source, int coming);

  /**
   * Gives copies that wait for a source to others; the rest keep their order.
   *
   * @param sender who is to send the copy to these targets, {@code null} to leave it; must not
   *     throw. The array is the one that the placement policy gave HDFS
   */
  void redirect(
      DatanodeDescriptor source, Function<DatanodeStorageInfo[], DatanodeDescriptor> sender);
}
