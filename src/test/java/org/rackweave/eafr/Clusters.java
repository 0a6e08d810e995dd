package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Clusters of equal racks for tests; nodes are named {@code n0}, {@code n1} and so on. */
final class Clusters {
  static final int CAPACITY = 10;

  private Clusters() {}

  static ClusterTopology topology(int racks, int nodesPerRack) {
    List<NodePlace> places = new ArrayList<>();
    for (int i = 0; i < racks * nodesPerRack; i++) {
      places.add(new NodePlace("n" + i, "/r" + i / nodesPerRack, null));
    }
    return ClusterTopology.of(places);
  }

  /** All hot and idle, each serving {@link #CAPACITY} reads at a time. */
  static Servers.Builder of(int racks, int nodesPerRack) {
    return Servers.of(topology(racks, nodesPerRack), CAPACITY);
  }
}
