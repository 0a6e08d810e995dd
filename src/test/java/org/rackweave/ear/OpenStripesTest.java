package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Stripes of rs-4-2, c = 1, in core rack 0 of seven racks of four nodes unless said otherwise. */
class OpenStripesTest {
  private static final ErasureCode CODE = ErasureCode.named("rs-4-2");
  private static final long SEAL_AGE = 1000;
  private static final long SEAT_AGE = 100;

  private final List<StripeEvent> events = new ArrayList<>();
  private final Random random = new Random(2);
  private ClusterTopology topology = Racks.even(7, 4);
  private OpenStripes stripes = new OpenStripes(rules(StripeRules.ALL_RACKS), topology);

  private static StripeRules rules(int targetRacks) {
    return new StripeRules(CODE, 1, targetRacks, 3, SEAL_AGE, SEAT_AGE);
  }

  private Seat seat(long nowMs, String... nodes) {
    int[] numbers = Racks.nodes(topology, nodes);
    return stripes
        .seat(
            topology.rackOf(numbers[0]),
            topology,
            numbers,
            BlockSize.expected(1, numbers.length),
            random,
            nowMs,
            events::add)
        .seat();
  }

  private Seat member(long blockId, String... nodes) {
    Seat seat = seat(0, nodes);
    assertTrue(stripes.bind(seat, blockId, 0, events::add));
    return seat;
  }

  private void threeMembers() {
    member(1, "0.0", "1.0", "1.1");
    member(2, "0.1", "2.0", "2.1");
    member(3, "0.2", "3.0", "3.1");
    assertEquals(List.of(), events);
  }

  private void adopt(ClusterTopology next) {
    stripes.adopt(next, random, 7, events::add);
    topology = next;
  }

  private SealedStripe onlySealed() {
    return events.stream()
        .filter(StripeEvent.Sealed.class::isInstance)
        .map(event -> ((StripeEvent.Sealed) event).stripe())
        .reduce(
            (one, other) -> {
              throw new AssertionError("two sealed stripes");
            })
        .orElseThrow();
  }

  private static StripeEvent left(Seat seat, long blockId, LeaveReason reason) {
    return new StripeEvent.Left(seat.stripeId(), blockId, reason);
  }

  @Nested
  class Sealing {
    @Test
    void isDueWithTheLastId() {
      threeMembers();
      Seat fourth = seat(4, "0.3", "4.0", "4.1");
      assertEquals(1, stripes.status().size());
      assertFalse(stripes.status().get(0).accepting());
      assertTrue(stripes.bind(fourth, 4, 9, events::add));
      SealedStripe sealed = onlySealed();
      assertArrayEquals(new long[] {1, 2, 3, 4}, sealed.blockIds());
      assertEquals("/r0", sealed.coreRack());
      assertEquals(List.of(), sealed.targetRacks());
      assertEquals(SealReason.FULL, sealed.reason());
      assertEquals(0, sealed.openedAtMs());
      assertEquals(9, sealed.sealedAtMs());
      assertEquals(4, sealed.keepers().size());
      assertEquals(List.of(), stripes.status());
      assertEquals(sealed, onlySealed());
      assertTrue(sealed.toString().contains("rs-4-2"), sealed::toString);
    }

    @Test
    void comesShortWithAge() {
      threeMembers();
      stripes.expire(SEAL_AGE - 1, events::add);
      assertEquals(List.of(), events);
      stripes.expire(SEAL_AGE, events::add);
      assertEquals(SealReason.AGE, onlySealed().reason());
      assertArrayEquals(new long[] {1, 2, 3}, onlySealed().blockIds());
    }

