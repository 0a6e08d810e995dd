package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the paper says, section by section, with its examples. */
class DayuPaperTest {
  private static final double MB = 1e6;

  private static RecoveryPlan plan(
      DayuSettings settings, RecoverySnapshot snapshot, RecoveryBatch batch, double slotSec) {
    return new RecoveryPlanner(settings)
        .plan(snapshot, batch, Clusters.slot(slotSec), new SplittableRandom(1));
  }

  private static DayuSettings with(Algorithm algorithm) {
    return DayuSettings.DEFAULT.with(algorithm).withBeta(0);
  }

  /** Section 2.1, Eq. 1: max(alpha B_total - B_foreground, B_min). */
  @Test
  void recoveryGetsWhatAlphaLeavesOfALinkAndNoLessThanTheMinimum() {
    RecoveryBandwidth bandwidth = RecoveryBandwidth.DEFAULT;
    assertEquals(87.5 * MB, bandwidth.of(250 * MB, 100 * MB), 1);
    assertEquals(30 * MB, bandwidth.of(250 * MB, 180 * MB), 1);
    assertEquals(30 * MB, bandwidth.of(250 * MB, 400 * MB), 1);
    assertEquals(2.5 * MB, bandwidth.of(10 * MB, 9 * MB), 1, "a quarter of a slow link");
  }

  /** Section 2.1: B_min is what a host gets; a link that hosts share has it for each of them. */
  @Test
  void sharedLinkHasTheMinimumOfEachHostAndGrowsWithTheLink() {
    RecoveryBandwidth shared = RecoveryBandwidth.SCALED.ofShared(20);
    assertEquals(600 * MB, shared.of(4000 * MB, 4000 * MB), 1);
    assertEquals(1200 * MB, shared.of(10_000 * MB, 10_000 * MB), 1, "12 % of a fast one");
    assertEquals(500 * MB, shared.of(2000 * MB, 2000 * MB), 1, "a quarter of a slow one");
  }

  /** Section 5, Eq. 3. */
  @Test
  void overloadIsWhatALinkCarriesBeyondAlpha() {
    assertEquals(12.5 * MB, RecoveryBandwidth.DEFAULT.overload(250 * MB, 200 * MB), 1);
    assertEquals(0, RecoveryBandwidth.DEFAULT.overload(250 * MB, 100 * MB));
  }

  /** Section 3, Eq. 2: S = min(sum in, sum out) x T. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void slotIsFilledUpToTheNarrowerOfAllInAndAllOut(Algorithm algorithm) {
    RecoverySnapshot.Builder nodes = Clusters.nodes(10, 10, 10, 10);
    nodes.node(3, 10, 0).node(2, 10, 0);
    RecoverySnapshot snapshot = nodes.build();
    assertEquals(2 * 10 * 15, snapshot.slotBytes(15));
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(4);
    for (int task = 0; task < 100; task++) {
      batch.task(10, 0).sources(task % 2);
    }
    RecoveryPlan plan = plan(with(algorithm), snapshot, batch.build(), 15);
    assertEquals(300, plan.plannedBytes());
    assertEquals(70, plan.count(Verdict.SLOT_FULL));
  }

  /**
   * Section 4.1: "the candidate destinations are all nodes not in the same rack of its sources".
   */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void destinationsStandInOtherRacksThanTheSources(Algorithm algorithm) {
    RecoverySnapshot snapshot = Clusters.cluster(Clusters.racks(3, 3, 3), 10).build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(9);
    for (int task = 0; task < 20; task++) {
      batch.task(10, 0).sources(task % 3, 3 + task % 3);
    }
    RecoveryPlan plan = plan(with(algorithm), snapshot, batch.build(), 1e4);
    for (int task = 0; task < 20; task++) {
      assertTrue(plan.destination(task) >= 6, "task " + task);
    }
  }

