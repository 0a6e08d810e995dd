package org.rackweave.sim.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.cluster.ClusterLinks;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioText;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.BlockWrites;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.TimedRequest;

/**
 * A DataNode whose disk is slow for two minutes, which neither its link nor any declaration shows:
 * its link looks idle, since little gets through. It is known by the blocks that stay under way.
 */
class SlowDiskTest {
  private static final int SLOW = 5;
  private static final int WRITERS = 30;
  private static final long BLOCK_BYTES = 64_000_000;
  private static final double SLOW_BYTES_PER_SEC = 4e6;
  private static final int SLOW_FROM_SEC = 60;
  private static final int SLOW_UNTIL_SEC = 180;
  private static final int END_SEC = 330;
  private static final List<String> CLUSTER =
      """
          cluster:
            racks: 6
            nodes-per-rack: 4
            host-link: 1Gbps
            disk-write: 100MB/s
            disks-per-node: 1
          telemetry:
            interval: 3s
          workloads:
            - name: copies
              kind: steady-writes
              at-a-time: 1
          policies:
            - kind: stock
            - name: shipped
              kind: sinbad
              promise: share
          run:
            duration: 6min
          """
          .lines()
          .toList();

  private final List<BlockOutcome> blocks = new ArrayList<>();

  private void run(String policy) throws InputException {
    Scenario scenario = ScenarioText.parse(Path.of("test.yaml"), CLUSTER);
    PolicySpec spec =
        scenario.policies().stream()
            .filter(one -> one.name().equals(policy))
            .findFirst()
            .orElseThrow();
    ClusterTopology topology =
        RunInput.of(scenario, new InputFiles(List.of()), 1).machines().topology();
    ClusterLinks links = new ClusterLinks(topology, scenario.cluster());
    EventLoop loop = new EventLoop(100_000_000);
    FlowNetwork network = new FlowNetwork(loop, links.capacities(), 0);
    double[] bytes = new double[topology.nodeCount()];
    Arrays.fill(bytes, 1e15);
    Cluster cluster = new Cluster(links, network, bytes);
    BlockWrites writes =
        new BlockWrites(
            loop,
            cluster,
            new PolicyWiring(loop, cluster, scenario, new Streams(1)).policy(spec),
            PolicyWiring.writing(spec),
            blocks::add);
    for (int file = 0; file < WRITERS; file++) {
      writes.begin(
          new TimedRequest.Write(
              0, TimedRequest.OUTSIDE, file, TimedRequest.Write.ENDLESS, BLOCK_BYTES, 3));
    }
    int disk = network.linkCount() - topology.nodeCount() + SLOW; // disks are numbered last
    loop.at(at(SLOW_FROM_SEC), () -> network.setCapacity(disk, SLOW_BYTES_PER_SEC));
    loop.at(at(SLOW_UNTIL_SEC), () -> network.setCapacity(disk, 100e6));
    loop.runUntil(at(END_SEC));
    writes.endEndless();
    loop.runUntil(at(END_SEC + 120));
  }

  private static long at(int seconds) {
    return SimTime.ofMs(1000L * seconds);
  }

  /** Replicas that were placed there in a time, by how many there are of the average DataNode. */
  private double share(int fromSec, int untilSec) {
    long there = 0;
    long all = 0;
    for (BlockOutcome block : blocks) {
      if (block.placedNanos() >= at(fromSec) && block.placedNanos() < at(untilSec)) {
        there += Arrays.stream(block.nodes()).filter(node -> node == SLOW).count();
        all += block.nodes().length;
      }
    }
    return 24.0 * there / all;
  }

  private double writtenWhileSlow() {
    return blocks.stream()
        .filter(block -> block.endedNanos() >= at(SLOW_FROM_SEC))
        .filter(block -> block.endedNanos() < at(SLOW_UNTIL_SEC))
        .count();
  }

  private String shares() {
    StringBuilder text = new StringBuilder();
    for (int from = 0; from < END_SEC; from += 15) {
      text.append(String.format(Locale.ROOT, " %d:%.2f", from, share(from, from + 15)));
    }
    return text.append(" written while slow: ").append(writtenWhileSlow()).toString();
  }

  @Test
  void isAvoidedWhileItIsSlowAndComesBackWithoutARush() throws InputException {
    run("stock");
    double stocks = writtenWhileSlow();
    String figures = "stock" + shares();
    blocks.clear();
    run("shipped");
    figures += "\nshipped" + shares();
    assertTrue(share(20, SLOW_FROM_SEC) > 0.6, figures);
    assertTrue(share(SLOW_FROM_SEC + 15, SLOW_UNTIL_SEC) < 0.5, figures);
    assertTrue(writtenWhileSlow() > 1.2 * stocks, figures);
    for (int from = SLOW_UNTIL_SEC; from + 15 <= END_SEC; from += 15) {
      assertTrue(share(from, from + 15) < 2, "all go there at " + from + " s:\n" + figures);
    }
    assertTrue(share(SLOW_UNTIL_SEC + 60, END_SEC) > 0.6, figures);
  }
}
