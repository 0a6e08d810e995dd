package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Copies that would only wait at their source. */
class SourceStreamsTest {
  private static final int STREAMS = 4;

  /** Of four streams one more waits. */
  private static final int AT_A_SOURCE = 5;

  private static final Timeslot OVERLAPPING = new Timeslot(15, 0, 0, 3);

  private static RecoveryPlan plan(RecoverySnapshot snapshot, RecoveryBatch batch, Timeslot slot) {
    return new RecoveryPlanner(DayuSettings.DEFAULT, STREAMS)
        .plan(snapshot, batch, slot, new SplittableRandom(1));
  }

  private static RecoveryBatch.Builder waiting(int nodes, int count, int... sources) {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(nodes);
    for (int i = 0; i < count; i++) {
      batch.task(10, 0).sources(sources);
    }
    return batch;
  }

  private static double rates(RecoveryPlan plan) {
    return IntStream.range(0, plan.count()).mapToDouble(plan::rateBytesPerSec).sum();
  }

  @Test
  void whatWouldOnlyWaitAtItsSourceIsLeftAndOthersHaveItsBandwidth() {
    RecoverySnapshot snapshot = Clusters.nodes(20, 100, 100).build();
    RecoveryBatch batch = waiting(3, 20, 0).build();

    RecoveryPlan plan = plan(snapshot, batch, OVERLAPPING);

    assertEquals(AT_A_SOURCE, plan.count(Verdict.PLANNED));
    assertEquals(15, plan.count(Verdict.SOURCE_SATURATED));
    assertEquals(20, rates(plan), 1e-6, "all of the source's link");
    assertEquals(1, IntStream.range(0, plan.count()).filter(plan::waits).count());
    new PlanAudit(new Clusters.Case(snapshot, batch, OVERLAPPING), plan).check();
  }

  /** Blocks of 10 bytes that a source is told of, of 40 that wait. */
  private static int toldOf(double bytesPerSec, int most) {
    return toldOf(Clusters.nodes(bytesPerSec, 100, 100).build(), most);
  }

  private static int toldOf(RecoverySnapshot snapshot, int most) {
    return new RecoveryPlanner(DayuSettings.DEFAULT, most)
        .plan(snapshot, waiting(3, 40, 0).build(), OVERLAPPING, new SplittableRandom(1))
        .count(Verdict.PLANNED);
  }

  @Test
  void aSourceMakesNoMoreThanItFinishesUntilTheNextAreThere() {
    assertEquals(18 + 4, toldOf(20, 100), "two a second for nine seconds, and a quarter more");
    assertEquals(16 + 4, toldOf(20, 16));
    assertEquals(4 + 1, toldOf(4, 100), "a few, however slow it is");
  }

  @Test
  void aSourceBehindACrowdedLinkMakesAllThatItMay() {
    RecoverySnapshot crowded = Clusters.nodes(4, 100, 100).crowdedOut(0).build();
    assertEquals(6, toldOf(crowded, 100), "all that it sends within the slot");
    assertEquals(4 + 1, toldOf(crowded, STREAMS));
  }

  @Test
  void copiesUnderWayCount() {
    RecoveryBatch.Builder batch = waiting(3, 20, 0);
    for (int i = 0; i < AT_A_SOURCE - 1; i++) {
      batch.task(10, 0).sources(0).running(0, 1, 1, 1);
    }
    RecoveryPlan plan = plan(Clusters.nodes(20, 100, 100).build(), batch.build(), OVERLAPPING);
    assertEquals(1, plan.count(Verdict.PLANNED));
    assertEquals(AT_A_SOURCE - 1, plan.count(Verdict.KEPT));
  }

