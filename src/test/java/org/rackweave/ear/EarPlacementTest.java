package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.Refusal;
import org.rackweave.placement.ReplicaChooser;

/** One situation a test, in the order of algorithms.md, "Placement of one block". */
class EarPlacementTest {
  private static final Admission EVERYTHING = (node, local) -> null;
  private static final StripeRules RS_4_2 = StripeRules.of(ErasureCode.named("rs-4-2"));

  private final List<StripeEvent> events = new ArrayList<>();
  private final Random random = new Random(5);
  private ClusterTopology topology = Racks.even(7, 4);
  private OpenStripes stripes = new OpenStripes(RS_4_2, topology);

  private void cluster(StripeRules rules, ClusterTopology racks) {
    topology = racks;
    stripes = new OpenStripes(rules, racks);
  }

  private PlacementRequest replicas(int replicas, String writer) {
    int node = Racks.node(writer, topology);
    return PlacementRequest.newBlock(replicas, node, topology.rackOf(node), 2, 1 << 20);
  }

  private EarDecision place(PlacementRequest request, Admission host) {
    return place(request, host, new RandomPlacement(topology, 8, 32));
  }

  private EarDecision place(PlacementRequest request, Admission host, ReplicaChooser chooser) {
    return new EarPlacement(stripes, topology, chooser)
        .place(request, () -> host, random, 0, events::add);
  }

  /** Offers admission the nodes of a script, one list a replica, and takes the first admitted. */
  private ReplicaChooser scripted(String[]... offers) {
    return (request, admission, ignored) -> {
      int[] nodes = new int[offers.length];
      for (int i = 0; i < offers.length; i++) {
        boolean local = i == 0;
        nodes[i] =
            Arrays.stream(Racks.nodes(topology, offers[i]))
                .filter(node -> admission.admit(node, local) == null)
                .findFirst()
                .orElse(NONE);
        if (nodes[i] == NONE) {
          return PlacementDecision.fallback(FallbackReason.NOT_ENOUGH_NODES, new int[0]);
        }
      }
      return PlacementDecision.of(nodes, new int[0]);
    };
  }

  private static String[] offer(String... nodes) {
    return nodes;
  }

  private EarDecision place(String[]... offers) {
    return place(replicas(offers.length, offers[0][0]), EVERYTHING, scripted(offers));
  }

  private int[] nodes(String... names) {
    return Racks.nodes(topology, names);
  }

  @Test
  void makesTheWritersRackTheCoreRackAndPutsTwoReplicasInOneOther() {
    EarDecision decision = place(replicas(3, "2.1"), EVERYTHING);
    int[] nodes = decision.placement().nodes();
    assertEquals("2.1", topology.nodeName(nodes[0]));
    assertNotEquals(2, topology.rackOf(nodes[1]));
    assertEquals(topology.rackOf(nodes[1]), topology.rackOf(nodes[2]));
    assertEquals(StripeOutcome.OPENED, decision.outcome());
    assertEquals(1, decision.draws());
    assertEquals("/r2", stripes.status().get(0).coreRack());
  }

