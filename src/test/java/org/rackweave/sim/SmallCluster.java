package org.rackweave.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.cluster.ClusterLinks;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.scenario.ClusterSpec;
import org.rackweave.sim.workload.Distribution;

/** Racks of equal nodes: links of 100 B/s, racks 2:1, one disk of 50 B/s, 1000 B of storage. */
public final class SmallCluster {
  public final EventLoop loop = new EventLoop(1_000_000);
  public final ClusterTopology topology;
  public final ClusterLinks links;
  public final FlowNetwork network;
  public final Cluster cluster;

  public SmallCluster(int racks, int nodesPerRack) {
    this(racks, nodesPerRack, 50);
  }

  public SmallCluster(int racks, int nodesPerRack, double diskBytesPerSec) {
    List<NodePlace> places = new ArrayList<>();
    for (int i = 0; i < racks * nodesPerRack; i++) {
      places.add(new NodePlace("n" + i, "/r" + i / nodesPerRack, null));
    }
    topology = ClusterTopology.of(places);
    links = new ClusterLinks(topology, spec(racks, nodesPerRack, diskBytesPerSec));
    network = new FlowNetwork(loop, links.capacities(), 0);
    double[] storage = new double[topology.nodeCount()];
    Arrays.fill(storage, 1000);
    cluster = new Cluster(links, network, storage);
    loop.require("capacity", network.withinCapacity());
    loop.require("bytes", network.conservesBytes());
    loop.require("fairness", network.fairness());
  }

  private static ClusterSpec spec(int racks, int nodesPerRack, double diskBytesPerSec) {
    Distribution storage = new Distribution.Fixed(1000);
    return new ClusterSpec(
        Optional.empty(),
        racks,
        nodesPerRack,
        100,
        0,
        2,
        Double.POSITIVE_INFINITY,
        diskBytesPerSec,
        diskBytesPerSec,
        1,
        storage,
        new Distribution.Fixed(10));
  }
}
