package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Corners of the input, and how good plans are where much is to be planned. */
class RecoveryPlannerTest {
  private static RecoveryPlan plan(
      Algorithm algorithm, RecoverySnapshot snapshot, RecoveryBatch batch, double slotSec) {
    return new RecoveryPlanner(DayuSettings.DEFAULT.with(algorithm))
        .plan(snapshot, batch, Clusters.slot(slotSec), new SplittableRandom(1));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void planOfNothingIsEmpty(Algorithm algorithm) {
    RecoveryPlan plan =
        plan(algorithm, Clusters.nodes(1, 1).build(), new RecoveryBatch.Builder(2).build(), 15);
    assertEquals(0, plan.count());
    assertEquals(0, plan.plannedBytes());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void oneTaskTakesTheOneWayThereIs(Algorithm algorithm) {
    RecoveryBatch batch = new RecoveryBatch.Builder(3).task(10, 0).sources(0).barred(1).build();
    RecoveryPlan plan = plan(algorithm, Clusters.nodes(5, 5, 5).build(), batch, 15);
    assertEquals(0, plan.source(0));
    assertEquals(2, plan.destination(0));
    assertEquals(5, plan.rateBytesPerSec(0), 1e-9);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void withoutBandwidthNothingMoves(Algorithm algorithm) {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3).task(10, 0).sources(0).task(10, 0).sources().build();
    RecoveryPlan plan = plan(algorithm, Clusters.nodes(0, 0, 0).build(), batch, 15);
    assertEquals(2, plan.count(Verdict.NO_SOURCE));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void namesWhatForbidsEveryDestination(Algorithm algorithm) {
    RecoverySnapshot.Builder nodes = Clusters.nodes(5, 5, 5);
    nodes.free(0, 1, 9).accepts(2, false);
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3)
            .task(10, 0)
            .sources(0)
            .task(10, 0)
            .storageType(3)
            .sources(0)
            .build();
    RecoveryPlan plan = plan(algorithm, nodes.build(), batch, 15);
    assertEquals(2, plan.count(Verdict.NO_DESTINATION));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void oneRackHasToDoWhereThereIsNoOther(Algorithm algorithm) {
    RecoverySnapshot snapshot = Clusters.cluster(Clusters.racks(4), 5).rack(0, 0, 0).build();
    RecoveryBatch batch = new RecoveryBatch.Builder(4).task(10, 0).sources(0, 1).build();
    RecoveryPlan plan = plan(algorithm, snapshot, batch, 15);
    assertEquals(Verdict.PLANNED, plan.verdict(0));
    assertTrue(plan.destination(0) >= 2);
  }

  /** Three blocks of a second each; all nodes together could take them in one. */
  private static RecoveryPlan threeBlocksOfAnEmptyNode(double slotSec, int... crowded) {
    RecoverySnapshot.Builder nodes = Clusters.nodes(100, 10, 10, 10);
    for (int node : crowded) {
      nodes.crowded(node);
    }
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(4);
    for (int task = 0; task < 3; task++) {
      batch.task(10, 0).sources(0);
    }
    return plan(Algorithm.DAYU, nodes.build(), batch.build(), slotSec);
  }

  /** As on a few busy ARCHIVE nodes in a cluster of fast disks. */
  @Test
  void aBlockThatNoLinkOfItsStorageTypeCarriesInASlotBegins() {
    RecoverySnapshot.Builder nodes =
        new RecoverySnapshot.Builder(Clusters.racks(1, 1, 1, 1), 2)
            .freeEverywhere(0, Clusters.PLENTY)
            .free(1, 3, Clusters.PLENTY);
    for (int node = 0; node < 4; node++) {
      double bandwidth = node == 3 ? 1 : 100;
      nodes.node(node, bandwidth, bandwidth);
    }
    RecoveryBatch batch =
        new RecoveryBatch.Builder(4)
            .task(20, 0)
            .storageType(1)
            .sources(0)
            .task(20, 0)
            .storageType(0)
            .sources(0)
            .build();
    RecoveryPlan plan = plan(Algorithm.DAYU, nodes.build(), batch, 10);
    assertEquals(Verdict.PLANNED, plan.verdict(0), "by what it can in the slot");
    assertEquals(3, plan.destination(0));
    assertEquals(Verdict.PLANNED, plan.verdict(1));
  }

  @Test
  void crowdedNodesAreSparedWhileOthersHaveTime() {
    RecoveryPlan plan = threeBlocksOfAnEmptyNode(2, 3);
    assertEquals(3, plan.count(Verdict.PLANNED));
    for (int task = 0; task < 3; task++) {
      assertTrue(plan.destination(task) != 3, "to the crowded one");
    }
  }

  @Test
  void crowdedNodesGetWhatOthersCannotTake() {
    RecoveryPlan plan = threeBlocksOfAnEmptyNode(1, 3);
    assertEquals(3, plan.count(Verdict.PLANNED));
    plan = threeBlocksOfAnEmptyNode(3, 1, 2, 3);
    assertEquals(3, plan.count(Verdict.PLANNED), "all are crowded");
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"DAYU", "HULL", "G1", "G2"})
  void copyMayStayInItsRackWhenTheLinkIsFull(Algorithm algorithm) {
    RecoverySnapshot snapshot =
        Clusters.cluster(Clusters.racks(3, 3), 10).rack(0, 100, 0).rack(1, 100, 0).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(6)
            .task(10, 0)
            .spread(SpreadRule.hdfs(3, 2))
            .sources(0, 3)
            .build();
    RecoveryPlan plan = plan(algorithm, snapshot, batch, 15);
    assertEquals(Verdict.PLANNED, plan.verdict(0));
    assertEquals(plan.source(0) / 3, plan.destination(0) / 3, "the same rack");
  }

  @Test
  void replicasOnLeavingNodesCountForNoSpread() {
    RecoverySnapshot snapshot = Clusters.cluster(Clusters.racks(3, 3), 10).leaving(0).build();
    RecoveryBatch batch =
        new RecoveryBatch.Builder(6)
            .task(10, 0)
            .spread(SpreadRule.hdfs(3, 2))
            .sources(0, 3, 4)
            .build();
    RecoveryPlan plan = plan(Algorithm.DAYU, snapshot, batch, 15);
    assertTrue(plan.destination(0) == 1 || plan.destination(0) == 2, "rack 0 has none that stays");
  }

  @Test
  void namesThingValueAndRangeOfWhatIsWrong() {
    RecoverySnapshot.Builder nodes = Clusters.nodes(1, 1);
    assertMessage(
        "inBytesPerSec of dn1 is NaN, allowed is finite and at least 0",
        () -> nodes.node(1, Double.NaN, 1));
    assertMessage(
        "outBytesPerSec of dn0 is -1.0, allowed is finite and at least 0",
        () -> nodes.node(0, 1, -1));
    assertMessage(
        "outBytesPerSec of /r1 is NaN, allowed is 0 to infinity",
        () -> nodes.rack(1, 1, Double.NaN));
    assertMessage("free bytes of dn0 is -5, allowed is at least 0", () -> nodes.free(0, 0, -5));
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(2);
    assertMessage("sizeBytes of task 0 is -1, allowed is at least 0", () -> batch.task(-1, 0));
    assertMessage("priority of task 0 is 128, allowed is 0 to 127", () -> batch.task(1, 128));
    batch.task(10, 0);
    assertMessage("node of task 0 is 2, allowed is 0 to 1", () -> batch.sources(2));
    assertMessage(
        "doneBytes of task 0 is 11, allowed is 0 to 10", () -> batch.running(0, 1, 11, 1));
    assertMessage("lengthSec is 0.0, allowed is positive", () -> new Timeslot(0, 0));
    assertMessage("alpha is NaN, allowed is (0, 1]", () -> new RecoveryBandwidth(Double.NaN, 0, 0));
    assertMessage("beta is 2.0, allowed is 0.0 to 1.0", () -> DayuSettings.DEFAULT.withBeta(2));
    assertMessage("racksMin is 0, allowed is at least 1", () -> new SpreadRule(0, 1));
    assertMessage(
        "nodeCount of the batch is 2, allowed is 3 to 3",
        () -> plan(Algorithm.DAYU, Clusters.nodes(1, 1, 1).build(), batch.build(), 15));
  }

  private static void assertMessage(String expected, Runnable wrong) {
    String message = assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
    assertEquals(expected, message);
  }

  @Test
  void emptyBlockCostsAByte() {
    RecoveryBatch batch = new RecoveryBatch.Builder(2).task(0, 0).sources(0).build();
    RecoveryPlan plan = plan(Algorithm.DAYU, Clusters.nodes(5, 5).build(), batch, 15);
    assertEquals(Verdict.PLANNED, plan.verdict(0));
    assertEquals(1, plan.bytes(0));
  }

  /** A hundred nodes; destinations of the first rack only read. */
  private static Clusters.Case large(int racks, int sizesFrom, int sizesTo) {
    SplittableRandom random = new SplittableRandom(5);
    int nodes = 120;
    int[] sizes = new int[racks];
    java.util.Arrays.fill(sizes, nodes / racks);
    RecoverySnapshot.Builder snapshot =
        new RecoverySnapshot.Builder(Clusters.racks(sizes), 1).freeEverywhere(0, Clusters.PLENTY);
    for (int node = 0; node < nodes; node++) {
      snapshot.node(node, random.nextInt(30, 160), random.nextInt(30, 160));
    }
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(nodes);
    for (int task = 0; task < nodes * 70; task++) {
      int[] mixed = Clusters.shuffled(nodes, random);
      batch.task(random.nextInt(sizesFrom, sizesTo), 0).sources(mixed[0], mixed[1]);
    }
    return new Clusters.Case(snapshot.build(), batch.build(), Clusters.slot(1e6));
  }

  private static void assertGood(Clusters.Case what, double destinations, double sources) {
    RecoveryPlan plan = what.plan(DayuSettings.DEFAULT, new SplittableRandom(1));
    new PlanAudit(what, plan).check();
    assertEquals(what.batch().count(), plan.count(Verdict.PLANNED));
    double ideal = IdealMakespan.destinationSec(what.snapshot(), plan.plannedBytes());
    double idealSource = IdealMakespan.sourceSec(what.snapshot(), what.batch(), plan);
    assertTrue(plan.destinationSec() <= destinations * ideal, plan.destinationSec() + " " + ideal);
    assertTrue(plan.sourceSec() <= sources * idealSource, plan.sourceSec() + " " + idealSource);
  }

  @Test
  void levelsBlocksOfOneSize() {
    assertGood(large(24, 64, 65), 1.01, 1.03);
  }

  @Test
  void levelsBlocksOfManySizes() {
    assertGood(large(24, 1, 65), 1.01, 1.03);
    assertGood(large(24, 1, 5000), 1.01, 1.03);
  }

  @Test
  void levelsWhereFewRacksForbidMostPlaces() {
    assertGood(large(4, 64, 65), 1.02, 1.03);
    assertGood(large(6, 1, 300), 1.02, 1.03);
    assertGood(large(12, 64, 65), 1.02, 1.03);
  }
}
