package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/** All features in one policy, each in a mode of its own. */
class RackweaveBlockPlacementPolicyTest {
  private static final long MB = 1_000_000;

  private static final FeatureModes ACTIVE = FeatureModes.all(Mode.ACTIVE);

  /** Blocks of a client outside the cluster: no node is the writer's. */
  private static Set<DatanodeDescriptor> write(FakeDataNodes cluster, int replicas, int blocks) {
    RackweaveBlockPlacementPolicy policy = PolicyUnderTest.ALL.policy(cluster);
    Set<DatanodeDescriptor> used = new HashSet<>();
    for (int block = 0; block < blocks; block++) {
      DatanodeStorageInfo[] targets =
          policy.chooseTarget(
              "/file",
              replicas,
              null,
              new ArrayList<>(),
              false,
              new HashSet<>(),
              FakeDataNodes.BLOCK_BYTES,
              BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy(),
              EnumSet.noneOf(AddBlockFlag.class));
      assertEquals(replicas, targets.length);
      Arrays.stream(targets).map(DatanodeStorageInfo::getDatanodeDescriptor).forEach(used::add);
    }
    return used;
  }

  /** Racks r0 and r1 busy, r2 and r3 free; what stands in r2 is not hot. */
  private static PlacementContext start(FakeDataNodes cluster) {
    PlacementContext context = cluster.racks(1, 1, 1, 1).start(90 * MB, 90 * MB, 0, 30 * MB);
    Servers.Builder servers = Servers.of(context.state().topology(), 10);
    servers.role(context.state().numberOf(cluster.nodes.get(2)), ServerRole.STANDBY);
    PolicyUnderTest.publish(context, servers.build());
    return context;
  }

  @Test
  void linksRankWhatTheOtherFeaturesLeave() {
    try (FakeDataNodes cluster = new FakeDataNodes()) {
      PlacementContext context = start(cluster);
      assertEquals(Set.of(cluster.nodes.get(3)), write(cluster, 1, 1));
      assertEquals(1, context.metrics().decisionCount());
    }
  }

  @Test
  void whoIsOffLeavesTheOthersAsTheyAre() {
    try (FakeDataNodes cluster = new FakeDataNodes()) {
      PlacementContext context = start(cluster);
      context.setModes(ACTIVE.with("heat=off"));
      assertEquals(Set.of(cluster.nodes.get(2)), write(cluster, 1, 1), "the freest link of all");

      context.setModes(ACTIVE.with("placement=off"));
      Set<DatanodeDescriptor> drawn = write(cluster, 1, 100);
      assertEquals(
          Set.of(cluster.nodes.get(0), cluster.nodes.get(1), cluster.nodes.get(3)),
          drawn,
          "any hot server");
      assertEquals(101, context.metrics().decisionCount());

      context.setModes(ACTIVE.with("placement=off heat=off"));
      write(cluster, 1, 1);
      assertEquals(101, context.metrics().decisionCount());
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.NO_CODE));

      context.setModes(FeatureModes.all(Mode.OFF).with("recovery=active"));
      write(cluster, 1, 1);
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.RECOVERY_ONLY));
    }
  }

  /** Stock draws any of four racks; where ours is the only choice the two agree. */
  @Test
  void whatFeaturesInShadowModeWouldChooseIsComparedWithWhatIsChosen() {
    try (FakeDataNodes cluster = new FakeDataNodes()) {
      PlacementContext context = start(cluster);
      context.setModes(FeatureModes.all(Mode.SHADOW));
      assertTrue(write(cluster, 1, 100).contains(cluster.nodes.get(2)), "stock's draw");
      assertEquals(0, context.metrics().decisionCount());
      assertEquals(100, context.metrics().shadowDecisionCount());
      assertEquals(100, context.metrics().fallbackCount(FallbackReason.SHADOW_MODE));

      context.setModes(FeatureModes.all(Mode.SHADOW).with("placement=active"));
      assertEquals(
          Set.of(cluster.nodes.get(2)),
          write(cluster, 1, 1),
          "which heat in shadow mode does not forbid");
      assertEquals(1, context.metrics().decisionCount());
      assertEquals(101, context.metrics().shadowDecisionCount());
    }
  }

  /** As if DataNodes had come or gone: Sinbad does without odds, and EAFR alone does not. */
  @Test
  void oddsOfAnotherClusterDoNotStopTheLinks() {
    try (FakeDataNodes cluster = new FakeDataNodes();
        FakeDataNodes former = new FakeDataNodes().racks(2)) {
      PlacementContext context = start(cluster);
      PolicyUnderTest.publish(context, Servers.of(former.start().state().topology(), 10).build());
      assertEquals(Set.of(cluster.nodes.get(2)), write(cluster, 1, 1));
      context.setModes(ACTIVE.with("placement=off"));
      write(cluster, 1, 1);
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.NO_ODDS));
    }
  }

  /** Too little is known of the links: then hot servers are drawn by their odds. */
  @Test
  void oddsDecideWhereLinksAreNotKnown() {
    try (FakeDataNodes cluster = new FakeDataNodes()) {
      cluster.conf.setBoolean(ConfigKeys.DERIVED, false);
      start(cluster);
      for (int i = 0; i < 12; i++) {
        cluster.add("/silent", StorageType.DEFAULT);
      }
      cluster.refresh();
      PlacementContext context = cluster.context();
      write(cluster, 1, 1);
      assertEquals(1, context.metrics().fallbackCount(FallbackReason.LOW_COVERAGE), "no odds yet");
      PolicyUnderTest.publish(context, Servers.of(context.state().topology(), 10).build());
      List<DatanodeDescriptor> drawn = List.copyOf(write(cluster, 1, 100));
      assertTrue(drawn.size() > 4, "any server");
      assertEquals(100, context.metrics().decisionCount());
    }
  }
}
