package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.Refusal;

class EncodingPlannerTest {
  private static final Admission EVERYTHING = (node, local) -> null;
  private static final StripeRules RS_4_2 = StripeRules.of(ErasureCode.named("rs-4-2"));

  private ClusterTopology topology = Racks.even(6, 4);

  private int[][] data(String[]... blocks) {
    return Arrays.stream(blocks).map(names -> Racks.nodes(topology, names)).toArray(int[][]::new);
  }

  private static String[] on(String... nodes) {
    return nodes;
  }

  private EncodingAdvice plan(StripeRules rules, StripeLocations where, Admission host) {
    return new EncodingPlanner(rules, topology)
        .plan(where, 1 << 20, new RandomPlacement(topology, 8, 1000), host, new Random(3));
  }

  private EncodingAdvice plan(String[]... blocks) {
    return plan(RS_4_2, StripeLocations.replicated(0, TargetRacks.ALL, data(blocks)), EVERYTHING);
  }

  private static List<StripeFlaw> flaws(EncodingAdvice advice) {
    return assertInstanceOf(NotEncodable.class, advice).flaws();
  }

  private static StripeFlaw flaw(StripeFlaw.Kind kind, int subject) {
    return new StripeFlaw(kind, subject);
  }

  @Test
  void aReplicaOnANodeThatLeavesIsReadAndNotKept() {
    int[][] data =
        data(on("1.0", "1.1"), on("0.1", "2.0"), on("0.1", "3.0", "3.1"), on("0.3", "4.0", "4.1"));
    int[][] leaving = data(on("0.0"), on("2.1"), on(), on());
    StripeLocations where = StripeLocations.replicated(0, TargetRacks.ALL, data, leaving);
    EncodingPlan plan = assertInstanceOf(EncodingPlan.class, plan(RS_4_2, where, EVERYTHING));
    assertArrayEquals(Racks.nodes(topology, "0.0", "0.1", "0.1", "0.3"), plan.sources());
    assertArrayEquals(Racks.nodes(topology, "0.1", "0.3"), plan.readers());
    for (int keeper : plan.keepers()) {
      assertNotEquals("0.0", topology.nodeName(keeper));
      assertNotEquals("2.1", topology.nodeName(keeper));
    }
  }

  @Test
  void aBlockWithNothingToStayIsNotMissingAndCannotBeEncodedYet() {
    int[][] data = data(on(), on("0.1", "2.0"), on("0.1", "3.0"), on("0.3", "4.0"));
    int[][] leaving = data(on("0.0", "1.0"), on(), on(), on());
    StripeLocations where = StripeLocations.replicated(0, TargetRacks.ALL, data, leaving);
    assertEquals(
        List.of(flaw(StripeFlaw.Kind.NO_KEEPER, 0)), flaws(plan(RS_4_2, where, EVERYTHING)));
    StripeAudit audit = new StripeAuditor(RS_4_2, topology).audit(where, (block, node) -> true);
    assertEquals(List.of(flaw(StripeFlaw.Kind.NO_KEEPER, 0)), audit.flaws());
    assertEquals(List.of(), audit.moves(), "HDFS copies it");
  }

  /** The example of the class doc. */
  @Test
  void readsInTheCoreRackAndPutsParityWhereNothingIsKept() {
    EncodingPlan plan =
        assertInstanceOf(
            EncodingPlan.class,
            plan(
                on("0.0", "1.0", "1.1"),
                on("0.1", "2.0", "2.1"),
                on("0.1", "3.0", "3.1"),
                on("0.3", "4.0", "4.1")));
    assertEquals(0, plan.coreRack());
    assertArrayEquals(Racks.nodes(topology, "0.1", "0.0", "0.3"), plan.readers());
    assertArrayEquals(Racks.nodes(topology, "0.0", "0.1", "0.1", "0.3"), plan.sources());
    assertEquals("0.1", topology.nodeName(plan.parityTargets()[0]), "the reader itself");
    assertEquals(5, topology.rackOf(plan.parityTargets()[1]), "the one rack left");
    for (int block = 0; block < 4; block++) {
      assertEquals(block + 1, topology.rackOf(plan.keepers()[block]));
      assertEquals(2, plan.surplus()[block].length);
    }
  }

