package org.rackweave.sinbad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.telemetry.ClusterFixture;
import org.rackweave.telemetry.LinkLedger;

/** What holds for every topology, load and admission. A failure names the seed of its case. */
class SinbadPropertyTest {
  private static final int CASES = 4_000;
  private static final Admission EVERYTHING = (node, local) -> null;

  /** One random situation; the same seed gives the same one. */
  private static final class Situation {
    final Random dice;
    final ClusterTopology topology;
    final LinkLedger links;
    final Spread spread;
    PlacementRequest request;

    Situation(long seed) {
      dice = MixedRandom.of(seed);
      ClusterFixture cluster = cluster().oversubscription(1 + dice.nextInt(3)).diskWrite(60);
      int racks = 1 + dice.nextInt(6);
      boolean domains = dice.nextInt(3) == 0;
      for (int rack = 0; rack < racks; rack++) {
        addRack(cluster, "/r" + rack, domains);
      }
      topology = cluster.topology();
      links = cluster.ledger();
      spread = dice.nextBoolean() ? Spread.TWO_RACK : Spread.DISTINCT_RACKS;
      request = randomRequest(domains);
    }

    private void addRack(ClusterFixture cluster, String rack, boolean domains) {
      int size = 1 + dice.nextInt(6);
      cluster.rack(rack, dice.doubles(size, 0, 11).map(tens -> 10 * Math.floor(tens)).toArray());
      if (domains) {
        String[] names = new String[size];
        Arrays.setAll(names, i -> dice.nextInt(8) == 0 ? null : "ud" + dice.nextInt(4));
        cluster.domains(rack, names);
      }
      if (dice.nextInt(10) == 0) {
        cluster.missing(rack + "/0");
      }
      if (dice.nextInt(10) == 0) {
        cluster.dead(rack + "/0");
      }
      cluster.used(rack + "/0", dice.nextInt(10) == 0 ? 0.9 : 0);
    }

    private PlacementRequest randomRequest(boolean domains) {
      int nodes = topology.nodeCount();
      int total = 1 + dice.nextInt(Math.min(nodes, 6));
      int[] existing =
          dice.nextInt(3) == 0
              ? IntStream.generate(() -> dice.nextInt(nodes))
                  .limit(dice.nextInt(4))
                  .distinct()
                  .limit(total - 1)
                  .toArray()
              : new int[0];
      int writer = dice.nextInt(3) == 0 ? NONE : dice.nextInt(nodes);
      int racks = topology.rackCount();
      int writerRack = dice.nextBoolean() ? NONE : dice.nextInt(racks);
      return new PlacementRequest(
          total - existing.length,
          writer,
          writer == NONE ? writerRack : topology.rackOf(writer),
          existing,
          existing.length == 0 || dice.nextInt(4) == 0,
          dice.nextInt(5) > 0,
          dice.nextInt(8) == 0 ? dice.nextInt(racks) : NONE,
          RequestFixture.hdfsMaxPerRack(total, racks),
          domains ? 1 + dice.nextInt(4) : 0,
          RequestFixture.BLOCK);
    }

    PlacementDecision decide(Admission admission, int candidatesMax, long seed) {
      return new SinbadPlacement(spread, candidatesMax)
          .place(links, request, admission, MixedRandom.of(seed));
    }

    long replicasIn(int rack, PlacementDecision decision) {
      return IntStream.concat(IntStream.of(request.existing()), IntStream.of(decision.nodes()))
          .filter(node -> topology.rackOf(node) == rack)
          .count();
    }
  }

  private interface Check {
    void of(Situation situation, long seed);
  }

  private static void forRandomSituations(String what, Check check) {
    long first = System.nanoTime();
    System.out.println(what + ", first seed " + first);
    for (long seed = first; seed < first + CASES; seed++) {
      check.of(new Situation(seed), seed);
    }
  }

  private static BitSet randomNodes(Situation situation, double share) {
    BitSet nodes = new BitSet();
    IntStream.range(0, situation.topology.nodeCount())
        .filter(node -> situation.dice.nextDouble() < share)
        .forEach(nodes::set);
    return nodes;
  }

