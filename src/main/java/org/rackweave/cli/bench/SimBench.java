package org.rackweave.cli.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.cluster.ClusterLinks;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.scenario.ClusterSpec;
import org.rackweave.sim.workload.Distribution;

/**
 * How fast the simulated network is: so many block writes are under way at any time, each from a
 * random node to two random nodes of a random other rack; one that ends is followed by the next.
 */
final class SimBench {
  private static final int NODES_PER_RACK = 20;
  private static final double BLOCK_BYTES = 256 << 20;
  private static final double NANOS = 1e9;

  private final int[] flowsPerNode;
  private final double seconds;

  private SimBench(double seconds, int... flowsPerHundredNodes) {
    this.seconds = seconds;
    this.flowsPerNode = flowsPerHundredNodes;
  }

  static SimBench thorough() {
    return new SimBench(2, 1, 10, 100, 400);
  }

  static SimBench quick() {
    return new SimBench(0.01, 10, 100);
  }

  List<SimBenchRow> run(int nodes, Consumer<SimBenchRow> whenMeasured) {
    List<SimBenchRow> rows = new ArrayList<>();
    for (int perHundred : flowsPerNode) {
      SimBenchRow row = measure(nodes, Math.max(1, nodes * perHundred / 100));
      whenMeasured.accept(row);
      rows.add(row);
    }
    return rows;
  }

  private SimBenchRow measure(int nodes, int flows) {
    EventLoop loop = new EventLoop(Long.MAX_VALUE);
    ClusterLinks links = new ClusterLinks(racks(nodes), cluster(nodes));
    FlowNetwork network = new FlowNetwork(loop, links.capacities(), 0);
    Writers writers = new Writers(links, network);
    for (int i = 0; i < flows; i++) {
      loop.at(SimTime.ofSeconds(5.0 * i / flows), writers::write);
    }
    runFor(loop, seconds / 2);
    long events = loop.eventCount();
    long solved = network.bundlesSolved();
    double cpu = runFor(loop, seconds);
    events = loop.eventCount() - events;
    double solvedPerEvent = (double) (network.bundlesSolved() - solved) / events;
    return new SimBenchRow(nodes, flows, events / cpu, cpu / events * 1e6, solvedPerEvent);
  }

  /** Runs for about so many seconds of CPU time; returns how many it were. */
  private static double runFor(EventLoop loop, double cpuSeconds) {
    long began = cpuNanos();
    long now = began;
    while (now - began < cpuSeconds * NANOS) {
      loop.runUntil(loop.nowNanos() + SimTime.ofMs(100));
      now = cpuNanos();
    }
    return (now - began) / NANOS;
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static ClusterTopology racks(int nodes) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      places.add(new NodePlace("dn" + node, "/rack" + node / NODES_PER_RACK, null));
    }
    return ClusterTopology.of(places);
  }

  private static ClusterSpec cluster(int nodes) {
    Distribution unused = new Distribution.Fixed(1);
    return new ClusterSpec(
        Optional.empty(),
        (nodes + NODES_PER_RACK - 1) / NODES_PER_RACK,
        NODES_PER_RACK,
        125e6,
        0,
        10,
        Double.POSITIVE_INFINITY,
        50e6,
        50e6,
        6,
        unused,
        unused);
  }

  /** Clients that write one block after another. */
  private static final class Writers {
    private final SplittableRandom random = new SplittableRandom(1);
    private final ClusterLinks links;
    private final ClusterTopology topology;
    private final FlowNetwork network;

    Writers(ClusterLinks links, FlowNetwork network) {
      this.links = links;
      this.topology = links.topology();
      this.network = network;
    }

    void write() {
      int writer = random.nextInt(topology.nodeCount());
      int rack = random.nextInt(topology.rackCount());
      int second = nodeOf(rack);
      int third = nodeOf(rack);
      if (rack == topology.rackOf(writer) || second == third) {
        write();
        return;
      }
      int[] nodes = {writer, second, third};
      int[] disks = random.ints(3, 0, links.disksPerNode()).toArray();
      double size = BLOCK_BYTES * random.nextDouble(0.5, 1.5);
      network.start(links.pipeline(writer, nodes, disks, false).orElseThrow(), size, this::write);
    }

    private int nodeOf(int rack) {
      return topology.firstNode(rack) + random.nextInt(topology.rackSize(rack));
    }
  }
}
