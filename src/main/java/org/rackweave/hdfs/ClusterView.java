package org.rackweave.hdfs;

import java.util.Map;
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
 */
public record ClusterView(
    LinkLedger ledger, DatanodeDescriptor[] datanodes, Map<Node, Integer> numbers) {

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
}