  @Test
  void encodesAShortStripeWithAllItsParity() {
    EncodingPlan plan =
        assertInstanceOf(EncodingPlan.class, plan(on("0.0", "1.0"), on("0.1", "2.0")));
    assertEquals(2, plan.keepers().length);
    assertEquals(2, plan.parityTargets().length);
  }

  /** algorithms.md: keepers and parity in target racks only. */
  @Test
  void keepsToTheTargetRacks() {
    StripeRules rules = RS_4_2.withRackLimit(2).withTargetRacks(3);
    TargetRacks targets = TargetRacks.at(List.of("/r0", "/r1", "/r4"), topology);
    int[][] data =
        data(on("0.0", "1.0"), on("0.1", "1.1"), on("0.2", "4.1"), on("0.3", "4.0", "5.0"));
    EncodingPlan plan =
        assertInstanceOf(
            EncodingPlan.class,
            plan(rules, StripeLocations.replicated(0, targets, data), EVERYTHING));
    Map<Integer, Integer> inRack = new HashMap<>();
    for (int rack : EncodedLayout.of(plan, topology).racks()) {
      inRack.merge(rack, 1, Integer::sum);
    }
    assertEquals(Map.of(0, 2, 1, 2, 4, 2), inRack);
  }

  @Test
  void encodesInAnotherRackThatHasEveryBlock() {
    EncodingAdvice advice =
        plan(on("1.2", "2.0"), on("0.1", "1.0"), on("0.2", "1.1", "3.0"), on("0.3", "1.3", "4.0"));
    assertEquals(1, assertInstanceOf(EncodingPlan.class, advice).coreRack());
  }

  @Test
  void namesEveryBlockThatIsMissingOrOutsideTheCoreRack() {
    EncodingAdvice advice = plan(on("0.0", "1.0"), on("3.1", "2.0"), on(), on("0.3", "4.0"));
    assertEquals(
        List.of(flaw(StripeFlaw.Kind.NOT_IN_CORE_RACK, 1), flaw(StripeFlaw.Kind.BLOCK_MISSING, 2)),
        flaws(advice));
    assertEquals(
        "block 1 has no replica in the core rack", flaws(advice).get(0).describe(topology));
  }

  @Test
  void namesABlockThatCanKeepNothing() {
    EncodingAdvice advice =
        plan(on("0.0", "1.0"), on("0.1", "1.1"), on("0.2", "1.2"), on("0.3", "4.0"));
    assertEquals(List.of(flaw(StripeFlaw.Kind.NO_KEEPER, 2)), flaws(advice));
  }

  @Test
  void countsTheParityThatFindsNoRoom() {
    topology = Racks.even(5, 4);
    EncodingAdvice advice =
        plan(on("0.0", "1.0"), on("0.1", "2.0"), on("0.2", "3.0"), on("0.3", "4.0"));
    assertEquals(List.of(flaw(StripeFlaw.Kind.NO_ROOM, 1)), flaws(advice));
  }

  @Test
  void putsNoParityOnANodeThatTheHostRefuses() {
    StripeLocations where =
        StripeLocations.replicated(
            0,
            TargetRacks.ALL,
            data(on("0.0", "1.0"), on("0.1", "2.0"), on("0.2", "3.0"), on("0.3", "4.0")));
    int only = Racks.node("5.3", topology);
    Admission host =
        (node, local) ->
            node == only || topology.rackOf(node) == 2 ? null : Refusal.NOT_GOOD_TARGET;
    EncodingPlan plan = assertInstanceOf(EncodingPlan.class, plan(RS_4_2, where, host));
    // With parity in racks 2 and 5, the second block keeps its replica in the core rack.
    assertEquals("0.1", topology.nodeName(plan.keepers()[1]));
    assertEquals(2 + 5, IntStream.of(plan.parityTargets()).map(topology::rackOf).sum());
    Admission nobody = (node, local) -> Refusal.NO_SPACE;
    assertEquals(List.of(flaw(StripeFlaw.Kind.NO_ROOM, 2)), flaws(plan(RS_4_2, where, nobody)));
  }