    /** One block with two parity blocks takes as much as its three replicas. */
    @Test
    void waitsForMoreWhileParityWouldCostAsMuchAsReplicas() {
      Seat only = member(1, "0.0", "1.0", "1.1");
      stripes.expire(5 * SEAL_AGE, events::add);
      assertEquals(List.of(), events);
      Seat second = seat(6 * SEAL_AGE, "0.1", "2.0", "2.1");
      assertEquals(only.stripeId(), second.stripeId());
      stripes.bind(second, 2, 6 * SEAL_AGE, events::add);
      stripes.expire(6 * SEAL_AGE, events::add);
      assertEquals(SealReason.AGE, onlySealed().reason());
    }

    @Test
    void breaksUpAClosedStripeThatIsNotWorthItsParity() {
      String[][] alike = {{"0.0", "1.0"}, {"0.1", "1.1"}};
      List<Seat> seats = new ArrayList<>();
      long block = 0;
      for (int stripe = 0; stripe < 4; stripe++) {
        for (String[] nodes : alike) {
          seats.add(member(block++, nodes));
        }
      }
      // Two blocks of two replicas give two back, and take two of parity.
      assertEquals(
          List.of(
              left(seats.get(0), 0, LeaveReason.NOT_WORTH_PARITY),
              left(seats.get(1), 1, LeaveReason.NOT_WORTH_PARITY)),
          events);
      assertEquals(3, stripes.status().size());
    }
  }

  /** As blocks that are written before anybody looks for them: with lengths that are known. */
  @Nested
  class Lengths {
    private static final long LONG = 128 << 20;
    private static final long SHORT = 1 << 20;

    private void found(long blockId, long bytes, int rack) {
      assertTrue(
          stripes.join(
              new WrittenBlock(blockId, bytes, 3),
              Racks.nodes(topology, "0." + blockId % 4, rack + ".0", rack + ".1"),
              topology,
              random,
              0,
              events::add));
    }

    @Test
    void aLongBlockWaitsForOthersOfItsLengthAndNotForShortOnes() {
      found(1, LONG, 1);
      for (int block = 2; block <= 5; block++) {
        found(block, SHORT + block, block);
      }
      assertArrayEquals(new long[] {2, 3, 4, 5}, onlySealed().blockIds());
      assertEquals(1, stripes.status().get(0).blocks());
    }

    @Test
    void aBlockThatIsWrittenMayTurnOutShortAndWaitsApartFromThoseWhoseLengthIsKnown() {
      found(1, LONG, 1);
      Seat written =
          stripes
              .seat(
                  0,
                  topology,
                  Racks.nodes(topology, "0.1", "2.0", "2.1"),
                  BlockSize.expected(LONG, 3),
                  random,
                  0,
                  events::add)
              .seat();
      stripes.bind(written, 2, 0, events::add);
      assertEquals(2, stripes.status().size());
    }

    @Test
    void aBlockOfARareLengthGoesAlongWithLongerOnesWhenItIsOld() {
      found(1, LONG, 1);
      found(2, SHORT, 2);
      found(3, LONG, 3);
      stripes.expire(SEAL_AGE - 1, events::add);
      assertEquals(List.of(), events);
      stripes.expire(SEAL_AGE, events::add);
      assertArrayEquals(new long[] {1, 3, 2}, onlySealed().blockIds());
    }

    @Test
    void aBlockOfARareLengthGoesAlongWithLongerOnesWhenItIsAskedFor() {
      found(1, LONG, 1);
      found(2, SHORT, 2);
      found(3, LONG, 3);
      stripes.seal(block -> block == 2, 5, events::add);
      assertArrayEquals(new long[] {1, 3, 2}, onlySealed().blockIds());
    }

    /** As the survivor of a stripe that was given up, when nobody but writers comes. */
    @Test
    void anOldBlockLetsInBlocksThatAreWritten() {
      found(1, LONG - 1000, 1);
      stripes.expire(SEAL_AGE, events::add);
      Seat written =
          stripes
              .seat(
                  0,
                  topology,
                  Racks.nodes(topology, "0.1", "2.0", "2.1"),
                  BlockSize.expected(LONG, 3),
                  random,
                  SEAL_AGE,
                  events::add)
              .seat();
      stripes.bind(written, 2, SEAL_AGE, events::add);
      assertEquals(2, stripes.status().get(0).blocks());
    }

