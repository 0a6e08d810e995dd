package org.rackweave.cli.bench;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * Where the DataNodes of a {@link SimulatedCluster} stand: node {@code i} has the address {@code
 * 10.x.y.z} that spells {@code i}, and twenty neighbours share a rack. HDFS builds this class by
 * reflection.
 */
public final class SimulatedRacks implements DNSToSwitchMapping {
  static final int NODES_PER_RACK = 20;

  static String address(int node) {
    return "10." + (node >> 16 & 255) + '.' + (node >> 8 & 255) + '.' + (node & 255);
  }

  static int rackOf(int node) {
    return node / NODES_PER_RACK;
  }

  static String rackPath(int rack) {
    return "/rack" + rack;
  }

  /** The same without an HDFS. */
  static ClusterTopology topology(int nodes) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      places.add(new NodePlace("dn" + node, rackPath(rackOf(node)), null));
    }
    return ClusterTopology.of(places);
  }

  @Override
  public List<String> resolve(List<String> names) {
    List<String> racks = new ArrayList<>(names.size());
    for (String name : names) {
      if (!name.startsWith("10.")) {
        racks.add(NetworkTopology.DEFAULT_RACK); // a client that is no DataNode
        continue;
      }
      int node = 0;
      for (String part : name.substring("10.".length()).split("\\.")) {
        node = node << 8 | Integer.parseInt(part);
      }
      racks.add(rackPath(rackOf(node)));
    }
    return racks;
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
