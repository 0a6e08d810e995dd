package org.rackweave.hdfs.dayu;

import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.hdfs.Mode;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * The DataNodes as recovery sees them.
 *
 * @param mode whether decisions are carried out
 * @param isHeld whether nobody is to copy anything, because sleeping servers are being woken
 * @param links how loaded links are, {@code null} before the first snapshot
 * @param isStale whether snapshots have ceased
 * @param coverageMin least share of live DataNodes with known load
 * @param distinctRacks whether every replica is to be in a rack of its own
 * @param datanodes by node number; do not modify
 * @param numbers node number of each DataNode, by identity; do not modify
 */
public record RecoveryCluster(
    Mode mode,
    boolean isHeld,
    LinkSnapshot links,
    boolean isStale,
    double coverageMin,
    boolean distinctRacks,
    DatanodeDescriptor[] datanodes,
    Map<Node, Integer> numbers) {

  ClusterTopology topology() {
    return links.topology();
  }

  /** Number of a DataNode, or {@link RecoveryBatch#NONE}. */
  int numberOf(DatanodeDescriptor datanode) {
    return numbers.getOrDefault(datanode, RecoveryBatch.NONE);
  }
}
