package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.rackweave.model.ClusterTopology;
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
  private static final double BLOCK_BYTES = 256 << 20;
  private static final double NANOS = 1e9;

  /**
   * How fast the simulator was in one setting.
   *
   * @param nodes DataNodes of the cluster, 20 a rack, 10:1
   * @param flows block writes under way at any time
   * @param eventsPerSec events per second of CPU time
   * @param usPerEvent its inverse, microseconds
   * @param solvedPerEvent bundles of flows whose rate was computed anew for one event
   */
  record Row(int nodes, int flows, double eventsPerSec, double usPerEvent, double solvedPerEvent) {
    static final BenchTable<Row> TABLE =
        new BenchTable<>(
            List.of(
                column("nodes", "%7d", "nodes", "%d", Row::nodes),
                column("flows", "%7d", "flows", "%d", Row::flows),
                column("events/s", "%12.0f", "events_per_s", "%.0f", Row::eventsPerSec),
                column("us/event", "%10.2f", "us_per_event", "%.3f", Row::usPerEvent),
                column("solved/event", "%14.1f", "solved_per_event", "%.2f", Row::solvedPerEvent)));
  }

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

  void run(int nodes, Consumer<Row> rows) {
    for (int perHundred : flowsPerNode) {
      rows.accept(measure(nodes, Math.max(1, nodes * perHundred / 100)));
    }
  }

  private Row measure(int nodes, int flows) {
    EventLoop loop = new EventLoop(Long.MAX_VALUE);
    ClusterLinks links = new ClusterLinks(SimulatedRacks.topology(nodes), cluster(nodes));
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
    return new Row(nodes, flows, events / cpu, cpu / events * 1e6, solvedPerEvent);
  }

  /** Runs for about so many seconds of CPU time; returns how many it were. */
  private static double runFor(EventLoop loop, double cpuSeconds) {
    long began = Stopwatch.cpuNanos();
    long now = began;
    while (now - began < cpuSeconds * NANOS) {
      loop.runUntil(loop.nowNanos() + SimTime.ofMs(100));
      now = Stopwatch.cpuNanos();
    }
    return (now - began) / NANOS;
  }

  private static ClusterSpec cluster(int nodes) {
    Distribution unused = new Distribution.Fixed(1);
    return new ClusterSpec(
        Optional.empty(),
        (nodes + SimulatedRacks.NODES_PER_RACK - 1) / SimulatedRacks.NODES_PER_RACK,
        SimulatedRacks.NODES_PER_RACK,
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
