package org.rackweave.hdfs;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * The DataNodes and their links as one decision sees them: made with every snapshot of the links,
 * and read by all features.
 *
 * @param ledger links with the promises made since the snapshot
 * @param datanodes by node number, the same array as long as they are the same; do not modify
 * @param numbers node number of each DataNode, by identity; do not modify
 * @param staleMs a DataNode that has been silent for so long is stale, as HDFS has it
 */
public record ClusterView(
    LinkLedger ledger, DatanodeDescriptor[] datanodes, Map<Node, Integer> numbers, long staleMs) {

  /** Rack, address and port of a DataNode, for people. */
  public static String placeOf(DatanodeDescriptor datanode) {
    return datanode.getNetworkLocation() + '/' + datanode.getXferAddr();
  }

  /** Racks and node numbers. */
  public ClusterTopology topology() {
    return ledger.topology();
  }

  /** How loaded links were when the snapshot was taken. */
  public LinkSnapshot links() {
    return ledger.snapshot();
  }

  /** Number of a DataNode, or {@link ClusterTopology#NONE}. */
  public int numberOf(Node datanode) {
    Integer number = numbers.get(datanode);
    return number == null ? ClusterTopology.NONE : number;
  }

  /** Whether a node may get a block at all. */
  public boolean isUsable(int node) {
    return datanodes[node].isAlive() && datanodes[node].isInService();
  }

  /**
   * Whether what is on a node, or is to get there, can be counted on: it may be dead already when
   * its heartbeats have stopped.
   */
  public boolean isFresh(int node) {
    return isUsable(node) && !isSilent(node);
  }

  /** Whether heartbeats have stopped, as far as HDFS calls it stale; it may be dead. */
  public boolean isSilent(int node) {
    return datanodes[node].isStale(staleMs);
  }

  /** Whether there is room on a node for a block, and for another that is written meanwhile. */
  public boolean hasRoom(int node, long bytes) {
    return datanodes[node].getRemaining() >= 2 * bytes;
  }

  /** Nodes that may get a block. */
  public int usableCount() {
    return (int) IntStream.range(0, datanodes.length).filter(this::isUsable).count();
  }

  /** Numbers of DataNodes in service, by UUID. */
  public int[] usableNumbersOf(List<String> uuids) {
    return numbersOf(uuids, this::isUsable);
  }

  /** Numbers of DataNodes that live and are out of service, or are about to be, by UUID. */
  public int[] leavingNumbersOf(List<String> uuids) {
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
  public int[] freshNumbersOf(List<DatanodeDescriptor> nodes) {
    return IntStream.of(numbersOf(nodes)).filter(this::isFresh).toArray();
  }

  /** Numbers of DataNodes, those left out that are not in the topology. */
  public int[] numbersOf(List<DatanodeDescriptor> nodes) {
    return nodes.stream()
        .mapToInt(this::numberOf)
        .filter(number -> number != ClusterTopology.NONE)
        .toArray();
  }
}
