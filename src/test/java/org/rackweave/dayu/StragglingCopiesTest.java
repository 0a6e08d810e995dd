package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Section 4.4, and what HDFS needs instead. */
class StragglingCopiesTest {
  private static final DayuSettings PAPER =
      DayuSettings.DEFAULT.with(DayuSettings.Aim.SLOT).withBeta(0);
  private static final DayuSettings RESUME = PAPER.with(DayuSettings.Stragglers.RESUME);
  private static final DayuSettings RESTART = PAPER.with(DayuSettings.Stragglers.RESTART);
  private static final DayuSettings KEEP = PAPER.with(DayuSettings.Stragglers.KEEP);

  private static RecoveryPlan plan(
      DayuSettings settings, RecoverySnapshot snapshot, RecoveryBatch batch, Timeslot slot) {
    return new RecoveryPlanner(settings).plan(snapshot, batch, slot, new SplittableRandom(1));
  }

  @Test
  void speedSoFarTellsWhatIsLeftAtTheEndOfTheSlot() {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(2)
            .task(100, 0)
            .running(0, 1, 60, 6)
            .task(100, 0)
            .running(0, 1, 99, 10)
            .task(100, 0)
            .running(0, 1, 0, 0)
            .build();
    assertEquals(30, StragglingCopies.bytesLeft(batch, 0, 1));
    assertEquals(0, StragglingCopies.bytesLeft(batch, 1, 1));
    assertEquals(100, StragglingCopies.bytesLeft(batch, 2, 1), "it has only just begun");
  }

  /** What it did before it got the rate it has says nothing of how it will end. */
  @Test
  void speedOfLateTellsMoreThanTheAverage() {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(2);
    batch.task(100, 0).running(0, 1, 60, 6).speed(1).task(100, 0).running(0, 1, 60, 6).speed(0);
    assertEquals(39, StragglingCopies.bytesLeft(batch.build(), 0, 1));
    assertEquals(40, StragglingCopies.bytesLeft(batch.build(), 1, 1));
    assertEquals(0, StragglingCopies.bytesLeft(batch.build(), 0, 40));
    batch.task(100, 0);
    assertThrows(IllegalArgumentException.class, () -> batch.speed(5));
    batch.running(0, 1, 1, 1);
    assertThrows(IllegalArgumentException.class, () -> batch.speed(-1));
    assertThrows(IllegalArgumentException.class, () -> new RecoveryBatch.Builder(2).speed(1));
  }

  /** A slot of 10 s, 40 bytes left at a node with 5 a second, and four times 20 a second idle. */
  private static RecoveryPlan lastOne(DayuSettings settings, double fromBytesPerSec, double to) {
    RecoverySnapshot snapshot = Clusters.nodes(fromBytesPerSec, to, 20, 20, 20, 20).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(6).task(100, 0).sources(0, 4).running(0, 1, 60, 10).build();
    return plan(settings, snapshot, batch, Clusters.slot(10));
  }

  @Test
  void stragglerThatHoldsUpTheEndBeginsElsewhere() {
    DayuSettings backlog = RESTART.with(DayuSettings.Aim.BACKLOG);
    assertEquals(Verdict.KEPT, lastOne(RESTART, 20, 5).verdict(0), "the paper: 8 s are a slot's");
    RecoveryPlan plan = lastOne(backlog, 20, 5);
    assertEquals(Verdict.RESTARTED, plan.verdict(0));
    assertEquals(5, plan.bytes(0) / plan.rateBytesPerSec(0), 1e-9, "100 at 20 a second");
    assertEquals(Verdict.RESTARTED, lastOne(backlog.with(RESUME.stragglers()), 20, 5).verdict(0));
    assertEquals(Verdict.KEPT, lastOne(backlog, 20, 10).verdict(0), "4 s are sooner than 5");
    assertEquals(Verdict.KEPT, lastOne(backlog.with(KEEP.stragglers()), 20, 5).verdict(0));
  }

  @Test
  void stragglerWithASlowSourceGoesOnFromAnotherWhereItCan() {
    DayuSettings backlog = RESUME.with(DayuSettings.Aim.BACKLOG);
    RecoveryPlan plan = lastOne(backlog, 5, 20);
    assertEquals(Verdict.RESOURCED, plan.verdict(0));
    assertEquals(4, plan.source(0));
    assertEquals(1, plan.destination(0));
    assertEquals(40, plan.bytes(0), "it keeps what it has");
    assertEquals(Verdict.RESTARTED, lastOne(backlog.with(RESTART.stragglers()), 5, 20).verdict(0));
  }