    @Test
    void shortBlocksDoNotMakeALongOneWorthParity() {
      found(1, LONG, 1);
      found(2, SHORT, 2);
      found(3, SHORT / 3, 3);
      found(4, SHORT / 9, 4);
      stripes.seal(block -> true, 5, events::add);
      assertArrayEquals(new long[] {3, 4}, onlySealed().blockIds());
      assertEquals(2, stripes.status().get(0).blocks(), "the long one, and who went along");
    }
  }

  @Nested
  class Ghosts {
    @Test
    void abandonedBlockMakesRoomForAnother() {
      threeMembers();
      Seat fourth = member(99, "1.0", "2.0");
      events.clear();
      assertTrue(stripes.withdraw(2, 1, events::add));
      assertEquals(1, events.size());
      assertFalse(stripes.withdraw(2, 1, events::add));
      member(4, "0.3", "2.2", "2.3");
      member(5, "0.1", "5.2", "5.3");
      assertArrayEquals(new long[] {1, 4, 3, 5}, onlySealed().blockIds());
      assertTrue(stripes.withdraw(99, 1, events::add));
      assertFalse(fourth.isHeld());
    }

    @Test
    void seatOfACallThatFailedIsReleased() {
      threeMembers();
      Seat fourth = seat(0, "0.3", "4.0", "4.1");
      stripes.release(fourth, 0, events::add);
      assertEquals(List.of(), events);
      assertTrue(stripes.status().get(0).accepting());
      assertFalse(stripes.bind(fourth, 4, 0, events::add));
      stripes.release(fourth, 0, events::add);
      assertEquals(3, stripes.status().get(0).blocks());
    }

    @Test
    void retriedCallMovesTheBlockToItsNewSeat() {
      Seat first = member(1, "0.0", "1.0", "1.1");
      Seat again = member(1, "2.0", "3.0", "3.1");
      assertEquals(List.of(left(first, 1, LeaveReason.SEATED_ANEW)), events);
      assertFalse(first.isHeld());
      assertTrue(again.isHeld());
      assertTrue(stripes.bind(again, 1, 0, events::add), "told twice");
      assertEquals(1, stripes.status().size());
    }

    @Test
    void retriedCallWithinOneStripeDoesNotFillItTwice() {
      threeMembers();
      member(3, "0.3", "4.0", "4.1");
      assertEquals(1, events.size());
      assertEquals(3, stripes.status().get(0).blocks());
      member(4, "0.2", "5.0", "5.1");
      assertArrayEquals(new long[] {1, 2, 4, 3}, onlySealed().blockIds());
    }

    @Test
    void seatThatNobodyClaimedExpires() {
      threeMembers();
      Seat lost = seat(50, "0.3", "4.0", "4.1");
      stripes.expire(50 + SEAT_AGE - 1, events::add);
      assertEquals(1, stripes.status().get(0).unbound());
      stripes.expire(50 + SEAT_AGE, events::add);
      assertEquals(0, stripes.status().get(0).unbound());
      assertFalse(stripes.bind(lost, 4, 200, events::add));
      assertEquals(List.of(), events);
    }

    @Test
    void stripeWithoutBlocksIsNone() {
      stripes.release(seat(0, "0.0", "1.0"), 0, events::add);
      assertEquals(List.of(), stripes.status());
    }
  }

  @Nested
  class Moves {
    private boolean moved(long blockId, String... nodes) {
      return stripes.moved(blockId, topology, Racks.nodes(topology, nodes), 3, events::add);
    }

    @Test
    void pipelineRecoveryChangesTheReplicas() {
      threeMembers();
      assertTrue(moved(2, "0.1", "4.0", "4.1"));
      assertEquals(List.of(), events);
      member(4, "0.3", "2.0", "2.1");
      assertTrue(onlySealed().keepers().stream().distinct().count() == 4);
    }

