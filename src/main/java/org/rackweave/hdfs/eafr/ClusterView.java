package org.rackweave.hdfs.eafr;

import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.model.ClusterTopology;

/**
 * The DataNodes as EAFR sees them.
 *
 * @param topology racks and node numbers
 * @param datanodes by node number, the same array as long as they are the same; do not modify
 * @param numbers node number of each DataNode, by identity; do not modify
 */
public record ClusterView(
    ClusterTopology topology, DatanodeDescriptor[] datanodes, Map<Node, Integer> numbers) {}