  @Test
  void keepsEveryRuleUnderAnyAdmission() {
    forRandomSituations(
        "rules of a decision",
        (situation, seed) -> {
          BitSet refused = randomNodes(situation, situation.dice.nextDouble());
          Set<Integer> admitted = new HashSet<>();
          Admission admission =
              (node, local) -> {
                String failed = "seed " + seed + " node " + node;
                assertFalse(contains(situation.request.existing(), node), failed);
                assertTrue(!local || node == situation.request.writer(), failed);
                if (refused.get(node)) {
                  return Refusal.EXCLUDED;
                }
                assertTrue(admitted.add(node), failed);
                return null;
              };
          int candidatesMax = 1 + situation.dice.nextInt(40);
          PlacementDecision decision = situation.decide(admission, candidatesMax, seed);
          assertWellFormed(situation, decision, seed);
          IntStream.of(decision.nodes())
              .forEach(node -> assertFalse(refused.get(node), () -> "seed " + seed));
          if (decision.stands()) {
            assertEquals(
                admitted,
                Set.copyOf(IntStream.of(decision.nodes()).boxed().toList()),
                () -> "what is admitted is part of the decision, seed " + seed);
          }
          assertTrue(askedAbout(decision) <= candidatesMax, () -> "seed " + seed);
        });
  }

  private static long askedAbout(PlacementDecision decision) {
    return IntStream.range(0, decision.refused().length / 2)
        .filter(i -> decision.refused()[2 * i + 1] != Refusal.SAME_FAULT_DOMAIN.ordinal())
        .count();
  }

  private static void assertWellFormed(Situation in, PlacementDecision decision, long seed) {
    String failed = "seed " + seed + " " + decision.describe(in.topology) + " for " + in.request;
    int[] nodes = decision.nodes();
    if (!decision.stands()) {
      assertEquals(0, nodes.length, failed);
      return;
    }
    assertEquals(in.request.replicas(), nodes.length, failed);
    assertEquals(nodes.length, IntStream.of(nodes).distinct().count(), failed);
    for (int node : nodes) {
      int rack = in.topology.rackOf(node);
      assertFalse(contains(in.request.existing(), node), failed);
      assertTrue(in.replicasIn(rack, decision) <= in.request.maxPerRack(), failed);
      assertFalse(rack == in.request.forbiddenRack(), failed);
      assertTrue(in.links.snapshot().usable(node) || node == in.request.writer(), failed);
    }
    if (in.spread == Spread.DISTINCT_RACKS && in.topology.rackCount() > 1) {
      assertRacksDiffer(in, nodes, failed);
    }
    assertDomains(in, nodes, failed);
  }

  /** The first replica of a block goes where the writer is; all others into racks of their own. */
  private static void assertRacksDiffer(Situation in, int[] nodes, String failed) {
    Set<Integer> racks = new HashSet<>();
    IntStream.of(in.request.existing()).forEach(node -> racks.add(in.topology.rackOf(node)));
    for (int node : nodes) {
      assertTrue(racks.add(in.topology.rackOf(node)), failed);
    }
  }

  /** Each replica brings a new domain until the factor is reached. */
  private static void assertDomains(Situation in, int[] nodes, String failed) {
    if (in.request.domainFactor() == 0 || in.topology.domainCount() == 0) {
      return;
    }
    Set<Integer> domains = new HashSet<>();
    IntStream.of(in.request.existing()).forEach(node -> domains.add(in.topology.domainOf(node)));
    int total = in.request.existing().length + in.request.replicas();
    int needed = Math.min(in.request.domainFactor(), Math.min(total, in.topology.domainCount()));
    for (int node : nodes) {
      boolean enough = domains.size() >= needed;
      assertTrue(domains.add(in.topology.domainOf(node)) || enough, failed);
    }
  }

  @Test
  void decidesTheSameFromTheSameInputAndRandom() {
    forRandomSituations(
        "same input, same decision",
        (situation, seed) -> {
          BitSet refused = randomNodes(situation, 0.3);
          Admission admission = (node, local) -> refused.get(node) ? Refusal.NO_SPACE : null;
          assertEquals(
              situation.decide(admission, 32, seed), situation.decide(admission, 32, seed));
          assertEquals(
              situation.decide(admission, 32, seed),
              new Situation(seed).decide(admission, 32, seed),
              () -> "seed " + seed);
        });
  }

