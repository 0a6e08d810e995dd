package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/** The bridge: real descriptors, real topology, reported load, no NameNode. */
class SinbadBlockPlacementPolicyTest {
  private static final long MB = 1_000_000;
  private static final BlockStoragePolicy HOT =
      BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
  private static final EnumSet<AddBlockFlag> NEW_BLOCK = EnumSet.noneOf(AddBlockFlag.class);

  private static DatanodeStorageInfo[] choose(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> existing,
      boolean returnExisting,
      Set<Node> excluded,
      EnumSet<AddBlockFlag> flags) {
    return policy.chooseTarget(
        "/file",
        replicas,
        writer,
        existing,
        returnExisting,
        excluded,
        FakeDataNodes.BLOCK_BYTES,
        HOT,
        flags);
  }

  private static DatanodeStorageInfo[] chooseNew(BlockPlacementPolicy policy, Node writer) {
    return choose(policy, 3, writer, new ArrayList<>(), false, new HashSet<>(), NEW_BLOCK);
  }

  private static List<String> racks(DatanodeStorageInfo[] targets) {
    return Arrays.stream(targets)
        .map(target -> target.getDatanodeDescriptor().getNetworkLocation())
        .toList();
  }

  @Test
  void startsAtTheWriterAndGoesOnToTheFreestRack() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2, 2)) {
      PlacementContext context = cluster.start(0, 0, 100 * MB, 100 * MB, 20 * MB, 20 * MB);
      DatanodeDescriptor writer = cluster.nodes.get(1);
      DatanodeStorageInfo[] targets = chooseNew(cluster.policy(), writer);
      assertSame(writer, targets[0].getDatanodeDescriptor());
      assertEquals(List.of("/r0", "/r2", "/r2"), racks(targets));
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void followsTheConfigurationInForce() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2, 2)) {
      PlacementContext context = cluster.start(0, 0, 100 * MB, 100 * MB, 20 * MB, 20 * MB);
      Configuration latest = new Configuration(cluster.conf);
      latest.set(ConfigKeys.SPREAD, "distinct-racks");
      context.setConfig(RackweaveConfig.from(latest));
      DatanodeStorageInfo[] targets = chooseNew(cluster.policy(), cluster.nodes.get(1));
      assertEquals(List.of("/r0", "/r2", "/r1"), racks(targets));
    }
  }

  @Test
  void ordersThePipelineFromTheWritersNodeEvenWhenItTakesNoReplica() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      DatanodeDescriptor writer = cluster.nodes.get(0);
      EnumSet<AddBlockFlag> flags = EnumSet.of(AddBlockFlag.NO_LOCAL_WRITE);
      for (int i = 0; i < 20; i++) {
        DatanodeStorageInfo[] targets =
            choose(cluster.policy(), 3, writer, new ArrayList<>(), false, new HashSet<>(), flags);
        assertEquals(List.of("/r0", "/r1", "/r1"), racks(targets));
        assertFalse(Arrays.asList(nodesOf(targets)).contains(writer));
        assertEquals(i + 1, context.metrics().decisionCount());
      }
    }
  }

  private static DatanodeDescriptor[] nodesOf(DatanodeStorageInfo[] targets) {
    return Arrays.stream(targets)
        .map(DatanodeStorageInfo::getDatanodeDescriptor)
        .toArray(DatanodeDescriptor[]::new);
  }

  /** HDFS counts a block as scheduled until its DataNode has reported it. */
  @Test
  void transfersAreCountedUntilHdfsHasNoneScheduledForTheNode() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(1, 1)) {
      PlacementContext context = cluster.start();
      DatanodeDescriptor target =
          choose(
              cluster.policy(),
              2,
              cluster.nodes.get(0),
              new ArrayList<>(),
              false,
              new HashSet<>(),
              NEW_BLOCK)[1]
              .getDatanodeDescriptor();
      assertSame(cluster.nodes.get(1), target);
      assertEquals(1, context.metrics().decisionCount());
      target.incrementBlocksScheduled(StorageType.DISK);
      int node = context.state().numbers().get(target);
      for (int refresh = 0; refresh < 3; refresh++) {
        cluster.refresh();
        assertEquals(1, context.state().links().hostTransfers(node));
      }
      target.decrementBlocksScheduled(StorageType.DISK);
      cluster.refresh();
      assertEquals(0, context.state().links().hostTransfers(node));
    }
  }

  @Test
  void keepsOutOfTheWritersRackWhenTheClientAsks() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2, 2)) {
      PlacementContext context = cluster.start();
      EnumSet<AddBlockFlag> flags = EnumSet.of(AddBlockFlag.NO_LOCAL_RACK);
      DatanodeStorageInfo[] targets =
          choose(
              cluster.policy(),
              3,
              cluster.nodes.get(0),
              new ArrayList<>(),
              false,
              new HashSet<>(),
              flags);
      assertEquals(3, targets.length);
      assertFalse(racks(targets).contains("/r0"));
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void choosesTheWritersRackForAClientThatIsNoDataNode() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      DatanodeStorageInfo[] targets = chooseNew(cluster.policy(), new NodeBase("client", "/r1"));
      assertEquals(List.of("/r1", "/r0", "/r0"), racks(targets));
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void addsTheMissingReplicaOfAReplicatedBlockInTheOtherRack() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      List<DatanodeStorageInfo> existing = new ArrayList<>();
      existing.add(cluster.nodes.get(0).getStorageInfos()[0]);
      existing.add(cluster.nodes.get(1).getStorageInfos()[0]);
      DatanodeStorageInfo[] targets =
          choose(cluster.policy(), 1, cluster.nodes.get(0), existing, false, new HashSet<>(), null);
      assertEquals(List.of("/r1"), racks(targets));
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void returnsTheSurvivorsOfAPipelineWithTheNewNode() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      List<DatanodeStorageInfo> existing = new ArrayList<>();
      existing.add(cluster.nodes.get(3).getStorageInfos()[0]);
      existing.add(cluster.nodes.get(0).getStorageInfos()[0]);
      DatanodeStorageInfo[] targets =
          choose(cluster.policy(), 1, cluster.nodes.get(0), existing, true, new HashSet<>(), null);
      assertEquals(3, targets.length);
      assertSame(cluster.nodes.get(0), targets[0].getDatanodeDescriptor());
      assertTrue(Arrays.asList(targets).containsAll(existing));
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void asksStockWhenAnExistingReplicaStandsOnAnUnknownNode() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2);
        FakeDataNodes other = new FakeDataNodes().racks(1)) {
      PlacementContext context = cluster.start();
      List<DatanodeStorageInfo> existing = new ArrayList<>();
      existing.add(other.nodes.get(0).getStorageInfos()[0]);
      DatanodeStorageInfo[] targets =
          choose(cluster.policy(), 1, cluster.nodes.get(0), existing, false, new HashSet<>(), null);
      assertEquals(1, targets.length);
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.UNKNOWN_NODE));
    }
  }

  @Test
  void asksStockWhenSnapshotsHaveStopped() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      long staleAfterMs = context.config().collector().staleAfterMs();
      context.refresh(Time.monotonicNow() - 2 * staleAfterMs);
      DatanodeStorageInfo[] targets =
          choose(
              cluster.policy(),
              3,
              cluster.nodes.get(0),
              new ArrayList<>(),
              false,
              new HashSet<>(),
              NEW_BLOCK);
      assertEquals(3, targets.length);
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.STALE_SNAPSHOT));
    }
  }

  @Test
  void asksStockWhenOurOwnCodeFails() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      FailingOnce excluded = new FailingOnce();
      DatanodeStorageInfo[] targets =
          choose(
              cluster.policy(),
              3,
              cluster.nodes.get(0),
              new ArrayList<>(),
              false,
              excluded,
              NEW_BLOCK);
      assertEquals(3, targets.length);
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.ERROR));
    }
  }

  /** Stands for any surprise inside a decision. */
  private static final class FailingOnce extends AbstractSet<Node> {
    private final Set<Node> nodes = new HashSet<>();
    private boolean failed;

    @Override
    public boolean contains(Object node) {
      if (!failed) {
        failed = true;
        throw new IllegalStateException("surprise");
      }
      return nodes.contains(node);
    }

    @Override
    public boolean add(Node node) {
      return nodes.add(node);
    }

    @Override
    public Iterator<Node> iterator() {
      return nodes.iterator();
    }

    @Override
    public int size() {
      return nodes.size();
    }
  }
}