  @Test
  void thoseThatHaveBegunGoAndTheFirstOfTheOthers() {
    RecoveryBatch.Builder batch = waiting(3, 2, 0);
    for (int i = 0; i < STREAMS - 1; i++) {
      batch.task(10, 0).sources(0).running(0, 1, 0, 1).speed(0);
    }
    batch.task(10, 0).sources(0).running(0, 1, 9, 1).speed(1).rate(1);
    batch.task(10, 0).sources(0).running(0, 1, 9, 1).speed(1).rate(1);

    RecoveryPlan plan = plan(Clusters.nodes(20, 100, 100).build(), batch.build(), OVERLAPPING);
    boolean[] waits = new boolean[plan.count()];
    IntStream.range(0, plan.count()).forEach(task -> waits[task] = plan.waits(task));
    // Two that wait for a plan, of which none is taken, three that were ordered, two that go.
    assertArrayEquals(new boolean[] {false, false, false, false, true, false, false}, waits);
    assertEquals(20, rates(plan), 1e-6);
    assertEquals(5, plan.rateBytesPerSec(6), 1e-6, "an equal share to the end");
  }

  /** New copies of a source that makes five, four of which are under way, some held up. */
  private static int besideHeldUp(int heldUp) {
    RecoveryBatch.Builder batch = waiting(3, 20, 0);
    for (int i = 0; i < 4; i++) {
      batch.task(10, 0).sources(0).running(0, 1, 5, 1).speed(i < heldUp ? 0.1 : 1).rate(1);
    }
    return new RecoveryPlanner(DayuSettings.DEFAULT, 6)
        .plan(
            Clusters.nodes(4, 100, 100).build(),
            batch.build(),
            OVERLAPPING,
            new SplittableRandom(1))
        .count(Verdict.PLANNED);
  }

  @Test
  void whatIsHeldUpElsewhereLeavesItsPlaceToAnother() {
    assertEquals(2, besideHeldUp(0));
    assertEquals(3, besideHeldUp(1));
    assertEquals(3, besideHeldUp(2), "six at a time are most, and one waits");
  }

  @Test
  void onASharedLinkThoseThatGoStandForWhatFollowsThem() {
    RecoverySnapshot snapshot =
        Clusters.nodes(100, 100, 20).accepts(0, false).accepts(1, false).build();
    RecoveryBatch.Builder batch = waiting(3, 21, 0);
    for (int i = 0; i < 7; i++) {
      batch.task(10, 0).sources(1);
    }
    RecoveryPlan plan = plan(snapshot, batch.build(), OVERLAPPING);
    double[] ofSource = new double[2];
    IntStream.range(0, plan.count())
        .filter(plan::transfers)
        .forEach(task -> ofSource[plan.source(task)] += plan.rateBytesPerSec(task));
    assertEquals(2 * AT_A_SOURCE, plan.count(Verdict.PLANNED));
    assertArrayEquals(new double[] {15, 5}, ofSource, 1e-6);
  }

  @Test
  void everySourceHasAsMany() {
    RecoveryPlan plan =
        plan(Clusters.nodes(20, 20, 100).build(), waiting(3, 40, 0, 1).build(), OVERLAPPING);
    int[] copies = new int[2];
    IntStream.range(0, plan.count())
        .filter(plan::transfers)
        .forEach(task -> copies[plan.source(task)]++);
    assertEquals(AT_A_SOURCE, copies[0]);
    assertEquals(AT_A_SOURCE, copies[1]);
  }

  @Test
  void theLeastUrgentAreLeftAndOfEqualOnesThoseIntoCrowdedNodes() {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(3);
    // Two go where it is crowded, as the rest has no room for them within the slot.
    for (int i = 0; i < 8; i++) {
      batch.task(10, 1).sources(0);
    }
    batch.task(10, 0).sources(0).task(10, 0).sources(0);
    RecoverySnapshot snapshot = Clusters.nodes(100, 4, 100).crowded(2).build();

    RecoveryPlan all =
        new RecoveryPlanner(DayuSettings.DEFAULT)
            .plan(snapshot, batch.build(), OVERLAPPING, new SplittableRandom(1));
    assertEquals(10, all.count(Verdict.PLANNED));
    long intoCrowded = IntStream.range(0, 10).filter(task -> all.destination(task) == 2).count();
    assertTrue(intoCrowded >= 4, intoCrowded + " into the crowded node");

    RecoveryPlan plan = plan(snapshot, batch.build(), OVERLAPPING);
    assertEquals(AT_A_SOURCE, plan.count(Verdict.PLANNED));
    assertTrue(plan.transfers(8) && plan.transfers(9), "the most urgent");
    for (int task = 0; task < 8; task++) {
      assertTrue(!plan.transfers(task) || plan.destination(task) == 1, "task " + task);
    }
  }