    @Test
    void blockWithoutAReplicaInTheCoreRackLeaves() {
      threeMembers();
      moved(2, "2.0", "2.1");
      assertEquals(LeaveReason.NO_CORE_REPLICA, ((StripeEvent.Left) events.get(0)).reason());
      assertEquals(2, stripes.status().get(0).blocks());
    }

    @Test
    void blockThatCanKeepNoReplicaLeaves() {
      threeMembers();
      moved(3, "0.2");
      assertEquals(List.of(), events, "it may keep its replica in the core rack");
      moved(2, "0.1", "3.0");
      assertEquals(List.of(), events, "there is room in rack 3 now");
      moved(1, "0.0", "3.1");
      assertEquals(LeaveReason.NO_KEEPER, ((StripeEvent.Left) events.get(0)).reason());
      assertEquals(2, stripes.status().get(0).blocks());
      assertTrue(moved(1, "0.0"), "it is no member any more");
    }

    @Test
    void inAnotherTopologyHasToBeToldAgain() {
      threeMembers();
      ClusterTopology before = topology;
      adopt(Racks.even(8, 4));
      assertFalse(stripes.moved(1, before, new int[] {0}, 3, events::add));
      assertFalse(stripes.moved(77, before, new int[] {0}, 3, events::add));
      assertTrue(moved(77, "0.0"));
    }
  }

  @Nested
  class Joining {
    private boolean join(long blockId, String... nodes) {
      return stripes.join(
          new WrittenBlock(blockId, 1, 3),
          Racks.nodes(topology, nodes),
          topology,
          random,
          5,
          events::add);
    }

    /** After a restart only locations are known; the rack with one replica was the core rack. */
    @Test
    void formsTheSameStripesFromLocationsAlone() {
      assertTrue(join(1, "1.0", "1.1", "0.0"));
      assertTrue(join(2, "0.1", "2.0", "2.1"));
      assertTrue(join(3, "3.0", "0.2", "3.1"));
      assertTrue(join(4, "4.0", "4.1", "0.3"));
      assertArrayEquals(new long[] {1, 2, 3, 4}, onlySealed().blockIds());
      assertEquals("/r0", onlySealed().coreRack());
    }

    @Test
    void usesTheOtherRackWhenItsStripeFits() {
      join(1, "0.0", "1.0", "1.1");
      join(2, "0.1", "1.2", "1.3");
      assertTrue(join(3, "2.0", "0.3", "0.2"), "racks 0 and 2");
      assertEquals(1, stripes.status().size(), "no stripe in rack 2, so rack 0 has it");
      assertEquals(3, stripes.status().get(0).blocks());
    }

    @Test
    void isNotPossibleForBlocksInOneRack() {
      assertFalse(join(1, "0.0", "0.1"));
      assertFalse(join(1, "0.0"));
      assertEquals(List.of(), stripes.status());
    }

    @Test
    void isNotPossibleWhereRacksAreTooFew() {
      topology = Racks.even(5, 4);
      stripes = new OpenStripes(rules(StripeRules.ALL_RACKS), topology);
      assertFalse(stripes.holdsStripes());
      assertFalse(join(1, "0.0", "1.0", "1.1"));
    }
  }

  @Nested
  class ChangingRacks {
    @Test
    void keepStripesWhenNodesAndRacksAppear() {
      threeMembers();
      adopt(
          Racks.changed(
              topology,
              List.of(),
              List.of(new NodePlace("0.9", "/r0", null), new NodePlace("9.0", "/r9", null))));
      assertEquals(List.of(), events);
      member(4, "0.9", "9.0");
      assertArrayEquals(new long[] {1, 2, 3, 4}, onlySealed().blockIds());
      assertTrue(onlySealed().keepers().contains("9.0") || onlySealed().keepers().contains("0.9"));
    }

