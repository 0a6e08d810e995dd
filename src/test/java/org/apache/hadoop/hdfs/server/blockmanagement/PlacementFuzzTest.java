package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.MixedRandom;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.namenode.PlacementContext;

/**
 * Every policy of ours against stock's own checks, on small clusters in random states: whoever ours
 * chooses is one whom stock accepts in that state, and a block gets no fewer replicas than stock
 * gives.
 */
class PlacementFuzzTest {
  private static final int ROUNDS = 200;
  private static final long BLOCK_BYTES = FakeDataNodes.BLOCK_BYTES;

  /** Stock draws at random: what it gives once it may not give again. */
  private static final int STOCKS_DRAWS = 1000;

  private static final BlockStoragePolicySuite POLICIES =
      BlockStoragePolicySuite.createDefaultSuite();
  private static final List<BlockStoragePolicy> STORAGE_POLICIES =
      IntStream.of(2, 5, 7, 10, 12).mapToObj(id -> POLICIES.getPolicy((byte) id)).toList();

  /** By which keys HDFS looks at DataNodes' states. */
  private static final List<String> SWITCHES =
      List.of(
          DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY,
          DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY,
          DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_KEY,
          DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_KEY,
          DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_KEY,
          DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_EXCLUDE_SLOW_NODES_ENABLED_KEY,
          DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY);

  @AfterEach
  void forgetSlowNodes() {
    DatanodeManager.getSlowNodesUuidSet().clear();
  }