  @Test
  void choosesARandomCoreRackForAWriterThatIsNoDataNode() {
    Set<String> coreRacks = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      place(PlacementRequest.newBlock(3, NONE, NONE, 2, 1 << 20), EVERYTHING);
    }
    stripes.status().forEach(stripe -> coreRacks.add(stripe.coreRack()));
    assertEquals(7, coreRacks.size());
  }

  @Test
  void putsBlocksOfOneCoreRackIntoOneStripeUntilItIsFull() {
    Seat first = place(replicas(3, "0.0"), EVERYTHING).seat();
    for (int block = 2; block <= 4; block++) {
      EarDecision next = place(replicas(3, "0." + (block - 1)), EVERYTHING);
      assertEquals(StripeOutcome.JOINED, next.outcome());
      assertEquals(first.stripeId(), next.seat().stripeId());
    }
    EarDecision fifth = place(replicas(3, "0.0"), EVERYTHING);
    assertEquals(StripeOutcome.OPENED, fifth.outcome());
    assertNotEquals(first.stripeId(), fifth.seat().stripeId());
    EarDecision elsewhere = place(replicas(3, "1.0"), EVERYTHING);
    assertEquals(StripeOutcome.OPENED, elsewhere.outcome());
  }

  /** The example of the class doc. */
  @Test
  void redrawsOnlyWhatIsOutsideTheCoreRack() {
    place(offer("0.0"), offer("1.0"), offer("1.1"));
    place(offer("0.1"), offer("1.2"), offer("1.3"));
    EarDecision third = place(offer("0.2"), offer("1.0", "2.0"), offer("2.1"));
    assertArrayEquals(nodes("0.2", "2.0", "2.1"), third.placement().nodes());
    assertEquals(StripeOutcome.JOINED, third.outcome());
    assertEquals(2, third.draws());
  }

  /** Of three blocks on racks 0 and 1 only two could keep a replica within c = 1. */
  @Test
  void opensAnotherStripeWhenNoProposedLayoutFits() {
    Seat first = place(offer("0.0"), offer("1.0"), offer("1.1")).seat();
    place(offer("0.1"), offer("1.2"), offer("1.3"));
    EarDecision third = place(offer("0.2"), offer("1.0", "1.1"), offer("1.2"));
    assertEquals(StripeOutcome.OPENED_ANOTHER, third.outcome());
    assertEquals(3, third.draws());
    assertNotEquals(first.stripeId(), third.seat().stripeId());
    EarDecision fourth = place(offer("0.3"), offer("1.0"), offer("1.1"));
    assertEquals(third.seat().stripeId(), fourth.seat().stripeId(), "the last one that had room");
  }

  @Test
  void closesTheFullestStripeWhenTooManyWait() {
    StripeRules two = new StripeRules(RS_4_2.code(), 1, StripeRules.ALL_RACKS, 2, 1000, 1000);
    cluster(two, topology);
    List<Seat> seats = new ArrayList<>();
    for (int block = 0; block < 6; block++) {
      seats.add(place(offer("0." + block % 4), offer("1.0"), offer("1.1")).seat());
    }
    assertEquals(3, seats.stream().map(Seat::stripeId).distinct().count(), "two blocks in each");
    for (int block = 0; block < 6; block++) {
      assertTrue(stripes.bind(seats.get(block), block, 7, events::add));
    }
    StripeEvent.Sealed sealed = (StripeEvent.Sealed) events.get(0);
    assertEquals(SealReason.EXHAUSTED, sealed.stripe().reason());
    assertArrayEquals(new long[] {0, 1}, sealed.stripe().blockIds());
    assertEquals(1, events.size());
  }

  @Test
  void takesNobodyWhomTheHostRefuses() {
    Admission noSpace =
        (node, local) -> topology.rackOf(node) < 3 || local ? null : Refusal.NO_SPACE;
    for (int i = 0; i < 20; i++) {
      int[] nodes = place(replicas(3, "2.1"), noSpace).placement().nodes();
      assertTrue(topology.rackOf(nodes[1]) < 2);
    }
  }

  @Test
  void asksTheHostOnlyAboutNodesThatFitAndAFreshOneForAnotherStripe() {
    place(offer("0.0"), offer("1.0"), offer("1.1"));
    place(offer("0.1"), offer("1.2"), offer("1.3"));
    List<List<String>> asked = new ArrayList<>();
    ReplicaChooser chooser = scripted(offer("0.2"), offer("1.0"), offer("1.1"));
    new EarPlacement(stripes, topology, chooser)
        .place(
            replicas(3, "0.2"),
            () -> {
              List<String> nodes = new ArrayList<>();
              asked.add(nodes);
              return (node, local) -> {
                nodes.add(topology.nodeName(node));
                return null;
              };
            },
            random,
            0,
            events::add);
    assertEquals(List.of(List.of("0.2"), List.of("0.2", "1.0", "1.1")), asked);
  }

  @Test
  void letsNoMoreBlocksIntoAClosedStripeThatWaitsForIds() {
    StripeRules one = new StripeRules(RS_4_2.code(), 1, StripeRules.ALL_RACKS, 1, 1000, 1000);
    cluster(one, topology);
    place(offer("0.0"), offer("1.0"), offer("1.1"));
    place(offer("0.1"), offer("1.2"), offer("1.3"));
    Seat third = place(offer("0.2"), offer("1.0"), offer("1.1")).seat();
    Seat fourth = place(offer("0.3"), offer("2.0"), offer("2.1")).seat();
    assertEquals(third.stripeId(), fourth.stripeId());
  }

  @Test
  void doesNotBeginWithTheStripeThatHadNoLayoutForTheLastBlock() {
    place(offer("0.0"), offer("1.0"), offer("1.1"));
    place(offer("0.1"), offer("1.2"), offer("1.3"));
    place(offer("0.2"), offer("1.0"), offer("1.1"));
    EarDecision fourth = place(offer("0.3"), offer("1.2"), offer("1.3"));
    assertEquals(StripeOutcome.JOINED, fourth.outcome());
    assertEquals(1, fourth.draws(), "the other stripe was not even asked");
  }

  @Test
  void keepsToTargetRacksTheCoreRackAmongThem() {
    cluster(RS_4_2.withRackLimit(2).withTargetRacks(3), Racks.even(12, 4));
    for (int block = 0; block < 400; block++) {
      EarDecision decision = place(replicas(3, "5." + block % 4), EVERYTHING);
      stripes.bind(decision.seat(), block, 0, events::add);
    }
    List<SealedStripe> sealed = sealed();
    assertTrue(sealed.size() > 90, () -> "most of 100: " + sealed.size());
    for (SealedStripe stripe : sealed) {
      assertEquals(3, stripe.targetRacks().size());
      assertTrue(stripe.targetRacks().contains("/r5"));
      for (String keeper : stripe.keepers()) {
        String rack = "/r" + keeper.substring(0, keeper.indexOf('.'));
        assertTrue(stripe.targetRacks().contains(rack));
      }
    }
  }

  private List<SealedStripe> sealed() {
    return events.stream()
        .filter(StripeEvent.Sealed.class::isInstance)
        .map(event -> ((StripeEvent.Sealed) event).stripe())
        .toList();
  }

  /**
   * Three racks of two nodes hold six blocks at c = 2; with a rack of one node, four are needed.
   */
  @Test
  void takesMoreTargetRacksWhenSmallOnesCannotHoldAStripe() {
    cluster(RS_4_2.withRackLimit(2).withTargetRacks(3), Racks.of(2, 1, 1, 1, 1, 1));
    EarDecision decision = place(replicas(2, "0.0"), EVERYTHING);
    for (int block = 1; block <= 3; block++) {
      stripes.bind(place(replicas(2, "0." + block % 2), EVERYTHING).seat(), block, 0, events::add);
    }
    stripes.bind(decision.seat(), 4, 0, events::add);
    assertEquals(5, sealed().get(0).targetRacks().size(), "2 + 1 + 1 + 1 + 1");
  }

  @Test
  void placesWithoutAStripeWhereTheRacksCannotHoldOne() {
    cluster(RS_4_2, Racks.even(5, 4));
    EarDecision decision = place(replicas(3, "0.0"), EVERYTHING);
    assertTrue(decision.placement().stands());
    assertNull(decision.seat());
    assertEquals(StripeOutcome.TOO_FEW_RACKS, decision.outcome());
    assertEquals("too-few-racks", decision.outcome().label());
  }

  @Test
  void placesWithoutAStripeWhatHasNoChoiceOfKeepers() {
    EarDecision single = place(replicas(1, "0.0"), EVERYTHING);
    assertTrue(single.placement().stands());
    assertEquals(StripeOutcome.TOO_FEW_REPLICAS, single.outcome());
    PlacementRequest repair =
        new PlacementRequest(1, 0, 0, nodes("0.1"), false, true, NONE, 2, 0, 1 << 20);
    assertEquals(StripeOutcome.NOT_A_NEW_BLOCK, place(repair, EVERYTHING).outcome());
  }

  @Test
  void leavesToStockWhatOnlyTheCoreRackCouldTake() {
    Admission onlyRack0 =
        (node, local) -> topology.rackOf(node) == 0 ? null : Refusal.NOT_GOOD_TARGET;
    EarDecision decision = place(replicas(3, "0.0"), onlyRack0);
    assertEquals(StripeOutcome.NOT_PLACED, decision.outcome());
    assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.placement().fallback());
    assertNull(decision.seat());
    assertEquals(List.of(), stripes.status());
  }

  @Test
  void placesWithoutAStripeWhileTheTopologyChanges() {
    ClusterTopology next = Racks.even(8, 4);
    stripes.adopt(next, random, 0, events::add);
    EarDecision behind = place(replicas(3, "0.0"), EVERYTHING);
    assertTrue(behind.placement().stands());
    assertEquals(StripeOutcome.TOPOLOGY_CHANGED, behind.outcome());
    ReplicaChooser slow =
        (request, admission, dice) -> {
          PlacementDecision decision =
              new RandomPlacement(next, 8, 32).choose(request, admission, dice);
          stripes.adopt(Racks.even(9, 4), dice, 0, events::add);
          return decision;
        };
    topology = next;
    EarDecision overtaken = place(replicas(3, "0.0"), EVERYTHING, slow);
    assertEquals(StripeOutcome.TOPOLOGY_CHANGED, overtaken.outcome());
    assertNull(overtaken.seat());
  }

  /**
   * The stripe it was judged by is sealed among fewer nodes than the candidates are numbered in.
   */
  @Test
  void asksNoStripeThatWasSealedInAnotherTopology() {
    ClusterTopology whole = topology;
    ClusterTopology smaller = Racks.changed(whole, Racks.nodesOf(6, whole), List.of());
    EarDecision first = place(offer("0.0"), offer("1.0"), offer("1.1"));
    stripes.bind(first.seat(), 1, 0, events::add);
    EarDecision second = place(offer("0.1"), offer("1.2"), offer("1.3"));
    stripes.bind(second.seat(), 2, 0, events::add);
    ReplicaChooser meanwhile =
        (request, admission, ignored) -> {
          int[] nodes = nodes("0.0", "6.0", "6.3");
          assertNull(admission.admit(nodes[0], true));
          stripes.adopt(smaller, random, 0, events::add);
          stripes.expire(RS_4_2.sealAgeMs(), events::add);
          stripes.adopt(whole, random, 0, events::add);
          assertNull(admission.admit(nodes[1], false));
          assertNull(admission.admit(nodes[2], false));
          return PlacementDecision.of(nodes, new int[0]);
        };
    EarDecision third = place(replicas(3, "0.0"), EVERYTHING, meanwhile);
    assertTrue(events.stream().anyMatch(StripeEvent.Sealed.class::isInstance));
    assertEquals(StripeOutcome.OPENED, third.outcome());
  }

  /** Another writer takes the room between the question and the seat. */
  @Test
  void findsAnotherStripeWhenOneFilledUpMeanwhile() {
    place(offer("0.0"), offer("1.0"), offer("1.1"));
    place(offer("0.1"), offer("1.2"), offer("1.3"));
    place(offer("0.2"), offer("2.0"), offer("2.1"));
    ReplicaChooser overtaken =
        (request, admission, dice) -> {
          PlacementDecision mine =
              scripted(offer("0.0"), offer("3.0"), offer("3.1")).choose(request, admission, dice);
          assertEquals(
              StripeOutcome.JOINED, place(offer("0.3"), offer("4.0"), offer("4.1")).outcome());
          return mine;
        };
    EarDecision late = place(replicas(3, "0.0"), EVERYTHING, overtaken);
    assertEquals(StripeOutcome.OPENED, late.outcome());
    assertNotNull(late.seat());
  }

  @Test
  void decidesTheSameFromTheSameStateAndRandom() {
    List<int[]> first = new ArrayList<>();
    List<int[]> second = new ArrayList<>();
    for (List<int[]> run : List.of(first, second)) {
      cluster(RS_4_2, topology);
      random.setSeed(11);
      for (int block = 0; block < 50; block++) {
        run.add(place(replicas(3, "3." + block % 4), EVERYTHING).placement().nodes());
      }
    }
    for (int block = 0; block < 50; block++) {
      assertArrayEquals(first.get(block), second.get(block));
    }
  }
}
