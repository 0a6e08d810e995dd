package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/**
 * DataNodes that registered after the latest snapshot: a block gets as many replicas as stock's.
 */
class LateDataNodesTest {
  private static final BlockStoragePolicy HOT =
      BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
  private static final EnumSet<AddBlockFlag> NEW_BLOCK = EnumSet.noneOf(AddBlockFlag.class);

  private static List<DatanodeDescriptor> choose(
      BlockPlacementPolicy policy, int replicas, Node writer) {
    return choose(policy, replicas, writer, List.of(), false, NEW_BLOCK);
  }

  private static List<DatanodeDescriptor> choose(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> existing,
      boolean returnExisting,
      EnumSet<AddBlockFlag> flags) {
    return Arrays.stream(
            policy.chooseTarget(
                "/file",
                replicas,
                writer,
                new ArrayList<>(existing),
                returnExisting,
                new HashSet<>(),
                FakeDataNodes.BLOCK_BYTES,
                HOT,
                flags))
        .map(DatanodeStorageInfo::getDatanodeDescriptor)
        .toList();
  }

  /** Starts with racks, adds others that no snapshot knows, and has a test look. */
  private static void with(
      PolicyUnderTest feature,
      int[] known,
      int[] late,
      BiConsumer<FakeDataNodes, BlockPlacementPolicy> test) {
    try (FakeDataNodes cluster = new FakeDataNodes().racks(known)) {
      feature.configure(cluster.conf);
      PlacementContext context = cluster.start();
      feature.publish(context);
      cluster.racks(late);
      test.accept(cluster, feature.policy(cluster));
    }
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void aBlockGetsASecondReplicaOnADataNodeOfTheSameRack(PolicyUnderTest feature) {
    with(
        feature,
        new int[] {1},
        new int[] {1},
        (cluster, policy) ->
            assertEquals(Set.copyOf(cluster.nodes), Set.copyOf(choose(policy, 2, null))));
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void aBlockGetsReplicasBeforeAnyDataNodeIsKnown(PolicyUnderTest feature) {
    with(
        feature,
        new int[] {},
        new int[] {2, 2},
        (cluster, policy) -> assertEquals(3, choose(policy, 3, null).size()));
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void aBlockSpreadsOverTheRackOfALateDataNode(PolicyUnderTest feature) {
    with(
        feature,
        new int[] {4},
        new int[] {0, 1},
        (cluster, policy) -> {
          List<DatanodeDescriptor> chosen = choose(policy, 3, cluster.nodes.get(0));
          assertEquals(3, chosen.size());
          assertEquals(
              2, chosen.stream().map(DatanodeDescriptor::getNetworkLocation).distinct().count());
        });
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void aBlockBeginsOnItsWritersOwnLateDataNode(PolicyUnderTest feature) {
    with(
        feature,
        new int[] {3, 3},
        new int[] {1},
        (cluster, policy) -> {
          DatanodeDescriptor writer = cluster.nodes.get(6);
          List<DatanodeDescriptor> chosen = choose(policy, 3, writer);
          assertEquals(3, chosen.size());
          assertSame(writer, chosen.get(0));
        });
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void aPipelineIsMadeWholeByALateDataNode(PolicyUnderTest feature) {
    with(
        feature,
        new int[] {2},
        new int[] {1},
        (cluster, policy) -> {
          List<DatanodeStorageInfo> survivors =
              cluster.nodes.subList(0, 2).stream().map(node -> node.getStorageInfos()[0]).toList();
          assertEquals(
              Set.copyOf(cluster.nodes),
              Set.copyOf(choose(policy, 1, cluster.nodes.get(0), survivors, true, null)));
        });
  }

  @ParameterizedTest
  @EnumSource(PolicyUnderTest.class)
  void aBlockOfMoreReplicasThanThereAreDataNodesGetsAllOfThem(PolicyUnderTest feature) {
    with(
        feature,
        new int[] {2},
        new int[] {1},
        (cluster, policy) ->
            assertEquals(Set.copyOf(cluster.nodes), Set.copyOf(choose(policy, 10, null))));
  }

  @Test
  void theDecisionIsStocksUnderAName() {
    with(
        PolicyUnderTest.SINBAD,
        new int[] {1},
        new int[] {1},
        (cluster, policy) -> {
          PlacementContext context = cluster.context();
          for (Mode mode : List.of(Mode.ACTIVE, Mode.SHADOW)) {
            context.setModes(FeatureModes.all(mode));
            assertEquals(2, choose(policy, 2, cluster.nodes.get(0)).size());
            assertEquals(2, choose(policy, 2, cluster.nodes.get(1)).size());
          }
          assertEquals(2, context.metrics().fallbackCount(FallbackReason.NOT_ENOUGH_NODES));
          assertEquals(2, context.metrics().fallbackCount(FallbackReason.UNKNOWN_NODE));
          assertEquals(0, context.metrics().decisionCount());
        });
  }

  /** HDFS names the DataNode of a client's machine even when it has left the cluster. */
  @Test
  void aWriterWhoseDataNodeIsGoneIsServedByUs() {
    with(
        PolicyUnderTest.SINBAD,
        new int[] {3, 3},
        new int[] {},
        (cluster, policy) -> {
          DatanodeDescriptor gone = cluster.nodes.get(0);
          cluster.topology.remove(gone);
          gone.setAlive(false);
          cluster.refresh();
          assertEquals(3, choose(policy, 3, gone).size());
          assertEquals(1, cluster.context().metrics().decisionCount());
        });
  }
}