    @Test
    void takeBlocksOutWhoseCoreReplicaIsGone() {
      threeMembers();
      long stripe = stripes.status().get(0).id();
      adopt(Racks.changed(topology, List.of("0.1", "1.0"), List.of()));
      assertEquals(List.of(new StripeEvent.Left(stripe, 2, LeaveReason.NO_CORE_REPLICA)), events);
      assertEquals(2, stripes.status().get(0).blocks());
      assertFalse(stripes.withdraw(2, 8, events::add));
    }

    @Test
    void takeBlocksOutThatCanKeepNothingAnyMore() {
      threeMembers();
      long stripe = stripes.status().get(0).id();
      // Rack 0 keeps one block; of the other two one finds no keeper.
      adopt(Racks.changed(topology, List.of("1.0", "1.1", "2.0", "2.1", "3.0", "3.1"), List.of()));
      assertEquals(
          List.of(
              new StripeEvent.Left(stripe, 2, LeaveReason.NO_KEEPER),
              new StripeEvent.Left(stripe, 3, LeaveReason.NO_KEEPER)),
          events);
    }

    @Test
    void breakUpStripesWhoseCoreRackIsGone() {
      threeMembers();
      Seat pending = seat(0, "0.3", "4.0", "4.1");
      adopt(Racks.changed(topology, Racks.nodesOf(0, topology), List.of()));
      assertEquals(3, events.size());
      for (StripeEvent event : events) {
        assertEquals(LeaveReason.CORE_RACK_GONE, ((StripeEvent.Left) event).reason());
      }
      assertFalse(stripes.bind(pending, 4, 0, events::add));
      assertEquals(List.of(), stripes.status());
      assertTrue(
          stripes.join(
              new WrittenBlock(1, 1, 3),
              Racks.nodes(topology, "1.0", "2.2"),
              topology,
              random,
              9,
              events::add));
    }

    @Test
    void waitWithTheirStripesWhileRacksAreTooFew() {
      threeMembers();
      adopt(Racks.changed(topology, Racks.nodesOf(6, topology), List.of()));
      assertTrue(stripes.holdsStripes());
      adopt(Racks.changed(topology, Racks.nodesOf(5, topology), List.of()));
      assertFalse(stripes.holdsStripes());
      assertEquals(3, stripes.status().get(0).blocks());
      adopt(Racks.even(7, 4));
      member(4, "0.3", "4.0", "4.1");
      assertArrayEquals(new long[] {1, 2, 3, 4}, onlySealed().blockIds());
    }

    @Test
    void giveAStripeOtherTargetRacksForThoseThatAreGone() {
      topology = Racks.even(12, 4);
      stripes = new OpenStripes(rules(6), topology);
      Seat first = member(1, "0.0", "1.0", "1.1");
      member(2, "0.1", "1.2", "1.3");
      adopt(Racks.changed(topology, Racks.nodesOf(1, topology), List.of()));
      StripeEvent.Retargeted retargeted = (StripeEvent.Retargeted) events.get(0);
      assertEquals(first.stripeId(), retargeted.stripeId());
      assertEquals(6, retargeted.before().size());
      assertEquals(6, retargeted.after().size());
      assertTrue(retargeted.before().contains("/r1"));
      assertFalse(retargeted.after().contains("/r1"));
      List<String> kept = new ArrayList<>(retargeted.before());
      kept.remove("/r1");
      assertTrue(retargeted.after().containsAll(kept));
      assertEquals(LeaveReason.NO_KEEPER, ((StripeEvent.Left) events.get(1)).reason());
    }

    @Test
    void followANodeIntoItsNewRack() {
      threeMembers();
      adopt(Racks.changed(topology, List.of("0.1"), List.of(new NodePlace("0.1", "/r5", null))));
      assertEquals(LeaveReason.NO_CORE_REPLICA, ((StripeEvent.Left) events.get(0)).reason());
      assertEquals(1, events.size());
    }
  }
}
