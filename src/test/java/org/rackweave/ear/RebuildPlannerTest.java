package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class RebuildPlannerTest {
  private static final long SEED = 91;
  private static final int NODES_PER_RACK = 2;
  private static final ErasureCode CODE = new ErasureCode(4, 2);

  private static ClusterTopology racks(int racks) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < racks * NODES_PER_RACK; node++) {
      places.add(new NodePlace("n" + node, "/r" + node / NODES_PER_RACK, null));
    }
    return ClusterTopology.of(places);
  }

  private static RebuildPlanner planner(ClusterTopology topology) {
    return planner(topology, node -> false);
  }

  private static RebuildPlanner planner(ClusterTopology topology, IntPredicate isSilent) {
    return new RebuildPlanner(new StripeRules(CODE, 1, 0, 4, 1000, 1000), topology, isSilent);
  }

  /** Block i on the first node of rack i, nowhere when it is lost. */
  private static StripeLocations spread(int data, int... lost) {
    int[][] nodes = new int[data + 2][];
    Arrays.setAll(nodes, i -> new int[] {i * NODES_PER_RACK});
    for (int block : lost) {
      nodes[block] = new int[0];
    }
    return new StripeLocations(
        ClusterTopology.NONE,
        TargetRacks.ALL,
        Arrays.copyOf(nodes, data),
        Arrays.copyOfRange(nodes, data, data + 2));
  }

  @Test
  void makesWhatIsMissingInRacksThatHaveNone() {
    RebuildPlan plan =
        planner(racks(8))
            .plan(spread(4, 1, 5), block -> true, (any, node) -> true, new Random(SEED))
            .orElseThrow();
    assertEquals("[1, 5]", Arrays.toString(plan.missing()));
    assertEquals("[0, 2, 3, 4]", Arrays.toString(plan.sources()));
    assertEquals("[0, 4, 6, 8]", Arrays.toString(plan.sourceNodes()));
    Set<Integer> racks = new HashSet<>();
    for (int target : plan.targets()) {
      racks.add(target / NODES_PER_RACK);
    }
    assertEquals(2, racks.size());
    assertTrue(Set.of(1, 5, 6, 7).containsAll(racks), racks::toString);
  }

  @Test
  void readsNoSilentNodeWhileOthersDo() {
    StripeLocations where = spread(4);
    where.data()[2] = new int[] {4, 5};
    for (long seed = SEED; seed < SEED + 20; seed++) {
      Random random = new Random(seed);
      RebuildPlan plan =
          planner(racks(8), node -> node == 0 || node == 4)
              .read(where, 1, 2 * NODES_PER_RACK, random)
              .orElseThrow();
      assertEquals("[2, 3, 4, 5]", Arrays.toString(plan.sources()), "0 is silent, in any rack");
      assertEquals(
          "[5, 6, 8, 10]", Arrays.toString(plan.sourceNodes()), "the replica that is heard");
      RebuildPlan atHome =
          planner(racks(8), node -> node == 0 || node == 6).read(where, 1, 1, random).orElseThrow();
      assertEquals("[0, 2, 4, 5]", Arrays.toString(atHome.sources()), "a silent one must help");
      assertEquals("[0, 4, 8, 10]", Arrays.toString(atHome.sourceNodes()));
    }
  }

  @Test
  void makesItInACrowdedRackWhenThereIsNoOther() {
    // Six racks, of which two are down, for six blocks at one a rack.
    RebuildPlan plan =
        planner(racks(6))
            .plan(
                spread(4, 1, 5),
                block -> true,
                (block, node) -> node / NODES_PER_RACK % 4 != 1,
                new Random(SEED))
            .orElseThrow();
    assertEquals(2, plan.targets().length);
    for (int target : plan.targets()) {
      assertEquals(1, target % NODES_PER_RACK, "a node that has no block of it");
    }
    assertFalse(plan.targets()[0] == plan.targets()[1]);
  }

  /** One is decommissioned, the other in maintenance. */
  @Test
  void blocksOnNodesThatLeaveAreReadAndNotMade() {
    StripeLocations gone = spread(4, 0, 1, 5);
    int[][] leaving = new int[6][0];
    leaving[0] = new int[] {1};
    leaving[1] = new int[] {NODES_PER_RACK};
    StripeLocations where =
        new StripeLocations(gone.coreRack(), gone.targets(), gone.data(), gone.parity(), leaving);
    assertEquals(3, RebuildPlanner.survivors(gone));
    assertEquals(5, RebuildPlanner.survivors(where));
    assertTrue(
        planner(racks(8))
            .plan(gone, any -> true, (block, node) -> true, new Random(SEED))
            .isEmpty());
    RebuildPlan plan =
        planner(racks(8))
            .plan(where, any -> true, (block, node) -> true, new Random(SEED))
            .orElseThrow();
    assertEquals("[5]", Arrays.toString(plan.missing()));
    int leavers = 0;
    for (int i = 0; i < 4; i++) {
      leavers += plan.sources()[i] < 2 ? 1 : 0;
    }
    assertEquals(1, leavers, "no more than have to be, of " + Arrays.toString(plan.sources()));
    RebuildPlan read =
        planner(racks(8)).read(where, 0, NODES_PER_RACK + 1, new Random(SEED)).orElseThrow();
    assertEquals("[1, 2, 3, 4]", Arrays.toString(read.sources()));
    assertEquals(NODES_PER_RACK, read.sourceNodes()[0]);
    assertTrue(where.without(node -> node == NODES_PER_RACK).isMissing(1));
  }

  @Test
  void aShortStripeIsMadeFromAsManyAsItHas() {
    RebuildPlan plan =
        planner(racks(8))
            .plan(spread(2, 0, 3), block -> true, (any, node) -> true, new Random(SEED))
            .orElseThrow();
    assertEquals("[1, 2]", Arrays.toString(plan.sources()));
  }

  @Test
  void aBlockThatHasLeftIsNotMadeAndTakesNoPlace() {
    // Five racks hold what is left of six blocks at one a rack.
    RebuildPlan plan =
        planner(racks(6))
            .plan(
                spread(4, 1, 5),
                block -> block != 1,
                (block, node) -> node / NODES_PER_RACK != 1,
                new Random(SEED))
            .orElseThrow();
    assertEquals("[5]", Arrays.toString(plan.missing()));
    assertEquals("[0, 2, 3, 4]", Arrays.toString(plan.sources()));
    assertEquals(5, plan.targets()[0] / NODES_PER_RACK);
  }

  @Test
  void aNodeThatTakesOneOfTheMissingBlocksOnlyGetsThatAndHoldsUpNeither() {
    ClusterTopology topology = racks(8);
    StripeLocations where = spread(4, 1, 2);
    int last = topology.nodeCount() - 1;
    RebuildPlan both =
        planner(topology)
            .plan(
                where,
                any -> true,
                (block, node) -> (block == 1) == (node == last),
                new Random(SEED))
            .orElseThrow();
    assertEquals("[1, 2]", Arrays.toString(both.missing()));
    assertEquals(last, both.targets()[0]);
    RebuildPlan one =
        planner(topology)
            .plan(where, any -> true, (block, node) -> block == 2, new Random(SEED))
            .orElseThrow();
    assertEquals("[2]", Arrays.toString(one.missing()));
  }

  @Test
  void whatCannotBeDecodedOrPutAnywhereIsNotPlanned() {
    ClusterTopology topology = racks(8);
    assertTrue(
        planner(topology)
            .plan(spread(4), block -> true, (any, node) -> true, new Random(SEED))
            .isEmpty());
    assertTrue(
        planner(topology)
            .plan(spread(4, 0, 1, 2), block -> true, (any, node) -> true, new Random(SEED))
            .isEmpty());
    assertTrue(
        planner(topology)
            .plan(spread(4, 0), block -> true, (any, node) -> false, new Random(SEED))
            .isEmpty());
    assertFalse(RebuildPlanner.isDecodable(spread(4, 0, 1, 2)));
    assertTrue(RebuildPlanner.isDecodable(spread(2, 0, 1)));
  }

  /** Of three data and two parity blocks the last is lost; node 0 has the first one. */
  @Test
  void readsAroundNodesThatDoNotAnswer() {
    StripeLocations where = spread(3, 4);
    RebuildPlan plan =
        planner(racks(8))
            .read(where.without(node -> node == 0), 4, 15, new Random(SEED))
            .orElseThrow();
    assertEquals("[1, 2, 3]", Arrays.toString(plan.sources()));
    assertTrue(
        planner(racks(8))
            .read(where.without(node -> node == 0 || node == 4), 4, 15, new Random(SEED))
            .isEmpty());
  }

  @Test
  void everyLossThatCanBeDecodedIsMadeGood() {
    Random random = new Random(SEED);
    ClusterTopology topology = racks(8);
    for (int round = 0; round < 3000; round++) {
      int data = 1 + random.nextInt(4);
      int[] lost = IntStream.range(0, data + 2).filter(block -> random.nextInt(4) == 0).toArray();
      StripeLocations where = spread(data, lost);
      Optional<RebuildPlan> plan =
          planner(topology).plan(where, block -> true, (any, node) -> true, random);
      String what = "seed " + SEED + ": " + data + " data, lost " + Arrays.toString(lost);
      assertEquals(lost.length > 0 && lost.length <= 2, plan.isPresent(), what);
      if (plan.isPresent()) {
        assertEquals(Arrays.toString(lost), Arrays.toString(plan.get().missing()), what);
        assertEquals(data, plan.get().sources().length, what);
        Set<Integer> racks = new HashSet<>();
        IntStream.of(plan.get().targets()).forEach(node -> racks.add(node / NODES_PER_RACK));
        where.blocks().forEach(n -> IntStream.of(n).forEach(x -> racks.add(x / NODES_PER_RACK)));
        assertEquals(data + 2, racks.size(), what);
      }
    }
  }
}
