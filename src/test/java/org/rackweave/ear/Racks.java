package org.rackweave.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * Topologies for tests: rack {@code i} is {@code /ri}, its nodes are {@code i.0}, {@code i.1}...
 */
final class Racks {
  private Racks() {}

  static ClusterTopology of(int... sizes) {
    List<NodePlace> places = new ArrayList<>();
    for (int rack = 0; rack < sizes.length; rack++) {
      addRack(places, rack, sizes[rack]);
    }
    return ClusterTopology.of(places);
  }

  static ClusterTopology even(int racks, int nodesPerRack) {
    int[] sizes = new int[racks];
    Arrays.fill(sizes, nodesPerRack);
    return of(sizes);
  }

  private static void addRack(List<NodePlace> places, int rack, int size) {
    for (int i = 0; i < size; i++) {
      places.add(new NodePlace(rack + "." + i, "/r" + rack, null));
    }
  }

  /** The same cluster without some of its nodes, and with others; order is by rack. */
  static ClusterTopology changed(ClusterTopology before, List<String> gone, List<NodePlace> more) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < before.nodeCount(); node++) {
      if (!gone.contains(before.nodeName(node))) {
        String rack = before.rackPath(before.rackOf(node));
        places.add(new NodePlace(before.nodeName(node), rack, null));
      }
    }
    places.addAll(more);
    return ClusterTopology.of(places);
  }

  static List<String> nodesOf(int rack, ClusterTopology topology) {
    return IntStream.range(topology.firstNode(rack), topology.firstNode(rack + 1))
        .mapToObj(topology::nodeName)
        .toList();
  }

  /** Number of a node by its name. */
  static int node(String name, ClusterTopology topology) {
    return IntStream.range(0, topology.nodeCount())
        .filter(node -> topology.nodeName(node).equals(name))
        .findFirst()
        .orElseThrow();
  }

  static int[] nodes(ClusterTopology topology, String... names) {
    return Arrays.stream(names).mapToInt(name -> node(name, topology)).toArray();
  }
}
