package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/** What one call of {@code chooseTarget} comes to, every decision being counted as ours or not. */
class SinbadDecisionTest {
  private static final long MB = 1_000_000;

  private static List<DatanodeDescriptor> write(
      FakeDataNodes cluster, int replicas, Node writer, long blockBytes, AddBlockFlag... flags) {
    EnumSet<AddBlockFlag> all = EnumSet.noneOf(AddBlockFlag.class);
    all.addAll(List.of(flags));
    DatanodeStorageInfo[] targets =
        cluster
            .policy()
            .chooseTarget(
                "/file",
                replicas,
                writer,
                new ArrayList<>(),
                false,
                new HashSet<>(),
                blockBytes,
                BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy(),
                all);
    return Arrays.stream(targets).map(DatanodeStorageInfo::getDatanodeDescriptor).toList();
  }

  /** The links' promises: without them every call would take the freest link. */
  @Test
  void callsBetweenTwoSnapshotsSpread() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(1, 1, 1, 1, 1, 1)) {
      PlacementContext context = cluster.start(4 * MB, 12 * MB, 20 * MB, 28 * MB, 37 * MB, 45 * MB);
      List<DatanodeDescriptor> chosen = new ArrayList<>();
      for (int call = 0; call < 6; call++) {
        chosen.addAll(write(cluster, 1, null, FakeDataNodes.BLOCK_BYTES));
      }
      assertEquals(cluster.nodes, chosen);
      assertEquals(6, context.metrics().decisionCount());
    }
  }

  /**
   * Where three blocks go of hosts that have as much room as one another, two of them behind a
   * rack's link that is full.
   */
  private static Set<DatanodeDescriptor> besideAFullRack(FakeDataNodes cluster) {
    cluster.racks(2, 1).losesDataOnTheWayTo("/r0").start(20 * MB, 20 * MB, 20 * MB);
    Set<DatanodeDescriptor> chosen = new HashSet<>();
    for (int block = 0; block < 3; block++) {
      chosen.addAll(write(cluster, 1, null, FakeDataNodes.BLOCK_BYTES));
    }
    return chosen;
  }

  @Test
  void fullLinksOfRacksAreFoundOut() {
    try (FakeDataNodes cluster = new FakeDataNodes()) {
      Set<DatanodeDescriptor> chosen = besideAFullRack(cluster);
      assertEquals(Set.of(cluster.nodes.get(2)), chosen);
    }
  }

  @Test
  void declaredLinksOfRacksAreBelieved() {
    try (FakeDataNodes cluster = new FakeDataNodes()) {
      cluster.conf.set(ConfigKeys.RACK_OVERSUBSCRIPTION, "1");
      Set<DatanodeDescriptor> chosen = besideAFullRack(cluster);
      assertEquals(Set.copyOf(cluster.nodes), chosen);
    }
  }

  @Test
  void blocksBelowTheThresholdAreStocks() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      long threshold = context.config().thresholdBytes();
      assertEquals(3, write(cluster, 3, null, threshold - 1).size());
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.SMALL_BLOCK));
      assertEquals(0, context.metrics().decisionCount());
      assertEquals(3, write(cluster, 3, null, threshold).size());
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void blocksAreStocksWhereFewerLinksAreKnownThanTheOperatorAsks() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 1)) {
      cluster.conf.set(ConfigKeys.COVERAGE_MIN, "0.75");
      cluster.conf.setBoolean(ConfigKeys.DERIVED, false);
      PlacementContext context = cluster.start();
      cluster.racks(1);
      cluster.refresh();
      assertEquals(0.75, context.state().links().coverage());
      assertEquals(3, write(cluster, 3, null, FakeDataNodes.BLOCK_BYTES).size());
      assertEquals(1, context.metrics().decisionCount());
      cluster.racks(1);
      cluster.refresh();
      assertEquals(3, write(cluster, 3, null, FakeDataNodes.BLOCK_BYTES).size());
      assertEquals(1, context.metrics().decisionCount());
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.LOW_COVERAGE));
    }
  }

  @Test
  void theWritersRackIsAvoidedWhereThereAreThreeRacksAsInStock() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      DatanodeDescriptor writer = cluster.nodes.get(0);
      List<DatanodeDescriptor> ofTwoRacks =
          write(cluster, 3, writer, FakeDataNodes.BLOCK_BYTES, AddBlockFlag.NO_LOCAL_RACK);
      assertTrue(ofTwoRacks.contains(writer), ofTwoRacks::toString);
      cluster.racks(0, 0, 2);
      cluster.refresh();
      List<DatanodeDescriptor> ofThree =
          write(cluster, 3, null, FakeDataNodes.BLOCK_BYTES, AddBlockFlag.NO_LOCAL_RACK);
      assertEquals(3, ofThree.size(), "a client outside the cluster has no rack");
      ofThree = write(cluster, 3, writer, FakeDataNodes.BLOCK_BYTES, AddBlockFlag.NO_LOCAL_RACK);
      assertEquals(3, ofThree.size());
      assertFalse(ofThree.stream().anyMatch(node -> node.getNetworkLocation().equals("/r0")));
      assertEquals(3, context.metrics().decisionCount());
    }
  }

  @Test
  void aStaleDataNodeIsTakenOnlyWhereHdfsTakesIt() {
    for (boolean avoid : List.of(true, false)) {
      try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
        cluster.conf.setBoolean(
            DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY, avoid);
        PlacementContext context = cluster.start();
        DatanodeDescriptor stale = cluster.nodes.get(0);
        stale.setLastUpdateMonotonic(Time.monotonicNow() - 3_600_000);
        List<DatanodeDescriptor> chosen = write(cluster, 3, stale, FakeDataNodes.BLOCK_BYTES);
        assertEquals(3, chosen.size());
        assertEquals(!avoid, chosen.contains(stale));
        assertEquals(1, context.metrics().decisionCount());
        if (avoid) {
          // Where it is needed HDFS takes it after all, and does so itself.
          assertEquals(Set.copyOf(cluster.nodes), Set.copyOf(write(cluster, 4, null, 1 << 27)));
          assertEquals(1, context.metrics().fallbackCount(FallbackReason.NOT_ENOUGH_NODES));
        }
      }
    }
  }
}