  @Test
  void stragglerStaysWhereItIsWhileThereIsMoreToDoThanASlotCarries() {
    RecoverySnapshot snapshot = Clusters.nodes(20, 5, 20, 20, 20, 20).build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(6);
    batch.task(100, 0).sources(0, 4).running(0, 1, 60, 10);
    for (int task = 0; task < 12; task++) {
      batch.task(100, 0).sources(2, 3);
    }
    DayuSettings backlog = RESTART.with(DayuSettings.Aim.BACKLOG);
    RecoveryPlan plan = plan(backlog, snapshot, batch.build(), Clusters.slot(10));
    assertEquals(Verdict.KEPT, plan.verdict(0));
  }

  @Test
  void copyThatShouldEndInTimeKeepsItsOldPlan() {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(2).task(100, 0).sources(0).running(0, 1, 95, 9).build();
    RecoveryPlan plan = plan(RESTART, Clusters.nodes(10, 10).build(), batch, new Timeslot(10, 1));
    assertEquals(Verdict.FINISHING, plan.verdict(0));
    assertEquals(0, plan.plannedBytes());
  }

  @Test
  void stragglersThatSaturateNothingGoOnWithANewRate() {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3).task(100, 0).sources(0, 2).running(0, 1, 50, 10).build();
    for (DayuSettings settings : new DayuSettings[] {RESUME, RESTART, KEEP}) {
      RecoveryPlan plan =
          plan(settings, Clusters.nodes(10, 8, 10).build(), batch, Clusters.slot(10));
      assertEquals(Verdict.KEPT, plan.verdict(0));
      assertEquals(0, plan.source(0));
      assertEquals(1, plan.destination(0));
      assertEquals(8, plan.rateBytesPerSec(0), 1e-9, "what its narrower node has");
    }
  }

  /** Node 0 sends 3 x 50 bytes and carries 100: the least finished copy leaves it. */
  private static RecoveryBatch threeFromOneSource() {
    return new RecoveryBatch.Builder(6)
        .task(90, 0)
        .sources(0, 4)
        .running(0, 1, 40, 10)
        .task(100, 0)
        .sources(0, 4)
        .running(0, 2, 50, 10)
        .task(80, 0)
        .sources(0, 4)
        .running(0, 3, 30, 10)
        .build();
  }

  @Test
  void leastFinishedIsEvictedFromASaturatedSourceAndGoesOnFromAnother() {
    RecoverySnapshot snapshot = Clusters.nodes(10, 10, 10, 10, 10, 10).build();
    RecoveryPlan plan = plan(RESUME, snapshot, threeFromOneSource(), Clusters.slot(10));
    assertEquals(Verdict.KEPT, plan.verdict(0));
    assertEquals(Verdict.KEPT, plan.verdict(1));
    assertEquals(Verdict.RESOURCED, plan.verdict(2), "30 of 80 is the least");
    assertEquals(4, plan.source(2));
    assertEquals(3, plan.destination(2));
    assertEquals(50, plan.bytes(2), "it resumes");
  }

  @Test
  void leastFinishedIsEvictedFromASaturatedDestinationAndIsANewTask() {
    RecoverySnapshot snapshot = Clusters.nodes(20, 20, 20, 10, 100, 100).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(6)
            .task(100, 0)
            .sources(0)
            .running(0, 3, 40, 10)
            .task(100, 0)
            .sources(1)
            .running(1, 3, 20, 10)
            .build();
    RecoveryPlan plan = plan(RESUME, snapshot, batch, Clusters.slot(10));
    assertEquals(Verdict.KEPT, plan.verdict(0));
    assertEquals(Verdict.PLANNED, plan.verdict(1));
    assertTrue(plan.destination(1) > 3);
    assertEquals(100, plan.bytes(1), "from the start");
  }

  @Test
  void hdfsCopyIsCancelledOnlyIfANewOneIsDoneSooner() {
    // Node 0 fell from 10 to 1 byte a second: 150 s for what is left, against 9 s anew.
    RecoverySnapshot snapshot = Clusters.nodes(1, 10, 10, 10, 10, 10).node(5, 100, 1).build();
    RecoveryPlan plan = plan(RESTART, snapshot, threeFromOneSource(), Clusters.slot(10));
    assertEquals(Verdict.RESTARTED, plan.verdict(2), "the least finished is asked first");
    assertEquals(4, plan.source(2));
    assertEquals(5, plan.destination(2));
    assertEquals(80, plan.bytes(2), "from the start");
    assertEquals(Verdict.KEPT, plan.verdict(0), "node 4 would be saturated by one more");
    assertEquals(Verdict.KEPT, plan.verdict(1));
    assertEquals(
        1, plan.rateBytesPerSec(0) + plan.rateBytesPerSec(1), 1e-9, "they share what is there");
  }

  @Test
  void hdfsCopyStaysWhereItIsWhenNoOtherNodeIsFaster() {
    RecoverySnapshot snapshot = Clusters.nodes(1, 1, 1, 1, 1, 1).build();
    RecoveryPlan plan = plan(RESTART, snapshot, threeFromOneSource(), Clusters.slot(10));
    assertEquals(3, plan.count(Verdict.KEPT));
    assertEquals(
        3, plan(KEEP, snapshot, threeFromOneSource(), Clusters.slot(10)).count(Verdict.KEPT));
  }

  /** 60 of 100 bytes are left and the links have 20 a second, but it has got 2 a second. */
  private static RecoveryPlan overdueOne(DayuSettings settings, boolean isBound, double restart) {
    RecoverySnapshot snapshot = Clusters.nodes(20, 20, 20, 20, 20, 20).build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(6);
    batch.task(100, 0).sources(0, 4).running(0, 1, 40, 20).speed(2).overdue();
    if (isBound) {
      batch.bound();
    }
    return plan(settings, snapshot, batch.build(), new Timeslot(10, 0, restart));
  }

  @Test
  void copyThatIsSlowerThanItsLinksBeginsAnewUnlessThatTakesLonger() {
    RecoveryPlan plan = overdueOne(RESTART, false, 0);
    assertEquals(Verdict.RESTARTED, plan.verdict(0), "5 s are less than 30");
    assertEquals(100, plan.bytes(0));
    assertEquals(Verdict.RESTARTED, overdueOne(RESTART, false, 9.9).verdict(0));
    assertEquals(Verdict.KEPT, overdueOne(RESTART, false, 10).verdict(0), "15 s are half of 30");
    assertEquals(Verdict.KEPT, overdueOne(KEEP, false, 0).verdict(0));
  }

  @Test
  void copyThatIsOverdueNeverBeginsAnewFromTheSameSource() {
    RecoverySnapshot snapshot = Clusters.nodes(20, 20, 20, 20, 10, 20).build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(6);
    batch.task(100, 0).sources(0, 4).running(0, 1, 40, 20).speed(2).overdue();
    RecoveryPlan plan = plan(RESTART, snapshot, batch.build(), Clusters.slot(10));
    assertEquals(Verdict.RESTARTED, plan.verdict(0));
    assertEquals(4, plan.source(0), "though it has less");
    batch.task(100, 0).sources(0).running(0, 1, 40, 20).speed(2).overdue();
    assertEquals(
        Verdict.KEPT, plan(RESTART, snapshot, batch.build(), Clusters.slot(10)).verdict(1));
  }

  /** 60 of 100 bytes of a block with one source are left, at 2 bytes a second. */
  private static RecoveryPlan slowTo(boolean isCrowded, double rate, double restartSec) {
    RecoverySnapshot.Builder nodes = Clusters.nodes(20, 20, 20, 20, 20, 20);
    return slowTo(isCrowded ? nodes.crowded(1) : nodes, rate, restartSec);
  }

  private static RecoveryPlan slowTo(
      RecoverySnapshot.Builder nodes, double rate, double restartSec) {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(6);
    batch.task(100, 0).sources(0).running(0, 1, 40, 20).speed(2).rate(rate);
    return plan(RESTART, nodes.build(), batch.build(), new Timeslot(10, 0, restartSec));
  }

  @Test
  void copyThatACrowdedDestinationHoldsUpBeginsAnewFromTheSameSource() {
    RecoveryPlan plan = slowTo(true, 20, 9.9);
    assertEquals(Verdict.RESTARTED, plan.verdict(0), "14.9 s are less than 20");
    assertEquals(0, plan.source(0));
    assertNotEquals(1, plan.destination(0));
    assertEquals(Verdict.KEPT, slowTo(true, 20, 15).verdict(0));
    assertEquals(Verdict.KEPT, slowTo(false, 20, 0).verdict(0), "nobody knows what holds it up");
    assertEquals(Verdict.KEPT, slowTo(true, 2, 0).verdict(0), "its rate does");
    RecoverySnapshot.Builder both = Clusters.nodes(20, 20, 20, 20, 20, 20).crowded(1).crowdedOut(0);
    assertEquals(Verdict.KEPT, slowTo(both, 20, 0).verdict(0), "its source may as well");
  }

  /**
   * A copy with 60 of 100 bytes left goes from one crowded rack into another at 2 bytes a second,
   * and beside it others over the same link out.
   */
  private static RecoveryPlan betweenCrowdedRacks(int[] othersTo, double othersSpeed) {
    RecoverySnapshot.Builder cluster =
        twoNarrowRacks().crowdedOut(0).crowdedOut(1).crowded(2).crowded(3);
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(8);
    batch.task(100, 0).sources(0, 1).running(0, 2, 40, 20).speed(2).rate(10);
    for (int to : othersTo) {
      batch.task(100, 0).sources(1).running(1, to, 90, 1).speed(othersSpeed).rate(10).bound();
    }
    return plan(RESTART, cluster.build(), batch.build(), Clusters.slot(10));
  }

  @Test
  void copyBetweenCrowdedRacksBeginsAnewWhereOthersTellWhatItsWayOutGives() {
    RecoveryPlan plan = betweenCrowdedRacks(new int[] {4, 6}, 6);
    assertEquals(Verdict.RESTARTED, plan.verdict(0), "100 / 6 s are less than 60 / 3");
    assertTrue(plan.destination(0) > 3, "to where nobody crowds it");
    assertEquals(Verdict.KEPT, betweenCrowdedRacks(new int[] {4, 6}, 4.9).verdict(0), "100 / 4.9");
    assertEquals(Verdict.KEPT, betweenCrowdedRacks(new int[] {3}, 6).verdict(0), "says nothing");
  }

  /**
   * A copy at a tenth of its rate, and another that leaves the same rack, or another rack, at a
   * share of its own. Neither node nor rack is said to be busy.
   */
  private static Verdict besideAnother(double share, boolean sameRack, boolean intoCrowded) {
    RecoverySnapshot.Builder cluster = twoNarrowRacks();
    return besideAnother(share, sameRack, intoCrowded ? cluster.crowded(6) : cluster);
  }

  private static RecoverySnapshot.Builder twoNarrowRacks() {
    return Clusters.cluster(Clusters.racks(2, 2, 2, 2), 20).rack(0, 20, 20).rack(1, 20, 20);
  }

  private static Verdict besideAnother(
      double share, boolean sameRack, RecoverySnapshot.Builder cluster) {
    RecoverySnapshot snapshot = cluster.build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(8);
    batch.task(100, 0).sources(0, 1).running(0, 4, 40, 20).speed(2).rate(20).overdue();
    int from = sameRack ? 1 : 2;
    batch.task(100, 0).sources(from).running(from, 6, 90, 1).speed(share).rate(1).bound();
    return plan(RESTART, snapshot, batch.build(), Clusters.slot(10)).verdict(0);
  }

  @Test
  void copyThatBeginsAnewGetsNoMoreThanOthersOverItsRacksLinks() {
    assertEquals(Verdict.RESTARTED, besideAnother(0.95, true, false), "it was not its rack's link");
    assertEquals(Verdict.KEPT, besideAnother(0.8, true, false), "it may well have been");
    assertEquals(
        Verdict.RESTARTED, besideAnother(0.8, true, true), "that is slow by where it goes");
    assertEquals(
        Verdict.KEPT,
        besideAnother(0.8, true, twoNarrowRacks().crowded(6).crowdedOut(1)),
        "or by where it comes from");
    assertEquals(
        Verdict.RESTARTED, besideAnother(0.1, false, false), "that says nothing of its links");
  }

  @Test
  void copyThatIsBoundStaysWhereItIs() {
    assertEquals(Verdict.KEPT, overdueOne(RESTART, true, 0).verdict(0));
    DayuSettings backlog = RESUME.with(DayuSettings.Aim.BACKLOG);
    assertEquals(Verdict.RESTARTED, overdueOne(backlog, false, 0).verdict(0));
    assertEquals(Verdict.KEPT, overdueOne(backlog, true, 0).verdict(0));
    assertThrows(IllegalArgumentException.class, () -> new RecoveryBatch.Builder(2).bound());
  }

  @Test
  void copiesUnderWayOfLowerPriorityKeepNoUrgentBlockWaiting() {
    RecoverySnapshot snapshot = Clusters.nodes(10, 10, 10).node(2, 10, 10).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3)
            .task(200, 1)
            .sources(0)
            .running(0, 1, 10, 10)
            .task(90, 0)
            .sources(0)
            .build();
    RecoveryPlan plan = plan(RESTART, snapshot, batch, Clusters.slot(10));
    assertEquals(Verdict.PLANNED, plan.verdict(1));
    assertEquals(Verdict.KEPT, plan.verdict(0));
    assertTrue(plan.rateBytesPerSec(0) + plan.rateBytesPerSec(1) <= 10 + 1e-9);
  }
}
