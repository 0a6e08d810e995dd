package org.rackweave.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.network.Path;

class ClusterLinksTest {
  private static final int[] FIRST_DISKS = {0, 0, 0};

  private final SmallCluster small = new SmallCluster(3, 4);
  private final ClusterLinks links = small.links;

  @Test
  void everyLinkHasANumberAndACapacityOfItsOwn() {
    HashSet<Integer> numbers = new HashSet<>();
    for (int node = 0; node < 12; node++) {
      numbers.addAll(Arrays.asList(links.hostTx(node), links.hostRx(node)));
      numbers.addAll(Arrays.asList(links.disk(node, 0), links.readDisk(node, 0)));
    }
    for (int rack = 0; rack < 3; rack++) {
      numbers.addAll(Arrays.asList(links.rackUp(rack), links.rackDown(rack)));
      numbers.addAll(Arrays.asList(links.poolTx(rack), links.poolRx(rack)));
      numbers.addAll(Arrays.asList(links.nodesUp(rack), links.nodesDown(rack)));
    }
    assertEquals(12 * 4 + 3 * 6, numbers.size());
    double[] capacities = links.capacities();
    assertEquals(numbers.size(), capacities.length);
    assertEquals(100, capacities[links.hostRx(7)]);
    assertEquals(200, capacities[links.rackUp(2)]); // 4 x 100, 2:1
    assertEquals(400, capacities[links.poolRx(1)]);
    assertEquals(50, capacities[links.disk(3, 0)]);
    assertEquals(50, capacities[links.readDisk(11, 0)]);
  }

  @Test
  void aPipelineCrossesEveryLinkOfItsHopsAndADiskOfEachNode() {
    // Writer 0 in rack 0 keeps a copy; 4 and 5 are in rack 1.
    Path path = links.pipeline(0, new int[] {0, 4, 5}, FIRST_DISKS, false).orElseThrow();
    assertEquals(
        Path.of(
            links.disk(0, 0),
            links.hostTx(0),
            links.rackUp(0),
            links.rackDown(1),
            links.nodesUp(0),
            links.nodesDown(1),
            links.hostRx(4),
            links.disk(4, 0),
            links.hostTx(4),
            links.hostRx(5),
            links.disk(5, 0)),
        path);
  }

  @Test
  void aWriterOutsideEntersThroughTheRacksLink() {
    Path path =
        links.pipeline(ClusterTopology.NONE, new int[] {8}, FIRST_DISKS, false).orElseThrow();
    assertEquals(
        Path.of(links.rackDown(2), links.nodesDown(2), links.hostRx(8), links.disk(8, 0)), path);
  }

  @Test
  void aFreeSourceLeavesOutTheWritersLinksOnly() {
    Path path = links.pipeline(0, new int[] {0, 4, 8}, FIRST_DISKS, true).orElseThrow();
    assertEquals(
        Path.of(
            links.disk(0, 0),
            links.rackDown(1),
            links.nodesDown(1),
            links.hostRx(4),
            links.disk(4, 0),
            links.hostTx(4),
            links.rackUp(1),
            links.rackDown(2),
            links.nodesUp(1),
            links.nodesDown(2),
            links.hostRx(8),
            links.disk(8, 0)),
        path);
  }

  @Test
  void nothingLimitsALoneCopyInTheWritersMemory() {
    ClusterLinks memory = new SmallCluster(2, 2, Double.POSITIVE_INFINITY).links;
    assertTrue(memory.pipeline(1, new int[] {1}, FIRST_DISKS, false).isEmpty());
    assertFalse(memory.pipeline(1, new int[] {1, 2}, FIRST_DISKS, false).isEmpty());
  }

  @Test
  void aRacksTrafficIsSharedByItsHosts() {
    small.network.start(links.betweenRacks(0, 1), 4000, () -> {});
    small.loop.runUntil(2_000_000_000L);
    assertEquals(200, small.network.load(links.rackDown(1)), 1e-9);
    assertEquals(50, small.cluster.receiving(5), 1e-9);
    assertEquals(100, small.cluster.receivedBytes(5, small.loop.nowNanos()), 1e-6);
    assertEquals(100, small.cluster.sentBytes(0, small.loop.nowNanos()), 1e-6);
    assertEquals(0, small.cluster.receivedBytes(0, small.loop.nowNanos()), 1e-6);
  }

  @Test
  void whatCertainNodesExchangeIsNotSharedByTheirRacks() {
    small.network.start(links.transfer(0, 4), 4000, () -> {});
    small.network.start(links.betweenRacks(0, 1), 4000, () -> {});
    small.loop.runUntil(2_000_000_000L);
    // 100 B/s for each on the rack's link of 200.
    assertEquals(100 + 25, small.cluster.receiving(4), 1e-9);
    assertEquals(25, small.cluster.receiving(5), 1e-9);
    assertEquals(200 + 50, small.cluster.receivedBytes(4, small.loop.nowNanos()), 1e-6);
    assertEquals(50, small.cluster.sentBytes(1, small.loop.nowNanos()), 1e-6);
  }

  @Test
  void aRacksTrafficToItselfStaysInIt() {
    small.network.start(links.betweenRacks(2, 2), 4000, () -> {});
    small.loop.runUntil(1_000_000_000L);
    assertEquals(0, small.network.load(links.rackUp(2)), 1e-9);
    assertEquals(100, small.cluster.receivedBytes(9, small.loop.nowNanos()), 1e-6);
  }

  @Test
  void aReadCrossesTheHoldersDiskAndTheWayToTheReader() {
    assertEquals(
        Path.of(
            links.readDisk(4, 0),
            links.hostTx(4),
            links.rackUp(1),
            links.rackDown(0),
            links.nodesUp(1),
            links.nodesDown(0),
            links.hostRx(0)),
        links.read(4, 0, 0).orElseThrow());
    assertEquals(Path.of(links.readDisk(4, 0)), links.read(4, 0, 4).orElseThrow());
    assertEquals(
        Path.of(links.readDisk(4, 0), links.hostTx(4), links.rackUp(1), links.nodesUp(1)),
        links.read(4, 0, ClusterTopology.NONE).orElseThrow(),
        "to a client outside");
    ClusterLinks memory = new SmallCluster(3, 4, Double.POSITIVE_INFINITY).links;
    assertTrue(memory.read(4, 0, 4).isEmpty(), "from the reader's own memory");
  }

  /** It is there for the node's own agent to see, and gone for others. */
  @Test
  void aNodesOwnWorkTakesOfItsLinkAndIsCountedThere() {
    small.cluster.occupy(4, 60, 20, 0);
    small.network.start(links.transfer(0, 4), 4000, () -> {});
    small.loop.runUntil(2_000_000_000L);
    small.cluster.occupy(4, 10, 0, small.loop.nowNanos());
    small.loop.runUntil(3_000_000_000L);
    assertEquals(10 + 90, small.cluster.receiving(4), 1e-9);
    assertEquals(
        2 * 60 + 10 + 2 * 40 + 90, small.cluster.receivedBytes(4, small.loop.nowNanos()), 1e-6);
    assertEquals(2 * 20, small.cluster.sentBytes(4, small.loop.nowNanos()), 1e-6);
    assertEquals(10 / 400.0, small.cluster.occupied(1), 1e-9);
  }
}
