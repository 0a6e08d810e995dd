package org.rackweave.hdfs.namenode;

import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkLedger;

/**
 * What one decision reads: the links, and which DataNode each of their numbers stands for.
 *
 * @param ledger links with the promises made since the snapshot
 * @param datanodes by node number; do not modify
 * @param numbers node number of each DataNode, by identity; do not modify
 */
public record PlacementState(
    LinkLedger ledger, DatanodeDescriptor[] datanodes, Map<Node, Integer> numbers) {

  public ClusterTopology topology() {
    return ledger.topology();
  }

  /** Number of a DataNode, or {@link ClusterTopology#NONE}. */
  public int numberOf(Node datanode) {
    Integer number = numbers.get(datanode);
    return number == null ? ClusterTopology.NONE : number;
  }
}