  /** Section 4.1: least (s + c) / B, not least c. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"DAYU", "HULL", "G1"})
  void fasterNodeGetsMoreThanASlowerOne(Algorithm algorithm) {
    RecoverySnapshot.Builder nodes = Clusters.nodes(100 * MB, 20 * MB, 40 * MB);
    nodes.node(0, 0, 100 * MB);
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(3);
    for (int task = 0; task < 12; task++) {
      batch.task(10_000_000, 0).sources(0);
    }
    RecoveryPlan plan = plan(with(algorithm), nodes.build(), batch.build(), 1e4);
    int fast = 0;
    for (int task = 0; task < 12; task++) {
      fast += plan.destination(task) == 2 ? 1 : 0;
    }
    assertEquals(8, fast);
    assertEquals(2, plan.destinationSec(), 1e-9);
  }

  /** Section 4.1: a task whose source or destination would be saturated is left. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"DAYU", "HULL", "G1", "G2"})
  void leavesTasksThatWouldSaturateTheirNodes(Algorithm algorithm) {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(4);
    for (int task = 0; task < 12; task++) {
      batch.task(10, 0).sources(0);
    }
    RecoverySnapshot slowSource = Clusters.nodes(10, 50, 50, 50).build();
    RecoveryPlan plan = plan(with(algorithm), slowSource, batch.build(), 5);
    assertEquals(5, plan.count(Verdict.PLANNED));
    assertEquals(7, plan.count(Verdict.SOURCE_SATURATED));
    RecoverySnapshot slowTargets = Clusters.nodes(100, 10, 10, 10).node(0, 1000, 100).build();
    plan = plan(with(algorithm), slowTargets, batch.build(), 2);
    assertEquals(6, plan.count(Verdict.PLANNED));
    assertEquals(6, plan.count(Verdict.DESTINATION_SATURATED));
  }

  /**
   * Section 4.2: A has 50 MB/s and tasks 1 and 2, B has 60 MB/s and tasks 1 to 4. "The optimal
   * schedule should let A be the source of Tasks 1 and 2", and greedy does not.
   */
  @Test
  void sourcesOfThePapersExample() {
    RecoverySnapshot snapshot = Clusters.nodes(50, 60, 1000, 1000).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(4)
            .task(60, 0)
            .sources(0, 1)
            .task(60, 0)
            .sources(0, 1)
            .task(60, 0)
            .sources(1)
            .task(60, 0)
            .sources(1)
            .build();
    RecoveryPlan greedy = plan(with(Algorithm.G1), snapshot, batch, 1e4);
    assertEquals(1, greedy.source(0), "B has more bandwidth than A at this moment");
    assertEquals(3.0, greedy.sourceSec(), 1e-9);
    RecoveryPlan ours = plan(with(Algorithm.DAYU), snapshot, batch, 1e4);
    assertEquals(0, ours.source(0));
    assertEquals(0, ours.source(1));
    assertEquals(1, ours.source(2));
    assertEquals(1, ours.source(3));
    assertEquals(60.0 * 2 / 50, ours.sourceSec(), 1e-9);
  }

  /** Section 4.2: the first beta by bandwidth that are among the first beta by fewest chunks. */
  @Test
  void underemployedNodesHaveMuchBandwidthAndFewChunks() {
    RecoverySnapshot snapshot = Clusters.nodes(90, 80, 20, 10).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(4)
            .task(10, 0)
            .sources(0, 1)
            .task(10, 0)
            .sources(1, 2)
            .task(10, 0)
            .sources(1, 3)
            .task(10, 0)
            .sources(2, 3)
            .build();
    SlotLoads loads = new SlotLoads(snapshot, batch, 10);
    UnderemployedNodes underemployed = new UnderemployedNodes(loads, 0.25);
    assertTrue(underemployed.contains(0), "1 is nearly as fast and has three chunks");
    assertEquals(1, underemployed.count());
    assertEquals(0, underemployed.leastUsedSource(0));
    assertEquals(SlotLoads.NONE, underemployed.leastUsedSource(1));
    assertEquals(0, new UnderemployedNodes(loads, 0).count());
  }

