package org.rackweave.sim.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.workload.PublishedStatistics;

/**
 * Servers that differ in what they can store and serve.
 *
 * @param places of each server the reads it serves at a time, at least 1; do not modify
 * @param storageBytes of each server; do not modify
 * @param linkBytesPerSec what each can send
 */
public record ServerPark(
    ClusterTopology topology, int[] places, long[] storageBytes, double linkBytesPerSec) {

  /** 1 Gb/s, as in the other papers; EAFR's does not say. */
  public static final double LINK_BYTES_PER_SEC = 125e6;

  /** Racks of equally many servers like the paper's (section 4). */
  public static ServerPark drawn(int racks, int serversPerRack, SplittableRandom random) {
    int servers = racks * serversPerRack;
    int[] places = new int[servers];
    long[] storage = new long[servers];
    for (int server = 0; server < servers; server++) {
      double drawn = PublishedStatistics.eafrServiceCapacity().draw(random);
      places[server] = (int) Math.max(1, Math.round(drawn));
      storage[server] = Math.round(PublishedStatistics.eafrCapacityBytes().draw(random));
    }
    return new ServerPark(topology(racks, serversPerRack), places, storage, LINK_BYTES_PER_SEC);
  }

  /** Racks of equally many servers, numbered rack by rack. */
  public static ClusterTopology topology(int racks, int serversPerRack) {
    List<NodePlace> nodes = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      for (int server = 0; server < serversPerRack; server++) {
        nodes.add(new NodePlace("r" + rack + "n" + server, "/r" + rack, null));
      }
    }
    return ClusterTopology.of(nodes);
  }

  public int servers() {
    return places.length;
  }
}
