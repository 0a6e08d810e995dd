package org.rackweave.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class RandomPlacementTest {
  private static final Admission EVERYTHING = (node, local) -> null;

  private static ClusterTopology racks(int... sizes) {
    List<NodePlace> places = new ArrayList<>();
    for (int rack = 0; rack < sizes.length; rack++) {
      for (int i = 0; i < sizes[rack]; i++) {
        places.add(new NodePlace("n" + rack + "." + i, "/r" + rack, null));
      }
    }
    return ClusterTopology.of(places);
  }

  private static PlacementRequest replicas(int replicas, int writer, ClusterTopology topology) {
    return PlacementRequest.newBlock(
        replicas, writer, writer == NONE ? NONE : topology.rackOf(writer), 2, 1 << 20);
  }

  private static PlacementDecision choose(
      ClusterTopology topology, PlacementRequest request, Admission admission, long seed) {
    return new RandomPlacement(topology, 8, 32).choose(request, admission, MixedRandom.of(seed));
  }

  @Test
  void putsOneReplicaOnTheWriterAndTwoInOneOtherRack() {
    ClusterTopology topology = racks(3, 3, 3);
    for (int seed = 0; seed < 200; seed++) {
      int[] nodes = choose(topology, replicas(3, 4, topology), EVERYTHING, seed).nodes();
      assertEquals(4, nodes[0]);
      assertNotEquals(topology.rackOf(4), topology.rackOf(nodes[1]));
      assertEquals(topology.rackOf(nodes[1]), topology.rackOf(nodes[2]));
      assertNotEquals(nodes[1], nodes[2]);
    }
  }

  @Test
  void givesEveryNodeOfTheOtherRacksTheSameChanceWhateverTheirSize() {
    ClusterTopology topology = racks(2, 4, 1, 5);
    int[] chosen = new int[topology.nodeCount()];
    int draws = 20_000;
    Random dice = new Random(7);
    RandomPlacement random = new RandomPlacement(topology, 8, 32);
    for (int i = 0; i < draws; i++) {
      chosen[random.choose(replicas(2, 0, topology), EVERYTHING, dice).nodes()[1]]++;
    }
    assertEquals(0, chosen[0] + chosen[1], "nothing in the writer's rack");
    for (int node = 2; node < chosen.length; node++) {
      // Ten nodes, 2,000 each; five standard deviations of 42.
      assertEquals(draws / 10.0, chosen[node], 210, "node " + node);
    }
  }

  @Test
  void findsTheOnlyNodeThatIsAdmitted() {
    ClusterTopology topology = racks(3, 9, 9);
    Admission admission = (node, local) -> node == 0 || node == 17 ? null : Refusal.NO_SPACE;
    for (int seed = 0; seed < 100; seed++) {
      int[] nodes = choose(topology, replicas(2, 0, topology), admission, seed).nodes();
      assertEquals(List.of(0, 17), IntStream.of(nodes).boxed().toList());
    }
  }

  @Test
  void asksAboutEveryNodeOnceAtMostAndStopsAtTheBound() {
    ClusterTopology topology = racks(5, 20, 20, 20);
    for (int seed = 0; seed < 100; seed++) {
      Set<Integer> asked = new HashSet<>();
      Admission admission =
          (node, local) -> {
            assertTrue(asked.add(node), "asked twice about " + node);
            return local ? null : Refusal.NOT_GOOD_TARGET;
          };
      PlacementDecision decision = choose(topology, replicas(3, 2, topology), admission, seed);
      assertEquals(FallbackReason.SEARCH_LIMIT, decision.fallback());
      assertEquals(33, asked.size(), "the writer and 32 that were refused");
    }
  }

  @Test
  void walksOnlyThroughRacksThatAdmissionOpens() {
    ClusterTopology topology = racks(2, 50, 50, 3);
    Admission admission =
        new Admission() {
          @Override
          public Refusal admit(int node, boolean local) {
            return local || topology.rackOf(node) == 3 ? null : Refusal.NOT_A_TARGET_RACK;
          }

          @Override
          public boolean admitsRack(int rack) {
            return rack == 3;
          }
        };
    for (int seed = 0; seed < 200; seed++) {
      PlacementDecision decision = choose(topology, replicas(3, 0, topology), admission, seed);
      assertTrue(decision.stands());
      assertEquals(3, topology.rackOf(decision.nodes()[1]));
      assertEquals(3, topology.rackOf(decision.nodes()[2]));
      assertTrue(decision.refused().length <= 2 * 8, "what was drawn, not what was walked past");
    }
  }

  @Test
  void refusesByRulesOfOursDoNotCountAgainstTheBound() {
    ClusterTopology topology = racks(1, 60, 1);
    Admission admission = (node, local) -> node == 0 || node == 61 ? null : Refusal.BREAKS_STRIPE;
    PlacementDecision decision =
        new RandomPlacement(topology, 8, 1)
            .choose(replicas(2, 0, topology), admission, new Random(1));
    assertTrue(decision.stands());
    assertEquals(61, decision.nodes()[1]);
  }

  @Test
  void spreadsOverTwoRacksAsFarAsTheClusterHasThem() {
    ClusterTopology one = racks(4);
    assertTrue(
        new RandomPlacement(one, 8, 32)
            .choose(PlacementRequest.newBlock(3, 0, 0, 3, 1), EVERYTHING, new Random(3))
            .stands());
    ClusterTopology tiny = racks(1, 1);
    PlacementDecision tooMany = choose(tiny, replicas(3, 0, tiny), EVERYTHING, 3);
    assertFalse(tooMany.stands());
    assertEquals(FallbackReason.NOT_ENOUGH_NODES, tooMany.fallback());
  }

  @Test
  void keepsTheRulesOfEveryRequest() {
    long first = System.nanoTime();
    System.out.println("random placement, first seed " + first);
    for (long seed = first; seed < first + 2000; seed++) {
      String failed = "seed " + seed;
      Random dice = MixedRandom.of(seed);
      ClusterTopology topology = racks(dice.ints(1 + dice.nextInt(6), 1, 6).toArray());
      int nodes = topology.nodeCount();
      int writer = dice.nextInt(3) == 0 ? NONE : dice.nextInt(nodes);
      int wanted = 1 + dice.nextInt(4);
      int maxPerRack = 1 + dice.nextInt(3);
      PlacementRequest request =
          PlacementRequest.newBlock(
              wanted, writer, writer == NONE ? NONE : topology.rackOf(writer), maxPerRack, 1);
      Set<Integer> refused = new HashSet<>();
      IntStream.range(0, nodes).filter(node -> dice.nextInt(4) == 0).forEach(refused::add);
      Admission admission = (node, local) -> refused.contains(node) ? Refusal.NO_SPACE : null;
      PlacementDecision decision = choose(topology, request, admission, seed);
      int room = 0;
      for (int rack = 0; rack < topology.rackCount(); rack++) {
        long free =
            IntStream.range(topology.firstNode(rack), topology.firstNode(rack + 1))
                .filter(node -> !refused.contains(node))
                .count();
        room += (int) Math.min(maxPerRack, free);
      }
      assertEquals(room >= wanted, decision.stands(), failed);
      if (decision.stands()) {
        assertEquals(wanted, IntStream.of(decision.nodes()).distinct().count(), failed);
        for (int node : decision.nodes()) {
          assertFalse(refused.contains(node), failed);
          int rack = topology.rackOf(node);
          assertTrue(
              IntStream.of(decision.nodes()).filter(n -> topology.rackOf(n) == rack).count()
                  <= maxPerRack,
              failed);
        }
      }
      assertEquals(decision, choose(topology, request, admission, seed), failed);
    }
  }
}
