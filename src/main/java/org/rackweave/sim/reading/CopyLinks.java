package org.rackweave.sim.reading;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.network.Flow;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.network.Path;
import org.rackweave.sim.workload.Distribution;

/**
 * Servers' links for copies of replicas, each link partly taken by other traffic, which stays as it
 * is for a run: section 3.3 finds that servers differ and that each stays as it is (Fig. 4). How
 * they differ it does not say; these are the mean and the variation that Dayu's authors measured
 * over the nodes of a production cluster (ATC 2019, observations 2, 3 and 5).
 */
final class CopyLinks {
  private static final double MEAN_LOAD = 0.4;
  private static final double LOAD_DEVIATION = 0.2;
  private static final double MOST_LOAD = 0.95;

  private final FlowNetwork network;
  private final ServerPark park;
  private final double[] load;
  private final int servers;

  /**
   * @param shapers copies that can have a rate of their own at a time
   */
  CopyLinks(EventLoop loop, ServerPark park, int shapers, SplittableRandom random) {
    this.park = park;
    servers = park.servers();
    Distribution loads = new Distribution.Normal(MEAN_LOAD, LOAD_DEVIATION);
    load = new double[servers];
    Arrays.setAll(load, server -> Math.min(MOST_LOAD, loads.draw(random)));
    double[] capacities = new double[2 * servers + shapers];
    Arrays.fill(capacities, park.linkBytesPerSec());
    for (int server = 0; server < servers; server++) {
      capacities[sending(server)] *= 1 - load[server];
      capacities[receiving(server)] *= 1 - load[server];
    }
    network = new FlowNetwork(loop, capacities, 0);
    loop.require("capacity", network.withinCapacity());
    loop.require("bytes", network.conservesBytes());
  }

  private int sending(int server) {
    return server;
  }

  private int receiving(int server) {
    return servers + server;
  }

  Flow copy(int from, int to, double sizeBytes, Runnable whenDone) {
    return network.start(Path.of(sending(from), receiving(to)), sizeBytes, whenDone);
  }

  /** A copy that goes no faster than its shaper's rate. */
  Flow shapedCopy(int shaper, int from, int to, double sizeBytes, Runnable whenDone) {
    return network.start(
        Path.of(sending(from), receiving(to), 2 * servers + shaper), sizeBytes, whenDone);
  }

  void setRate(int shaper, double bytesPerSec) {
    network.setCapacity(2 * servers + shaper, bytesPerSec);
  }

  double rate(int shaper) {
    return network.capacity(2 * servers + shaper);
  }

  /** Bytes per second that all traffic brings to a server. */
  double receivedBytesPerSec(int server) {
    return load[server] * park.linkBytesPerSec() + network.load(receiving(server));
  }

  /** Reads that the other traffic stands for: the load of a server's link is that of its places. */
  int reads(int server) {
    return (int) Math.round(load[server] * park.places()[server]);
  }
}
