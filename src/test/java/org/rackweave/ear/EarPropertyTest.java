package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
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
import org.rackweave.graph.GroupedFlow;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.Refusal;

class EarPropertyTest {
  private static final Admission EVERYTHING = (node, local) -> null;

  /** Many blocks on one random cluster, and what became of them. */
  private static final class Run {
    final Random dice;
    final StripeRules rules;
    final ClusterTopology topology;
    final OpenStripes stripes;
    final EarPlacement placement;
    final List<StripeEvent> events = new ArrayList<>();
    final Map<Long, int[]> nodesOf = new HashMap<>();
    final String failed;

    Run(long seed) {
      dice = MixedRandom.of(seed);
      ErasureCode code = new ErasureCode(2 + dice.nextInt(6), 1 + dice.nextInt(4));
      int c = 1 + dice.nextInt(code.parityBlocks());
      int racks = 2 + dice.nextInt(14);
      topology = Racks.of(dice.ints(racks, 1, 8).toArray());
      int needed = (code.blocks() + c - 1) / c;
      int targets = dice.nextBoolean() ? StripeRules.ALL_RACKS : needed + dice.nextInt(3);
      rules = new StripeRules(code, c, targets, 1 + dice.nextInt(4), 1000, 1000);
      stripes = new OpenStripes(rules, topology);
      placement =
          new EarPlacement(stripes, topology, new RandomPlacement(topology, dice.nextInt(9), 32));
      failed = "seed " + seed + " " + rules + " on " + racks + " racks";
    }

    void place(long blockId, Admission host) {
      int nodes = topology.nodeCount();
      int writer = dice.nextInt(4) == 0 ? NONE : dice.nextInt(nodes);
      int replicas = 2 + dice.nextInt(3);
      PlacementRequest request =
          PlacementRequest.newBlock(
              replicas, writer, writer == NONE ? NONE : topology.rackOf(writer), 3, 1);
      EarDecision decision = placement.place(request, () -> host, dice, 0, events::add);
      if (decision.seat() != null) {
        check(decision);
        nodesOf.put(blockId, decision.placement().nodes());
        assertTrue(stripes.bind(decision.seat(), blockId, 0, events::add), failed);
      } else {
        assertEquals(0, decision.draws(), failed);
      }
    }

    /** algorithms.md, step 2: one replica in the core rack, all others outside it. */
    private void check(EarDecision decision) {
      assertTrue(decision.placement().stands(), failed);
      assertTrue(decision.draws() >= 1, failed);
      int[] nodes = decision.placement().nodes();
      assertEquals(nodes.length, IntStream.of(nodes).distinct().count(), failed);
      int coreRack = topology.rackOf(nodes[0]);
      for (int i = 1; i < nodes.length; i++) {
        assertNotEquals(coreRack, topology.rackOf(nodes[i]), failed);
      }
    }

    /** algorithms.md, step 3: a full flow, and room for parity. */
    void check(SealedStripe stripe) {
      TargetRacks targets = TargetRacks.at(stripe.targetRacks(), topology);
      List<int[]> blocks = new ArrayList<>();
      for (long block : stripe.blockIds()) {
        int[] nodes = nodesOf.remove(block);
        assertTrue(nodes != null, () -> failed + ": block " + block + " is in two stripes");
        assertEquals(stripe.coreRack(), topology.rackPath(topology.rackOf(nodes[0])), failed);
        blocks.add(IntStream.of(nodes).filter(n -> targets.contains(topology.rackOf(n))).toArray());
      }
      int k = rules.code().dataBlocks();
      assertEquals(stripe.reason() == SealReason.FULL, blocks.size() == k, failed);
      assertEquals(
          blocks.size(),
          GroupedFlow.matchable(blocks, topology::rackOf, rack -> rules.rackLimit()),
          failed);
      assertTrue(targets.roomIn(topology, rules) >= rules.code().blocks(), failed);
      checkKeepers(stripe);
    }

    private void checkKeepers(SealedStripe stripe) {
      Map<Integer, Integer> inRack = new HashMap<>();
      for (String keeper : stripe.keepers()) {
        inRack.merge(topology.rackOf(Racks.node(keeper, topology)), 1, Integer::sum);
      }
      assertEquals(
          stripe.blockIds().length,
          Math.toIntExact(stripe.keepers().stream().distinct().count()),
          failed);
      inRack.values().forEach(count -> assertTrue(count <= rules.rackLimit(), failed));
    }
  }

  private interface Check {
    void of(Run run);
  }

  private static void forRandomRuns(String what, int runs, Check check) {
    long first = System.nanoTime();
    System.out.println(what + ", first seed " + first);
    for (long seed = first; seed < first + runs; seed++) {
      check.of(new Run(seed));
    }
  }

