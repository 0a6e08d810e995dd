package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.model.ClusterTopology;

/**
 * The DataNodes as encoding sees them.
 *
 * @param topology racks and node numbers
 * @param datanodes by node number; do not modify
 * @param numbers node number of each DataNode, by identity; do not modify
 * @param staleMs a DataNode that has been silent for so long is stale, as HDFS has it
 */
public record EncodingCluster(
    ClusterTopology topology,
    DatanodeDescriptor[] datanodes,
    Map<Node, Integer> numbers,
    long staleMs) {

  /** Whether a node may get a block at all. */
  boolean isUsable(int node) {
    return datanodes[node].isAlive() && datanodes[node].isInService();
  }

  /**
   * Whether what is on a node, or is to get there, can be counted on: it may be dead already when
   * its heartbeats have stopped.
   */
  boolean isFresh(int node) {
    return isUsable(node) && !isSilent(node);
  }

  /** Whether heartbeats have stopped, as far as HDFS calls it stale; it may be dead. */
  boolean isSilent(int node) {
    return datanodes[node].isStale(staleMs);
  }

  /** Whether there is room on a node for a block, and for another that is written meanwhile. */
  boolean hasRoom(int node, long bytes) {
    return datanodes[node].getRemaining() >= 2 * bytes;
  }

  /**
   * Whether a node may get a block of a stripe. Not when it has a replica of one that is to go:
   * were that deleted and made anew before the DataNode reports, HDFS would never hear of the
   * deletion and take the new replica for the old one.
   *
   * @param blocks the stripe's, {@code null} for those that are gone
   */
  boolean mayTake(int node, long bytes, List<StoredBlock> blocks) {
    return isFresh(node)
        && hasRoom(node, bytes)
        && blocks.stream()
            .noneMatch(block -> block != null && block.hasPassingReplicaOn(datanodes[node]));
  }

  /** Nodes that may get a block. */
  int usableCount() {
    return (int) IntStream.range(0, datanodes.length).filter(this::isUsable).count();
  }

  /** Numbers of DataNodes in service, by UUID. */
  int[] usableNumbersOf(List<String> uuids) {
    return numbersOf(uuids, this::isUsable);
  }

  /** Numbers of DataNodes that live and are out of service, or are about to be, by UUID. */
  int[] leavingNumbersOf(List<String> uuids) {
    return numbersOf(uuids, node -> datanodes[node].isAlive() && !datanodes[node].isInService());
  }

  private int[] numbersOf(List<String> uuids, IntPredicate which) {
    return uuids.isEmpty()
        ? new int[0]
        : IntStream.range(0, datanodes.length)
            .filter(node -> which.test(node) && uuids.contains(datanodes[node].getDatanodeUuid()))
            .toArray();
  }

  /** Numbers of those DataNodes that can be counted on. */
  int[] freshNumbersOf(List<DatanodeDescriptor> nodes) {
    return IntStream.of(numbersOf(nodes)).filter(this::isFresh).toArray();
  }

  /** Numbers of DataNodes, those left out that are not in the topology. */
  int[] numbersOf(List<DatanodeDescriptor> nodes) {
    return nodes.stream()
        .map(numbers::get)
        .filter(number -> number != null)
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