  /**
   * "tolerates any n-k node failures and floor((n-k)/c) rack failures" (algorithms.md), on every
   * subset there is.
   */
  @ParameterizedTest
  @CsvSource({
    "rs-6-3, 1, 9, 2, 3",
    "rs-4-2, 1, 9, 2, 3",
    "rs-4-2, 2, 9, 2, 3",
    "rs-6-3, 3, 9, 4, 3",
    "rs-10-4, 1, 20, 20, 3",
    "rs-10-4, 2, 20, 20, 3",
    "rs-10-4, 4, 20, 20, 3",
    "rs-8-2, 1, 12, 1, 2"
  })
  void survivesEverySetOfFailuresItsCodePromises(
      String code, int c, int racks, int nodesPerRack, int replicas) {
    topology = Racks.even(racks, nodesPerRack);
    StripeRules rules = StripeRules.of(ErasureCode.named(code)).withRackLimit(c);
    Random dice = new Random(9);
    int[] sets = {0};
    for (StripeLocations where : PlacedStripes.place(rules, topology, replicas, 20, dice)) {
      EncodingPlan plan = assertInstanceOf(EncodingPlan.class, plan(rules, where, EVERYTHING));
      EncodedLayout layout = EncodedLayout.of(plan, topology);
      assertEquals(rules.code().blocks(), Arrays.stream(layout.nodes()).distinct().count());
      layout.forEachNodeFailure(
          rules.nodeFailures(),
          failed -> {
            sets[0]++;
            assertTrue(layout.leftWithout(failed, layout.nodes()) >= layout.needed());
          });
      layout.forEachRackFailure(
          rules.rackFailures(),
          failed -> {
            sets[0]++;
            assertTrue(layout.leftWithout(failed, layout.racks()) >= layout.needed());
          });
    }
    System.out.println(code + " c=" + c + " survived " + sets[0] + " sets of failures");
  }

  /** Claims ear-cross-rack and ear-relocation: both 0, whatever was placed. */
  @Test
  void readsNothingAcrossRacksAndRelocatesNothing() {
    long first = System.nanoTime();
    System.out.println("plans of placed stripes, first seed " + first);
    for (long seed = first; seed < first + 300; seed++) {
      String failed = "seed " + seed;
      Random dice = MixedRandom.of(seed);
      ErasureCode code = new ErasureCode(3 + dice.nextInt(8), 1 + dice.nextInt(4));
      // Two replicas of as many blocks as there are of parity would save nothing.
      int replicas = code.parityBlocks() < code.dataBlocks() ? 2 + dice.nextInt(2) : 3;
      StripeRules rules = StripeRules.of(code).withRackLimit(1 + dice.nextInt(code.parityBlocks()));
      int racks = rules.racksNeeded() + 1 + dice.nextInt(4);
      int size = rules.rackLimit() + dice.nextInt(5);
      topology = Racks.even(racks, Math.max(3, size));
      for (StripeLocations where : PlacedStripes.place(rules, topology, replicas, 3, dice)) {
        EncodingPlan plan =
            assertInstanceOf(
                EncodingPlan.class, plan(rules, where, EVERYTHING), failed + " " + rules);
        check(plan, where, rules, failed);
      }
    }
  }

  private void check(EncodingPlan plan, StripeLocations where, StripeRules rules, String failed) {
    Map<Integer, Integer> inRack = new HashMap<>();
    EncodedLayout layout = EncodedLayout.of(plan, topology);
    assertEquals(layout.nodes().length, Arrays.stream(layout.nodes()).distinct().count(), failed);
    for (int rack : layout.racks()) {
      assertTrue(inRack.merge(rack, 1, Integer::sum) <= rules.rackLimit(), failed);
    }
    for (int block = 0; block < where.data().length; block++) {
      int[] nodes = where.data()[block];
      assertEquals(plan.coreRack(), topology.rackOf(plan.sources()[block]), failed);
      BitSet replicas = new BitSet();
      Arrays.stream(nodes).forEach(replicas::set);
      assertTrue(replicas.get(plan.sources()[block]), failed);
      assertTrue(replicas.get(plan.keepers()[block]), failed);
      replicas.clear(plan.keepers()[block]);
      assertEquals(
          replicas,
          IntStream.of(plan.surplus()[block]).collect(BitSet::new, BitSet::set, BitSet::or),
          failed);
    }
  }

  @Test
  void isNotFooledByAStripeWithoutACoreRack() {
    StripeLocations nowhere =
        StripeLocations.replicated(NONE, TargetRacks.ALL, new int[][] {{}, {}});
    assertEquals(
        List.of(flaw(StripeFlaw.Kind.BLOCK_MISSING, 0), flaw(StripeFlaw.Kind.BLOCK_MISSING, 1)),
        flaws(plan(RS_4_2, nowhere, EVERYTHING)));
  }
}