  private record Call(
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> existing,
      boolean returnExisting,
      Set<Node> excluded,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {

    List<DatanodeStorageInfo> of(BlockPlacementPolicy policy) {
      List<DatanodeStorageInfo> chosen = new ArrayList<>(existing);
      DatanodeStorageInfo[] targets =
          policy.chooseTarget(
              "/file",
              replicas,
              writer,
              chosen,
              returnExisting,
              new HashSet<>(excluded),
              BLOCK_BYTES,
              storagePolicy,
              flags);
      assertEquals(existing, chosen, "the caller's list");
      return List.of(targets);
    }

    boolean hasFlag(AddBlockFlag flag) {
      return flags != null && flags.contains(flag);
    }
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void neverTakesWhatStockRefusesAndNeverFewer(PolicyUnderTest feature) {
    long seed = 20_000L + feature.ordinal();
    Random random = MixedRandom.of(seed);
    int decisions = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try (FakeDataNodes cluster = new FakeDataNodes()) {
        decisions += playRound(feature, cluster, random) ? 1 : 0;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(feature + ", seed " + seed + ", round " + round, e);
      }
    }
    assertEquals(feature != PolicyUnderTest.DAYU, decisions > ROUNDS / 10, decisions + " of ours");
  }

  /** Whether the decision was ours. */
  private static boolean playRound(PolicyUnderTest feature, FakeDataNodes cluster, Random random) {
    feature.configure(cluster.conf);
    SWITCHES.forEach(key -> cluster.conf.setBoolean(key, random.nextInt(3) > 0));
    addRacks(cluster, random, 1 + random.nextInt(7));
    PlacementContext context = cluster.start();
    if (feature.hasOdds()) {
      Servers.Builder servers = Servers.of(context.state().topology(), 10);
      for (int node = 0; node < cluster.nodes.size(); node++) {
        servers.role(node, random.nextInt(4) == 0 ? ServerRole.STANDBY : ServerRole.HOT);
      }
      PolicyUnderTest.publish(context, servers.build());
    }
    if (random.nextInt(4) == 0) {
      addRacks(cluster, random, 1 + random.nextInt(2)); // which no snapshot knows
    }
    Set<Node> excluded = new HashSet<>();
    List<DatanodeDescriptor> all = List.copyOf(cluster.nodes);
    int badOfTen = random.nextInt(10);
    for (DatanodeDescriptor node : all) {
      if (random.nextInt(10) < badOfTen) {
        spoil(cluster, node, excluded, random);
      }
    }
    context.setModes(random.nextInt(8) == 0 ? FeatureModes.all(Mode.SHADOW) : feature.modes());
    Call call = randomCall(cluster, all, excluded, random);
    RackweaveBlockPlacementPolicy policy = feature.policy(cluster);
    List<DatanodeStorageInfo> ours = ours(context, policy, call);
    boolean decided = context.metrics().decisionCount() > 0;
    check(cluster, policy, call, ours, decided);
    return decided;
  }

  private static void addRacks(FakeDataNodes cluster, Random random, int racks) {
    for (int rack = 0; rack < racks; rack++) {
      for (int node = random.nextInt(4); node >= 0; node--) {
        StorageType[] types = {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE};
        cluster.add("/r" + rack, types[Math.max(0, random.nextInt(8) - 5)]);
      }
    }
  }

  private static void spoil(
      FakeDataNodes cluster, DatanodeDescriptor node, Set<Node> excluded, Random random) {
    switch (random.nextInt(12)) {
      case 0 -> excluded.add(node);
      case 1 -> {
        node.startDecommission();
        cluster.topology.decommissionNode(node);
      }
      case 2 -> node.setDecommissioned();
      case 3 -> node.startMaintenance();
      case 4 -> node.setInMaintenance();
      case 5 -> cluster.setRemaining(node, BLOCK_BYTES / 2);
      case 6 -> {
        cluster.setRemaining(node, 2 * BLOCK_BYTES);
        for (int i = random.nextInt(3); i >= 0; i--) {
          node.incrementBlocksScheduled(node.getStorageInfos()[0].getStorageType());
        }
      }
      case 7 -> node.setLastUpdateMonotonic(Time.monotonicNow() - 3_600_000); // stale
      case 8 -> DatanodeManager.getSlowNodesUuidSet().add(node.getDatanodeUuid());
      case 9 -> {
        cluster.topology.remove(node);
        node.setAlive(false);
        cluster.nodes.remove(node);
      }
      default -> cluster.setTransfers(node, random.nextInt(30));
    }
  }

  private static Call randomCall(
      FakeDataNodes cluster, List<DatanodeDescriptor> nodes, Set<Node> excluded, Random random) {
    List<DatanodeStorageInfo> existing = new ArrayList<>();
    boolean newBlock = random.nextInt(3) > 0;
    for (int i = newBlock ? 0 : 1 + random.nextInt(3); i > 0; i--) {
      DatanodeStorageInfo storage = nodes.get(random.nextInt(nodes.size())).getStorageInfos()[0];
      if (!existing.contains(storage)) {
        existing.add(storage);
      }
    }
    EnumSet<AddBlockFlag> flags = newBlock ? EnumSet.noneOf(AddBlockFlag.class) : null;
    if (newBlock && random.nextInt(3) == 0) {
      flags.add(AddBlockFlag.NO_LOCAL_WRITE);
    }
    Node writer =
        switch (random.nextInt(5)) {
          case 0 -> null;
          case 1 -> new NodeBase("client", "/r" + random.nextInt(9));
          default -> nodes.get(random.nextInt(nodes.size()));
        };
    // Stock throws a NullPointerException where a writer's rack is not there that it is to avoid.
    boolean isRackThere =
        writer == null || cluster.topology.getNode(writer.getNetworkLocation()) != null;
    if (newBlock && isRackThere && random.nextInt(3) == 0) {
      flags.add(AddBlockFlag.NO_LOCAL_RACK);
    }
    return new Call(
        1 + random.nextInt(5),
        writer,
        existing,
        !newBlock && random.nextBoolean(),
        excluded,
        STORAGE_POLICIES.get(Math.max(0, random.nextInt(10) - 5)),
        flags);
  }

  /** As a client's {@code addBlock}, where the block is a new one. */
  private static List<DatanodeStorageInfo> ours(
      PlacementContext context, RackweaveBlockPlacementPolicy policy, Call call) {
    if (context.stripes() == null || call.flags() == null) {
      return call.of(policy);
    }
    AddBlockCall addBlock = AddBlockCall.begin(context.stripes());
    try {
      return call.of(policy);
    } finally {
      addBlock.end();
    }
  }

  private static void check(
      FakeDataNodes cluster,
      RackweaveBlockPlacementPolicy policy,
      Call call,
      List<DatanodeStorageInfo> ours,
      boolean decided) {
    BlockPlacementPolicyDefault stock = cluster.stock();
    int fewest = call.of(stock).size();
    for (int draw = 0; draw < STOCKS_DRAWS && ours.size() < fewest; draw++) {
      fewest = Math.min(fewest, call.of(stock).size());
    }
    assertTrue(ours.size() >= fewest, ours + " but stock gives " + fewest);
    Set<DatanodeDescriptor> nodes = new HashSet<>();
    ours.forEach(target -> nodes.add(target.getDatanodeDescriptor()));
    assertEquals(ours.size(), nodes.size(), "targets on distinct nodes: " + ours);
    if (!decided) {
      return;
    }
    List<DatanodeStorageInfo> added = new ArrayList<>(ours);
    if (call.returnExisting()) {
      assertTrue(added.removeAll(call.existing()) && ours.containsAll(call.existing()));
    }
    int[] limits = stock.getMaxNodesPerRack(call.existing().size(), call.replicas());
    assertEquals(Math.max(0, limits[0]), added.size(), "as many as there can be");
    for (DatanodeStorageInfo target : added) {
      checkTarget(cluster, policy, call, added, target, limits[1]);
    }
    checkTypes(call, added);
  }

  private static void checkTarget(
      FakeDataNodes cluster,
      RackweaveBlockPlacementPolicy policy,
      Call call,
      List<DatanodeStorageInfo> added,
      DatanodeStorageInfo target,
      int maxPerRack) {
    BlockPlacementPolicyDefault stock = cluster.stock();
    DatanodeDescriptor node = target.getDatanodeDescriptor();
    assertTrue(cluster.topology.contains(node), node + " is gone");
    assertFalse(call.excluded().contains(node), node + " is excluded");
    List<DatanodeStorageInfo> others = new ArrayList<>(call.existing());
    others.addAll(added);
    others.remove(target);
    boolean mayBeBusy = node == call.writer() && call.existing().isEmpty();
    assertTrue(
        stock.isGoodDatanode(
            node,
            maxPerRack,
            policy.considersLoad() && !mayBeBusy,
            others,
            cluster.isAvoidingStaleDataNodesForWrite()),
        node + " is not good for stock");
    assertSame(
        target,
        stock.chooseStorage4Block(node, BLOCK_BYTES, new ArrayList<>(), target.getStorageType()),
        node + " has no space");
    if (call.hasFlag(AddBlockFlag.NO_LOCAL_WRITE)) {
      assertFalse(node == call.writer(), "the writer's own node");
    }
    if (call.hasFlag(AddBlockFlag.NO_LOCAL_RACK)
        && call.writer() != null
        && cluster.topology.getNumOfNonEmptyRacks() > 2) {
      assertFalse(
          node.getNetworkLocation().equals(call.writer().getNetworkLocation()),
          "the writer's own rack");
    }
  }

  /**
   * As many replicas of each storage type as the storage policy wants, the existing ones counted.
   */
  private static void checkTypes(Call call, List<DatanodeStorageInfo> added) {
    List<StorageType> wanted =
        call.storagePolicy()
            .chooseStorageTypes(
                (short) (call.existing().size() + added.size()),
                DatanodeStorageInfo.toStorageTypes(call.existing()),
                EnumSet.noneOf(StorageType.class),
                call.existing().isEmpty());
    for (DatanodeStorageInfo target : added) {
      assertTrue(wanted.remove(target.getStorageType()), "one too many on " + target);
    }
  }
}