  /** Section 4.2: a prioritised task goes to the underemployed node though another is less used. */
  @Test
  void underemployedNodeIsTheSourceOfWhatItHas() {
    RecoverySnapshot snapshot = Clusters.nodes(100, 99, 1000, 1000).node(2, 1000, 1).build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(4);
    batch.task(90, 0).sources(0, 1).task(90, 0).sources(0, 1);
    batch.task(90, 0).sources(1, 2).task(90, 0).sources(1, 2);
    DayuSettings settings = with(Algorithm.G1);
    RecoverySnapshot few = snapshot;
    RecoveryPlan without = plan(settings, few, batch.build(), 1e4);
    assertEquals(1, without.source(1), "greedy takes turns");
    RecoveryPlan plan = plan(settings.withBeta(0.5), few, batch.build(), 1e4);
    assertEquals(0, plan.source(0));
    assertEquals(0, plan.source(1));
  }

  /** Section 4.2, corner cases 1 and 2. */
  @Test
  void saturatedUnderemployedNodesTasksGoTheNormalWay() {
    RecoverySnapshot snapshot =
        Clusters.nodes(100, 90, 50, 1000, 1000, 1000).node(3, 1000, 1).build();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(6);
    for (int task = 0; task < 3; task++) {
      batch.task(100, 0).sources(0, 1, 2);
    }
    for (int task = 0; task < 5; task++) {
      batch.task(1, 0).sources(2, 3);
    }
    SlotLoads loads = new SlotLoads(snapshot, batch.build(), 1.2);
    UnderemployedNodes underemployed = new UnderemployedNodes(loads, 0.5);
    assertTrue(underemployed.contains(0) && underemployed.contains(1));
    assertFalse(underemployed.contains(2));
    DestinationRules rules = new DestinationRules(loads);
    int[] tasks = {0, 1, 2};
    loads.addOut(1, 30);
    new TaskByTask(loads, rules, new ScanPick(loads, rules), underemployed).select(tasks, 3);
    assertEquals(0, loads.source[0], "the less utilised of the two");
    assertEquals(SlotLoads.NONE, loads.source[1], "too large for node 2 within the slot");
    assertEquals(Verdict.SOURCE_SATURATED, loads.verdict(1));
  }

  /** Figure 3: the node on the line of lowest slope from (0, -s). */
  @Test
  void hullCornerIsTheNodeThatWouldBeDoneFirst() {
    RecoverySnapshot snapshot = Clusters.nodes(1000, 10, 20, 40, 80).node(0, 0, 1000).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(5).task(10, 0).sources(0).task(200, 0).sources(0).build();
    SlotLoads loads = new SlotLoads(snapshot, batch, 1e4);
    loads.in[1] = 1;
    loads.in[2] = 4;
    loads.in[3] = 30;
    loads.in[4] = 100;
    HullPick pick = new HullPick(loads, new DestinationRules(loads), 1);
    assertEquals(2, pick.destination(0, 0), "(10 + 4) / 20 is less than 11 / 10, 1 and 110 / 80");
    assertEquals(4, pick.destination(1, 0), "large ones go where bandwidth is: 300 / 80");
  }

  /** Not in the paper: redundancy is above everything. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void fewestLiveReplicasComeFirst(Algorithm algorithm) {
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(3);
    for (int task = 0; task < 20; task++) {
      batch.task(10, task < 10 ? 2 : 0).sources(0);
    }
    RecoverySnapshot snapshot = Clusters.nodes(10, 10, 10).node(1, 10, 0).node(2, 10, 0).build();
    RecoveryPlan plan = plan(with(algorithm), snapshot, batch.build(), 10);
    for (int task = 0; task < 20; task++) {
      assertEquals(task >= 10, plan.transfers(task), "task " + task);
    }
  }

  @Test
  void largeBlocksAreCopiedThoughNoSlotIsLongEnough() {
    RecoverySnapshot snapshot = Clusters.nodes(30, 20, 25).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3).task(1000, 0).sources(0).task(1000, 0).sources(0).build();
    RecoveryPlan plan = plan(with(Algorithm.DAYU), snapshot, batch, 3);
    assertEquals(2, plan.destination(0), "the fastest that is idle");
    assertEquals(75, plan.bytes(0));
    assertEquals(25, plan.rateBytesPerSec(0), 1e-9);
    assertFalse(plan.transfers(1), "the source has something to do");
  }
}
