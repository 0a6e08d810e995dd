package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;

class LotteryPlacementTest {
  private static final Admission EVERYTHING = (node, local) -> null;
  private static final double[] SPEEDS = {90, 50, 70, 20, 10, 60};

  private static DestinationOdds odds(Servers servers) {
    return DestinationOdds.of(servers, SPEEDS, 0.5, 0);
  }

  private static PlacementRequest anotherReplica(int... existing) {
    return new PlacementRequest(1, existing[0], NONE, existing, false, false, NONE, 3, 0, 1 << 20);
  }

  /** One more replica of a hot file: the lottery among those that hold none. */
  @Test
  void theChanceOfAServerIsItsOddsAmongThoseThatMayBeChosen() {
    Servers servers = Clusters.of(3, 2).reads(1, 5).reads(5, 3).build();
    for (int drawsMax : new int[] {0, 1, 16}) {
      LotteryPlacement lottery = new LotteryPlacement(odds(servers), drawsMax, 32);
      Admission notThree = (node, local) -> node == 3 ? Refusal.NO_SPACE : null;
      SplittableRandom random = new SplittableRandom(9);
      int[] chosen = new int[6];
      int draws = 60_000;
      for (int i = 0; i < draws; i++) {
        chosen[lottery.choose(anotherReplica(0, 2, 4), notThree, random).nodes()[0]]++;
      }
      double left = odds(servers).chance(1) + odds(servers).chance(5);
      for (int node : new int[] {1, 5}) {
        double chance = odds(servers).chance(node) / left;
        double deviation = Math.sqrt(draws * chance * (1 - chance));
        assertEquals(draws * chance, chosen[node], 5 * deviation, "draws at most " + drawsMax);
      }
      assertEquals(draws, chosen[1] + chosen[5]);
    }
  }

  @Test
  void newBlocksKeepToTwoRacksOfHotServers() {
    Servers servers = Clusters.of(3, 2).role(0, ServerRole.STANDBY).build();
    LotteryPlacement lottery = new LotteryPlacement(odds(servers), 8, 32);
    ClusterTopology topology = servers.topology();
    for (int seed = 0; seed < 300; seed++) {
      PlacementDecision decision =
          lottery.choose(
              PlacementRequest.newBlock(3, 0, 0, 2, 1 << 20),
              EVERYTHING,
              new SplittableRandom(seed));
      int[] nodes = decision.nodes();
      assertEquals(3, nodes.length);
      assertEquals(1, nodes[0], "the writer is no hot server, its neighbour is");
      assertTrue(
          topology.rackOf(nodes[1]) != 0 && topology.rackOf(nodes[1]) == topology.rackOf(nodes[2]));
      assertTrue(decision.describe(topology).contains("/r0/n0 (NOT_HOT)"));
    }
  }

  @Test
  void withoutAHotServerStockPlacementActs() {
    Servers.Builder built = Clusters.of(3, 2);
    IntStream.range(0, 6).forEach(node -> built.role(node, ServerRole.COLD));
    Servers servers = built.build();
    PlacementDecision decision =
        new LotteryPlacement(odds(servers), 8, 32)
            .choose(
                PlacementRequest.newBlock(3, NONE, NONE, 2, 1),
                EVERYTHING,
                new SplittableRandom(1));
    assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.fallback());
  }

  @Test
  void theBoundOnRefusedCandidatesHolds() {
    Servers servers = Clusters.of(3, 2).build();
    int[] asked = {0};
    PlacementDecision decision =
        new LotteryPlacement(odds(servers), 8, 4)
            .choose(
                PlacementRequest.newBlock(3, NONE, NONE, 2, 1),
                (node, local) -> {
                  asked[0]++;
                  return Refusal.NO_SPACE;
                },
                new SplittableRandom(1));
    assertEquals(FallbackReason.SEARCH_LIMIT, decision.fallback());
    assertEquals(4, asked[0]);
  }

  @Test
  void findsWhateverMayBeChosenAndKeepsEveryRule() {
    long first = System.nanoTime();
    System.out.println("lottery placement, first seed " + first);
    int stood = 0;
    for (long seed = first; seed < first + 4000; seed++) {
      stood += checkRandomCase(seed) ? 1 : 0;
    }
    assertTrue(stood > 1000, "put to the test");
  }

  private static boolean checkRandomCase(long seed) {
    String failed = "seed " + seed;
    SplittableRandom dice = new SplittableRandom(seed);
    Servers.Builder built = Clusters.of(3, 2);
    boolean[] admitted = new boolean[6];
    for (int node = 0; node < 6; node++) {
      built.role(node, ServerRole.values()[Math.max(0, dice.nextInt(5) - 2)]);
      admitted[node] = dice.nextInt(4) > 0;
    }
    Servers servers = built.build();
    Admission admission = (node, local) -> admitted[node] ? null : Refusal.NO_SPACE;
    int replicas = 1 + dice.nextInt(3);
    int writer = dice.nextInt(7) - 1;
    PlacementRequest request =
        PlacementRequest.newBlock(
            replicas, writer, writer == NONE ? NONE : servers.topology().rackOf(writer), 2, 1);
    LotteryPlacement lottery = new LotteryPlacement(odds(servers), dice.nextInt(4), 100);
    PlacementDecision decision = lottery.choose(request, admission, new SplittableRandom(seed));
    assertArrayEquals(
        decision.nodes(),
        lottery.choose(request, admission, new SplittableRandom(seed)).nodes(),
        failed);
    for (int node : decision.nodes()) {
      assertTrue(admitted[node] && servers.isLive(node, ServerRole.HOT), failed);
    }
    long possible =
        IntStream.range(0, 6)
            .filter(node -> admitted[node] && servers.isLive(node, ServerRole.HOT))
            .count();
    // Racks of two and two replicas a rack: every one of them may be chosen.
    assertEquals(possible >= replicas, decision.stands(), failed);
    assertEquals(
        decision.nodes().length, IntStream.of(decision.nodes()).distinct().count(), failed);
    assertFalse(decision.stands() && decision.nodes().length != replicas, failed);
    return decision.stands();
  }
}