  @Test
  void neverFallsBackWhenEveryNodeIsAdmittedAndTheRacksSuffice() {
    int[] feasible = {0};
    forRandomSituations(
        "no needless fallback",
        (situation, seed) -> {
          if (situation.request.domainFactor() == 0 && racksSuffice(situation)) {
            feasible[0]++;
            PlacementDecision decision = situation.decide(EVERYTHING, 32, seed);
            assertTrue(
                decision.stands(),
                () -> "seed " + seed + decision.describe(situation.topology) + situation.request);
          }
        });
    assertTrue(feasible[0] > CASES / 4, "the property was put to the test");
  }

  private static boolean racksSuffice(Situation in) {
    PlacementRequest request = in.request;
    int room = 0;
    int freeRacks = 0;
    for (int rack = 0; rack < in.topology.rackCount(); rack++) {
      int held = countIn(in, rack, request.existing());
      int limit = Math.max(0, request.maxPerRack() - held);
      int more = rack == request.forbiddenRack() ? 0 : Math.min(limit, freeHosts(in, rack));
      room += more;
      freeRacks += held == 0 && more > 0 ? 1 : 0;
    }
    boolean distinct = in.spread == Spread.DISTINCT_RACKS && in.topology.rackCount() > 1;
    return (distinct ? freeRacks : room) >= request.replicas();
  }

  private static int countIn(Situation in, int rack, int[] nodes) {
    return (int) IntStream.of(nodes).filter(node -> in.topology.rackOf(node) == rack).count();
  }

  private static int freeHosts(Situation in, int rack) {
    return (int)
        IntStream.range(in.topology.firstNode(rack), in.topology.firstNode(rack + 1))
            .filter(in.links.snapshot()::usable)
            .filter(node -> !contains(in.request.existing(), node))
            .count();
  }

  /**
   * The second replica's rack against trying all of them: none has more room at the narrower of its
   * link and the n-th best of its hosts. The replicas there are on its best hosts.
   */
  @Test
  void choosesARemoteRackThatNoneExceeds() {
    int[] compared = {0};
    forRandomSituations(
        "remote rack against all racks",
        (in, seed) -> {
          PlacementRequest request = in.request;
          PlacementDecision decision = in.decide(EVERYTHING, 1000, seed);
          int[] nodes = decision.nodes();
          if (!decision.stands()
              || request.existing().length > 0
              || request.domainFactor() > 0
              || nodes.length < 2
              || in.topology.rackOf(nodes[0]) == in.topology.rackOf(nodes[1])) {
            return;
          }
          compared[0]++;
          boolean two = in.spread == Spread.TWO_RACK && nodes.length > 2;
          int together = two ? Math.min(2, request.maxPerRack()) : 1;
          double best = Double.NEGATIVE_INFINITY;
          for (int rack = 0; rack < in.topology.rackCount(); rack++) {
            if (rack != in.topology.rackOf(nodes[0]) && rack != request.forbiddenRack()) {
              best = Math.max(best, room(in, rack, together));
            }
          }
          int chosen = in.topology.rackOf(nodes[1]);
          assertEquals(best, room(in, chosen, together), () -> "seed " + seed);
          assertEquals(nthBestHost(in, chosen, 1), in.links.expectedAtHost(nodes[1]));
          if (two && in.topology.rackOf(nodes[2]) == chosen) {
            assertEquals(nthBestHost(in, chosen, 2), in.links.expectedAtHost(nodes[2]));
          }
        });
    assertTrue(compared[0] > CASES / 10, "the oracle was asked");
  }

  private static double room(Situation in, int rack, int replicas) {
    return Math.min(in.links.expectedAtRack(rack), nthBestHost(in, rack, replicas));
  }

  private static double nthBestHost(Situation in, int rack, int n) {
    double[] rooms =
        IntStream.range(in.topology.firstNode(rack), in.topology.firstNode(rack + 1))
            .filter(in.links.snapshot()::usable)
            .mapToDouble(in.links::expectedAtHost)
            .sorted()
            .toArray();
    return n > rooms.length ? Double.NEGATIVE_INFINITY : rooms[rooms.length - n];
  }

  private static boolean contains(int[] nodes, int node) {
    return IntStream.of(nodes).anyMatch(one -> one == node);
  }
}
