package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.graph.GroupedFlow;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.placement.ReplicaChooser;
import org.rackweave.sinbad.SinbadPlacement;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.ClusterFixture;
import org.rackweave.telemetry.LinkLedger;

/** EAR's feasibility as the hard filter, Sinbad's ranking of links among what passes. */
class EarWithSinbadTest {
  private final List<StripeEvent> events = new ArrayList<>();
  private final Random random = new Random(1);

  private static ReplicaChooser sinbad(LinkLedger links, Spread spread) {
    SinbadPlacement sinbad = new SinbadPlacement(spread, 32);
    return (request, admission, random) -> sinbad.place(links, request, admission, random);
  }

  private static PlacementRequest threeReplicas(int writer, ClusterTopology topology) {
    return PlacementRequest.newBlock(3, writer, topology.rackOf(writer), 2, 1 << 20);
  }

  private EarDecision place(OpenStripes stripes, ReplicaChooser chooser, int writer) {
    ClusterTopology topology = stripes.topology();
    return new EarPlacement(stripes, topology, chooser)
        .place(
            threeReplicas(writer, topology), () -> (node, local) -> null, random, 0, events::add);
  }

  @Test
  void takesTheFreestRackThatKeepsTheStripeEncodable() {
    // Free MB/s of a hundred: racks b to g have 90, 80, 70, 60, 50 and 40.
    ClusterFixture fixture = cluster().idleRack("/a", 4);
    for (int rack = 1; rack <= 6; rack++) {
      double busy = 10 * rack;
      fixture.rack("/" + "abcdefg".charAt(rack), busy, busy, busy);
    }
    LinkLedger links = fixture.ledger();
    ClusterTopology topology = links.topology();
    OpenStripes stripes = new OpenStripes(StripeRules.of(ErasureCode.named("rs-4-2")), topology);
    List<String> racks = new ArrayList<>();
    for (int block = 0; block < 4; block++) {
      EarDecision decision = place(stripes, sinbad(links, Spread.TWO_RACK), block);
      int[] nodes = decision.placement().nodes();
      assertEquals(block, nodes[0]);
      assertEquals(topology.rackOf(nodes[1]), topology.rackOf(nodes[2]));
      racks.add(topology.rackPath(topology.rackOf(nodes[1])));
    }
    // One of the first two keeps its replica in /a, so /b serves both; then it is full.
    assertEquals(List.of("/b", "/b", "/c", "/d"), racks);
  }

  @Test
  void passesAFullRackByWithoutAskingAboutItsNodes() {
    ClusterFixture fixture = cluster().idleRack("/a", 4).idleRack("/b", 50);
    for (int rack = 2; rack <= 6; rack++) {
      fixture.rack("/" + "abcdefg".charAt(rack), 50, 50, 50);
    }
    LinkLedger links = fixture.ledger();
    OpenStripes stripes =
        new OpenStripes(StripeRules.of(ErasureCode.named("rs-4-2")), links.topology());
    for (int block = 0; block < 2; block++) {
      place(stripes, sinbad(links, Spread.TWO_RACK), block);
    }
    PlacementDecision third = place(stripes, sinbad(links, Spread.TWO_RACK), 2).placement();
    assertTrue(third.stands());
    assertEquals(0, third.refused().length, () -> third.describe(links.topology()));
  }

  @Test
  void namesTheRuleThatRefusedANode() {
    ClusterFixture fixture = cluster().idleRack("/a", 4);
    for (int rack = 1; rack <= 6; rack++) {
      fixture.idleRack("/" + "abcdefg".charAt(rack), 2);
    }
    LinkLedger links = fixture.ledger();
    ClusterTopology topology = links.topology();
    OpenStripes stripes =
        new OpenStripes(StripeRules.of(ErasureCode.named("rs-4-2")).withRackLimit(2), topology);
    ReplicaChooser stubborn =
        (request, admission, dice) -> {
          int[] nodes = fixture.nodes("/a/0", "/b/0", "/b/1");
          int[] refused = new int[0];
          for (int node : nodes) {
            Refusal refusal = admission.admit(node, false);
            if (refusal != null) {
              refused = new int[] {node, refusal.ordinal()};
              nodes = fixture.nodes("/a/0", "/c/0", "/c/1");
              admission.admit(nodes[1], false);
              admission.admit(nodes[2], false);
              break;
            }
          }
          return PlacementDecision.of(nodes, refused);
        };
    List<String> told = new ArrayList<>();
    for (int block = 0; block < 4; block++) {
      told.add(place(stripes, stubborn, 0).placement().describe(topology));
    }
    // All start on /a/0, which keeps one of them; /b's two nodes keep two.
    assertEquals("chose /a//a/0 /b//b/0 /b//b/1", told.get(2));
    assertTrue(told.get(3).contains("(BREAKS_STRIPE)"), told::toString);
  }

  /** Against trying every rack: of those that fit, none has more room than the one taken. */
  @Test
  void noRackThatFitsHasMoreRoomThanTheOneTaken() {
    long first = System.nanoTime();
    System.out.println("ranking inside the filter, first seed " + first);
    int[] compared = {0};
    for (long seed = first; seed < first + 150; seed++) {
      Random dice = MixedRandom.of(seed);
      ClusterFixture fixture = cluster();
      int racks = 7 + dice.nextInt(6);
      for (int rack = 0; rack < racks; rack++) {
        double busy = 10 * dice.nextInt(10);
        fixture.rack("/r" + rack, busy, busy, busy, busy);
      }
      LinkLedger links = fixture.ledger();
      ClusterTopology topology = links.topology();
      StripeRules rules =
          StripeRules.of(ErasureCode.named("rs-4-2")).withRackLimit(1 + dice.nextInt(2));
      OpenStripes stripes = new OpenStripes(rules, topology);
      Map<Long, List<int[]>> layouts = new HashMap<>();
      for (int block = 0; block < 20; block++) {
        int writer = dice.nextInt(4);
        EarDecision decision = place(stripes, sinbad(links, Spread.TWO_RACK), writer);
        int[] nodes = decision.placement().nodes();
        List<int[]> before =
            layouts.computeIfAbsent(decision.seat().stripeId(), id -> new ArrayList<>());
        String failed = "seed " + seed + " block " + block + " on " + Arrays.toString(nodes);
        double taken = links.expectedAtRack(topology.rackOf(nodes[1]));
        int better =
            (int)
                IntStream.range(1, racks)
                    .filter(rack -> links.expectedAtRack(rack) > taken)
                    .filter(rack -> fits(before, writer, rack, rules, topology))
                    .count();
        assertEquals(0, better, failed);
        compared[0] += decision.draws() > 0 ? 1 : 0;
        before.add(nodes);
        stripes.bind(decision.seat(), block, 0, events::add);
      }
    }
    assertTrue(compared[0] > 1000, "the oracle was asked");
  }

  /** Whether some node of a rack would do as the second replica. */
  private static boolean fits(
      List<int[]> before, int writer, int rack, StripeRules rules, ClusterTopology topology) {
    return IntStream.range(topology.firstNode(rack), topology.firstNode(rack + 1))
        .anyMatch(
            node -> {
              List<int[]> with = new ArrayList<>(before);
              with.add(new int[] {writer, node});
              return GroupedFlow.matchable(with, topology::rackOf, r -> rules.rackLimit())
                  == with.size();
            });
  }
}