  @Test
  void anUrgentBlockGoesBeforeLessUrgentOnesThatHaveBegun() {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(3);
    for (int i = 0; i < AT_A_SOURCE; i++) {
      batch.task(10, 2).sources(0).running(0, 1, 5, 1).speed(1).rate(1);
    }
    for (int i = 0; i < AT_A_SOURCE + 1; i++) {
      batch.task(10, 0).sources(0);
    }
    RecoveryPlan plan = plan(Clusters.nodes(20, 100, 100).build(), batch.build(), OVERLAPPING);
    assertEquals(AT_A_SOURCE, plan.count(Verdict.PLANNED), "none is kept out");
    assertEquals(1, plan.count(Verdict.SOURCE_SATURATED));
    for (int task = 0; task < AT_A_SOURCE; task++) {
      assertTrue(plan.waits(task), "less urgent: " + task);
    }
    double urgent =
        IntStream.range(AT_A_SOURCE, plan.count()).mapToDouble(plan::rateBytesPerSec).sum();
    assertEquals(20, urgent, 1e-6);
  }

  @Test
  void lessUrgentBlocksDoNotKeepOutOthersAsUrgentOnesDo() {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(3);
    for (int i = 0; i < AT_A_SOURCE; i++) {
      batch.task(10, 0).sources(0).running(0, 1, 5, 1).speed(1).rate(1);
    }
    batch.task(10, 2).sources(0);
    RecoveryPlan plan = plan(Clusters.nodes(20, 100, 100).build(), batch.build(), OVERLAPPING);
    assertEquals(Verdict.SOURCE_SATURATED, plan.verdict(AT_A_SOURCE));
  }

  @Test
  void anUrgentBlockGetsMostOfALinkThatItShares() {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(3);
    batch.task(10, 2).sources(0).running(0, 1, 5, 1).speed(9).rate(9);
    batch.task(10, 0).sources(0);
    RecoveryPlan plan = plan(Clusters.nodes(9, 100, 100).build(), batch.build(), OVERLAPPING);
    assertTrue(plan.rateBytesPerSec(1) > 8.5, "urgent: " + plan.rateBytesPerSec(1));
    assertTrue(plan.rateBytesPerSec(0) > 0, "the other goes on");
    assertEquals(9, rates(plan), 1e-6);
  }

  @Test
  void nothingIsLeftWhereTheNextPlanIsASlotAway() {
    RecoveryPlan plan =
        plan(Clusters.nodes(20, 100, 100).build(), waiting(3, 20, 0).build(), Clusters.slot(15));
    assertEquals(20, plan.count(Verdict.PLANNED));
  }

  @Test
  void everyPlanKeepsToRulesAndBandwidth() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Clusters.Case drawn = Clusters.draw(random, Clusters.Mix.ALL);
      Timeslot slot = new Timeslot(drawn.slot().lengthSec(), 0.5, 0, 1);
      Clusters.Case what = new Clusters.Case(drawn.snapshot(), drawn.batch(), slot);
      RecoveryPlan plan =
          new RecoveryPlanner(DayuSettings.DEFAULT, random.nextInt(1, 4))
              .plan(what.snapshot(), what.batch(), slot, random);
      try {
        new PlanAudit(what, plan).check();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void refusesASourceWithoutCopies() {
    assertThrows(
        IllegalArgumentException.class, () -> new RecoveryPlanner(DayuSettings.DEFAULT, 0));
  }
}
