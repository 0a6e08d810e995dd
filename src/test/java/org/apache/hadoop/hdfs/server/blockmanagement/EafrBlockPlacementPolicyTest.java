package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

class EafrBlockPlacementPolicyTest {
  private static final int CAPACITY = 10;
  private static final BlockStoragePolicy HOT =
      BlockStoragePolicySuite.createDefaultSuite().getPolicy(HdfsConstants.HOT_STORAGE_POLICY_ID);

  private static EafrBlockPlacementPolicy policy(FakeDataNodes cluster) {
    return (EafrBlockPlacementPolicy) PolicyUnderTest.EAFR.policy(cluster);
  }

  private static Servers.Builder servers(PlacementContext context) {
    return Servers.of(context.state().topology(), CAPACITY);
  }

  private static List<DatanodeDescriptor> choose(EafrBlockPlacementPolicy policy, Node writer) {
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/file",
            3,
            writer,
            new ArrayList<>(),
            false,
            new HashSet<>(),
            FakeDataNodes.BLOCK_BYTES,
            HOT,
            EnumSet.noneOf(AddBlockFlag.class));
    return Arrays.stream(targets).map(DatanodeStorageInfo::getDatanodeDescriptor).toList();
  }

  @Test
  void newReplicasGoToHotServersInTwoRacks() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      Set<Integer> standby = Set.of(1, 4);
      Servers.Builder servers = servers(context);
      standby.forEach(i -> servers.role(number(cluster, i), ServerRole.STANDBY));
      PolicyUnderTest.publish(context, servers.build());
      EafrBlockPlacementPolicy policy = policy(cluster);
      Set<Integer> used = new TreeSet<>();
      for (int i = 0; i < 200; i++) {
        List<DatanodeDescriptor> chosen = choose(policy, null);
        assertEquals(3, chosen.size());
        assertEquals(
            2, chosen.stream().map(DatanodeDescriptor::getNetworkLocation).distinct().count());
        chosen.forEach(node -> used.add(cluster.nodes.indexOf(node)));
      }
      assertEquals(Set.of(0, 2, 3, 5), used);
      assertEquals(0, context.metrics().fallbackCount(FallbackReason.NO_ODDS));
    }
  }

  private static int number(FakeDataNodes cluster, int node) {
    return cluster.state().numberOf(cluster.nodes.get(node));
  }

  @Test
  void isStockWithoutOddsOrWithThoseOfAnotherCluster() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2);
        FakeDataNodes former = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      EafrBlockPlacementPolicy policy = policy(cluster);
      assertEquals(3, choose(policy, null).size());
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.NO_ODDS));
      PolicyUnderTest.publish(context, servers(former.start()).build());
      assertEquals(3, choose(policy, null).size());
      assertEquals(2, context.metrics().fallbackCount(FallbackReason.NO_ODDS));
    }
  }

  @Test
  void isStockWhereTooFewHotServersHaveRoom() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(2, 2)) {
      PlacementContext context = cluster.start();
      Servers.Builder servers = servers(context);
      for (int i = 0; i < 3; i++) {
        servers.role(number(cluster, i), ServerRole.STANDBY);
      }
      PolicyUnderTest.publish(context, servers.build());
      assertEquals(3, choose(policy(cluster), null).size());
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.NOT_ENOUGH_NODES));
    }
  }

  private static List<DatanodeStorageInfo> delete(
      EafrBlockPlacementPolicy policy, List<DatanodeStorageInfo> all, int left, StorageType type) {
    List<StorageType> excess = new ArrayList<>();
    for (int i = left; i < all.size(); i++) {
      excess.add(type);
    }
    return policy.chooseReplicasToDelete(all, all, left, excess, null, null);
  }

  private static List<DatanodeStorageInfo> replicas(FakeDataNodes cluster, int... nodes) {
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (int node : nodes) {
      storages.add(cluster.nodes.get(node).getStorageInfos()[0]);
    }
    return storages;
  }

  /** Eq. 7, and the rack rule before it. */
  @Test
  void theReplicaGoesThatIsOnTheServerWithLeastRemainingCapacityOfARackThatCanSpareIt() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      Servers.Builder servers = servers(context);
      servers.reads(number(cluster, 1), 5).reads(number(cluster, 2), 7);
      servers.reads(number(cluster, 3), 9); // alone in its rack
      PolicyUnderTest.publish(context, servers.build());
      List<DatanodeStorageInfo> all = replicas(cluster, 0, 1, 2, 3);
      assertEquals(replicas(cluster, 2), delete(policy(cluster), all, 3, StorageType.DEFAULT));
      assertEquals(replicas(cluster, 2, 1), delete(policy(cluster), all, 2, StorageType.DEFAULT));
    }
  }

  @Test
  void theLastReplicaOnAHotServerStays() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      Servers.Builder servers = servers(context).reads(number(cluster, 0), 9);
      for (int node : new int[] {1, 2, 3}) {
        servers.role(number(cluster, node), ServerRole.STANDBY);
      }
      servers.reads(number(cluster, 2), 5);
      PolicyUnderTest.publish(context, servers.build());
      List<DatanodeStorageInfo> all = replicas(cluster, 0, 1, 2, 3);
      assertEquals(replicas(cluster, 2, 1), delete(policy(cluster), all, 2, StorageType.DEFAULT));
      assertEquals(
          replicas(cluster, 3),
          delete(policy(cluster), replicas(cluster, 0, 3), 1, StorageType.DEFAULT));
    }
  }

  @Test
  void hdfsChoosesWhichReplicaGoesWhereEquation7HasNoSay() {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(3, 3)) {
      PlacementContext context = cluster.start();
      PolicyUnderTest.publish(context, servers(context).reads(number(cluster, 1), 5).build());
      EafrBlockPlacementPolicy policy = policy(cluster);
      List<DatanodeStorageInfo> all = replicas(cluster, 0, 1, 2, 3);
      assertEquals(List.of(), delete(policy, all, 3, StorageType.ARCHIVE), "no disk is excess");
      DatanodeStorageInfo from = all.get(0);
      assertEquals(
          List.of(from),
          policy.chooseReplicasToDelete(
              all,
              all,
              3,
              new ArrayList<>(List.of(StorageType.DEFAULT)),
              cluster.nodes.get(2),
              from.getDatanodeDescriptor()),
          "a replica that was moved goes from where it was");
      context.setModes(FeatureModes.all(Mode.OFF));
      List<DatanodeStorageInfo> stock = delete(policy, all, 3, StorageType.DEFAULT);
      assertEquals(1, stock.size());
      assertTrue(stock.get(0) != all.get(3), "the only one in its rack stays");
    }
  }
}