  @Test
  void everyStripeCanKeepOneReplicaOfEachBlockAndHasRoomForParity() {
    int[] sealed = {0};
    forRandomRuns(
        "stripes of random blocks",
        600,
        run -> {
          BitSet refused = new BitSet();
          double share = run.dice.nextInt(3) * 0.2;
          IntStream.range(0, run.topology.nodeCount())
              .filter(node -> run.dice.nextDouble() < share)
              .forEach(refused::set);
          Admission host = (node, local) -> refused.get(node) ? Refusal.NO_SPACE : null;
          for (int block = 0; block < 120; block++) {
            run.place(block, host);
          }
          run.stripes.expire(5000, run.events::add);
          for (StripeEvent event : run.events) {
            if (event instanceof StripeEvent.Sealed one) {
              run.check(one.stripe());
              sealed[0]++;
            }
          }
        });
    assertTrue(sealed[0] > 2000, () -> sealed[0] + " stripes were put to the test");
  }

  /** algorithms.md: "never fail the write". */
  @Test
  void everyBlockFindsASeatWhereTheRacksSufficeAndTheHostRefusesNobody() {
    int[] seated = {0};
    forRandomRuns(
        "every block seated",
        400,
        run -> {
          if (!run.stripes.holdsStripes() || spreadIsTight(run)) {
            return;
          }
          for (int block = 0; block < 60; block++) {
            run.place(block, EVERYTHING);
            assertTrue(run.nodesOf.containsKey((long) block), run.failed);
            seated[0]++;
          }
        });
    assertTrue(seated[0] > 4000, "the property was put to the test");
  }

  /** Whether four replicas, at most three in a rack, may not find nodes outside some core rack. */
  private static boolean spreadIsTight(Run run) {
    ClusterTopology topology = run.topology;
    return IntStream.range(0, topology.rackCount())
        .anyMatch(
            core ->
                IntStream.range(0, topology.rackCount())
                        .filter(rack -> rack != core)
                        .map(rack -> Math.min(3, topology.rackSize(rack)))
                        .sum()
                    < 3);
  }

  @Test
  void noMoreStripesLetBlocksInThanTheRulesAllow() {
    forRandomRuns(
        "open stripes",
        200,
        run -> {
          for (int block = 0; block < 150; block++) {
            run.place(block, EVERYTHING);
            Map<String, Integer> open = new HashMap<>();
            run.stripes.status().stream()
                .filter(OpenStripeStatus::accepting)
                .forEach(stripe -> open.merge(stripe.coreRack(), 1, Integer::sum));
            open.values().forEach(n -> assertTrue(n <= run.rules.openStripesMax(), run.failed));
          }
          assertFalse(run.stripes.status().stream().anyMatch(s -> s.unbound() > 0), run.failed);
        });
  }

  /**
   * algorithms.md: "Expected draws for the i-th block <= 1 / (1 - floor((i-1)/c)/(R-1))". The mean
   * of 4,000 draws, fixed seed, with two percent for chance.
   */
  @ParameterizedTest
  @CsvSource({"1, 3", "2, 3", "4, 3", "1, 2", "2, 2", "4, 2"})
  void drawsNoMoreThanThePaperExpects(int c, int replicas) {
    int racks = 20;
    int stripesWanted = 4000;
    ClusterTopology topology = Racks.even(racks, 20);
    StripeRules rules = StripeRules.of(ErasureCode.named("rs-10-4")).withRackLimit(c);
    Random dice = new Random(14);
    OpenStripes stripes = new OpenStripes(rules, topology);
    EarPlacement placement =
        new EarPlacement(stripes, topology, new RandomPlacement(topology, 10_000, 32));
    double[] draws = new double[11];
    List<StripeEvent> events = new ArrayList<>();
    long blockId = 0;
    for (int stripe = 0; stripe < stripesWanted; stripe++) {
      int coreRack = dice.nextInt(racks);
      for (int i = 1; i <= 10; i++) {
        int writer = topology.firstNode(coreRack) + dice.nextInt(20);
        PlacementRequest request = PlacementRequest.newBlock(replicas, writer, coreRack, 2, 1);
        EarDecision decision = placement.place(request, () -> EVERYTHING, dice, 0, events::add);
        draws[i] += decision.draws();
        stripes.bind(decision.seat(), blockId++, 0, events::add);
      }
    }
    assertEquals(stripesWanted, events.size(), "every stripe was sealed full");
    for (int i = 1; i <= 10; i++) {
      double mean = draws[i] / stripesWanted;
      assertTrue(
          mean <= rules.drawsBound(i, racks) * 1.02,
          "block " + i + ": " + mean + " over " + rules.drawsBound(i, racks));
    }
    System.out.printf(
        "c = %d, %d replicas: %.3f draws for the tenth block, bound %.3f%n",
        c, replicas, draws[10] / stripesWanted, rules.drawsBound(10, racks));
  }
}
