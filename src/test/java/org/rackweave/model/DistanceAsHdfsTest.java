package org.rackweave.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistanceAsHdfsTest {
  /** All racks of an HDFS topology lie at one depth. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void countsTheHopsThatHdfsCounts(int depth) {
    NetworkTopology hdfs = NetworkTopology.getInstance(new Configuration(false));
    List<Node> nodes = new ArrayList<>();
    List<NodePlace> places = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      StringBuilder rack = new StringBuilder();
      for (int level = 0; level < depth; level++) {
        rack.append("/l").append(i / (2 << (depth - level)) % (level == 0 ? 24 : 2));
      }
      Node node = new NodeBase("n" + i, rack.toString());
      hdfs.add(node);
      nodes.add(node);
      places.add(new NodePlace("n" + i, rack.toString(), null));
    }
    ClusterTopology ours = ClusterTopology.of(places);
    for (int a = 0; a < ours.nodeCount(); a++) {
      for (int b = 0; b < ours.nodeCount(); b++) {
        assertEquals(
            hdfs.getDistance(nodes.get(numberIn(ours, a)), nodes.get(numberIn(ours, b))),
            ours.distance(a, b),
            ours.nodeName(a) + " to " + ours.nodeName(b));
      }
    }
  }

  private static int numberIn(ClusterTopology topology, int node) {
    return Integer.parseInt(topology.nodeName(node).substring(1));
  }
}
