package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Algorithm 1 and every guard-rail. */
class ReplicationPlannerTest {
  private static final long NOW = 1_000_000;
  private static final long TAU_S = 5000;
  private static final WorkInHand NOTHING = new WorkInHand(0, 0, SpaceQuota.NONE);
  private static final GuardRails WIDE =
      new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, Integer.MAX_VALUE, 100, 1);

  private GuardRails rails = WIDE;
  private WorkInHand work = NOTHING;

  /** Nodes 0 to 5 hot and overloaded, 6 and 7 standby, 8 cold. */
  private final Servers.Builder servers = Clusters.of(3, 3);

  ReplicationPlannerTest() {
    for (int node = 0; node < 6; node++) {
      servers.reads(node, 9);
    }
    servers.role(6, ServerRole.STANDBY).role(7, ServerRole.STANDBY).role(8, ServerRole.COLD);
  }

  private ReplicationPlan plan(Candidate... candidates) {
    return new ReplicationPlanner(Thresholds.PAPER, rails, TAU_S)
        .plan(List.of(candidates), servers.build(), work, NOW);
  }

  private static List<String> summary(ReplicationPlan plan) {
    return plan.changes().stream()
        .map(c -> c.action() + " " + c.fileId() + " " + c.fromFactor() + "->" + c.toFactor())
        .toList();
  }

  private void assertHeldBack(HeldBack reason, Candidate candidate) {
    ReplicationPlan plan = plan(candidate);
    assertEquals(List.of(), plan.changes());
    assertEquals(Map.of(reason, 1), plan.heldBack());
  }

  @Test
  void aHotFileOnOverloadedServersGetsOneReplica() {
    ReplicationPlan plan = plan(Files.read(Files.on(1, 0, 1, 3), 25));
    assertEquals(List.of("ADD 1 3->4"), summary(plan));
    assertEquals(1, plan.copies());
    assertEquals(Files.SIZE, plan.extraBytes());
    assertEquals(
        "ADD file 1 3->4: EQ2: v/r > tau_u (25.00 against 20.00), "
            + "EQ6: share of overloaded servers > gamma_s (1.000 against 0.5000)",
        plan.changes().get(0).describe());
  }

  /** What Eq. 2 asks for, at once, as far as there is room. */
  @Test
  void aFileThatIsFarTooHotGetsSeveralReplicasAtOnce() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 3);
    Candidate hot = Files.read(Files.on(1, 0, 1), 300);
    assertEquals(List.of("ADD 1 2->5"), summary(plan(hot)), "as many as are allowed at once");
    assertEquals(3, plan(hot).copies());
    assertEquals(3 * Files.SIZE, plan(hot).extraBytes());
    assertEquals(
        List.of("ADD 1 2->4"), summary(plan(Files.read(Files.on(1, 0, 1), 35))), "70 reads, of 20");
    assertEquals(
        List.of("ADD 1 4->6"), summary(plan(Files.read(Files.on(1, 0, 1, 3, 4), 300))), "2 spare");
    rails = new GuardRails(true, 0, 0, 0, 0, 2 * Files.SIZE, 1000, 100, 3);
    assertEquals(List.of("ADD 1 2->4"), summary(plan(hot)), "within the budget");
    rails = new GuardRails(true, 0, 0, 0, 0, Files.SIZE - 1, 1000, 100, 3);
    assertHeldBack(HeldBack.OVER_BUDGET, hot);
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 2, 100, 3);
    assertEquals(List.of("ADD 1 2->4"), summary(plan(hot)), "within what may be in flight");
  }

  /** A quota remembers what it has admitted, and is asked once for what is taken. */
  @Test
  void takesFewerReplicasWhereAQuotaHasRoomForThemAndChargesItOnce() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 3);
    long[] left = {5 * Files.SIZE / 2};
    work =
        new WorkInHand(
            0,
            0,
            (file, bytes) -> {
              boolean isAdmitted = bytes <= left[0];
              left[0] -= isAdmitted ? bytes : 0;
              return isAdmitted;
            });
    assertEquals(List.of("ADD 1 2->4"), summary(plan(Files.read(Files.on(1, 0, 1), 300))));
    assertEquals(Files.SIZE / 2, left[0]);
  }

  /** Eq. 3 says of a replica that it is hot, not how many there should be. */
  @Test
  void aFileThatIsHotByItsReplicasOnlyGetsOne() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 3);
    assertEquals(List.of("ADD 1 3->4"), summary(plan(Files.read(Files.on(1, 0, 1, 3), 15))));
  }

  @Test
  void aHotFileWhoseServersSufficeIsLeft() {
    servers.reads(0, 8).reads(1, 8);
    assertHeldBack(HeldBack.SERVERS_SUFFICE, Files.read(Files.on(1, 0, 1, 3), 25));
  }

  @Test
  void aFileThatIsNeitherHotNorColdIsLeft() {
    ReplicationPlan plan = plan(Files.read(Files.on(1, 0, 1, 3), 5));
    assertEquals(List.of(), plan.changes());
    assertEquals(Map.of(), plan.heldBack());
  }

  @Test
  void aColdFileAboveItsFloorLosesOneReplica() {
    ReplicationPlan plan = plan(Files.read(Files.raised(1, 3, 0, 0, 1, 3, 4, 5), 0.5));
    assertEquals(List.of("DELETE 1 5->4"), summary(plan));
    assertEquals(0, plan.copies());
  }

  @Test
  void aColdFileKeepsItsOwnFactorUnlessItsRuleNamesR() {
    assertEquals(List.of("MIGRATE 1 3->3"), summary(plan(Files.read(Files.on(1, 0, 1, 3), 0))));
    FileRule paper = new FileRule(2, 1, 10);
    FileState file = Files.of(1, FileHistory.untouched(3), paper, 0, 1, 3);
    assertEquals(List.of("DELETE 1 3->2"), summary(plan(Files.read(file, 0))));
    FileState single = Files.of(1, FileHistory.untouched(1), paper, 0);
    assertHeldBack(HeldBack.FEW_ON_HOT_SERVERS, Files.read(single, 0));
  }

  @Test
  void epsilonReplicasStayOnHotServers() {
    assertEquals(List.of("MIGRATE 1 3->3"), summary(plan(Files.read(Files.on(1, 0, 1, 6), 0))));
    assertHeldBack(HeldBack.FEW_ON_HOT_SERVERS, Files.read(Files.on(1, 0, 6, 7), 0));
    assertHeldBack(HeldBack.FEW_ON_HOT_SERVERS, Files.read(Files.raised(1, 2, 0, 0, 6, 7), 0));
  }

  /** Eq. 8: full ones are about to turn cold. */
  @Test
  void nothingMigratesWhenEveryStandbyServerIsFull() {
    servers.freeBytes(6, TAU_S - 1).freeBytes(7, 0);
    assertHeldBack(HeldBack.NO_STANDBY, Files.read(Files.on(1, 0, 1, 3), 0));
    servers.freeBytes(6, TAU_S);
    assertEquals(List.of("MIGRATE 1 3->3"), summary(plan(Files.read(Files.on(1, 0, 1, 3), 0))));
  }

  @Test
  void nothingMigratesWithoutStandbyServers() {
    servers.role(6, ServerRole.COLD).role(7, ServerRole.HOT);
    assertHeldBack(HeldBack.NO_STANDBY, Files.read(Files.on(1, 0, 1, 3), 0));
  }

  @Test
  void hotterFilesComeFirstAndColdOnesLast() {
    ReplicationPlan plan =
        plan(
            Files.read(Files.on(5, 0, 1, 3), 0),
            Files.read(Files.on(4, 0, 1, 3), 30),
            Files.read(Files.on(3, 0, 1, 3), 40),
            Files.read(Files.on(2, 0, 1, 3), 30));
    assertEquals(
        List.of("ADD 3 3->4", "ADD 2 3->4", "ADD 4 3->4", "MIGRATE 5 3->3"), summary(plan));
  }

  @Test
  void encodedSnapshotAndOpenFilesAreLeftAlone() {
    for (FileKind kind : FileKind.values()) {
      if (kind != FileKind.REPLICATED) {
        HeldBack reason = HeldBack.valueOf(kind.name());
        FileState file = Files.of(1, Files.shape(kind), 0, 1, 3);
        assertHeldBack(reason, Files.read(file, 50));
        assertHeldBack(reason, Files.read(file, 0));
      }
    }
  }

  @Test
  void theKillSwitchStopsEverything() {
    rails = new GuardRails(false, 0, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 1);
    assertHeldBack(HeldBack.SWITCHED_OFF, Files.read(Files.on(1, 0, 1, 3), 50));
    assertHeldBack(HeldBack.SWITCHED_OFF, Files.read(Files.on(1, 0, 1, 3), 0));
  }

  @Test
  void aYoungFileWaitsUntilItIsOldEnough() {
    FileState file = Files.raised(1, 3, FileHistory.NEVER, 0, 1, 3, 4);
    rails = new GuardRails(true, NOW + 1, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 1);
    assertHeldBack(HeldBack.TOO_YOUNG, Files.read(file, 0));
    assertEquals(
        List.of("ADD 1 4->5"), summary(plan(Files.read(file, 50))), "its readers do not wait");
    rails = new GuardRails(true, NOW, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 1);
    assertEquals(List.of("DELETE 1 4->3"), summary(plan(Files.read(file, 0))));
  }

  @Test
  void aChangedFileCoolsDownAndItsReplicaDwells() {
    rails = new GuardRails(true, 0, 5000, 1000, 1000, Long.MAX_VALUE, 1000, 100, 1);
    assertHeldBack(
        HeldBack.COOLING_DOWN, Files.read(Files.raised(1, 3, NOW - 999, 0, 1, 3, 4), 50));
    assertEquals(
        List.of("ADD 1 4->5"),
        summary(plan(Files.read(Files.raised(1, 3, NOW - 1000, 0, 1, 3, 4), 50))));
    assertHeldBack(HeldBack.DWELLING, Files.read(Files.raised(1, 3, NOW - 4999, 0, 1, 3, 4), 0));
    assertEquals(
        List.of("DELETE 1 4->3"),
        summary(plan(Files.read(Files.raised(1, 3, NOW - 5000, 0, 1, 3, 4), 0))));
  }

  /** One replica a quarter of an hour would be none for what is read much now. */
  @Test
  void aHotFileGetsAnotherReplicaSoonerThanOneThatWasLoweredOrMoved() {
    rails = new GuardRails(true, 0, 5000, 1000, 100, Long.MAX_VALUE, 1000, 100, 1);
    assertHeldBack(HeldBack.COOLING_DOWN, Files.read(Files.raised(1, 3, NOW - 99, 0, 1, 3, 4), 50));
    FileState raised = Files.raised(1, 3, NOW - 100, 0, 1, 3, 4);
    assertEquals(List.of("ADD 1 4->5"), summary(plan(Files.read(raised, 50))));
    FileHistory moved = raised.history().moved(NOW - 99);
    assertHeldBack(
        HeldBack.COOLING_DOWN, Files.read(Files.of(1, moved, raised.rule(), 0, 1, 3, 4), 50));
  }

  @Test
  void onlyHotFilesAreDecidedAboutBeforeAnIntervalIsOver() {
    List<Candidate> candidates =
        List.of(
            Files.read(Files.on(1, 0, 1, 3), 50),
            Files.read(Files.raised(2, 3, FileHistory.NEVER, 0, 1, 3, 4), 0));
    ReplicationPlanner planner = new ReplicationPlanner(Thresholds.PAPER, rails, TAU_S);
    assertEquals(
        List.of("ADD 1 3->4"), summary(planner.planHot(candidates, servers.build(), work, NOW)));
    assertEquals(
        List.of("ADD 1 3->4", "DELETE 2 4->3"),
        summary(planner.plan(candidates, servers.build(), work, NOW)));
  }

  @Test
  void neitherAboveTheMaximumNorBeyondTheHotServers() {
    FileRule three = new FileRule(FileRule.OWN_FACTOR, 1, 3);
    assertHeldBack(
        HeldBack.AT_MAXIMUM, Files.read(Files.of(1, FileHistory.untouched(3), three, 0, 1, 3), 50));
    assertHeldBack(HeldBack.NO_SERVER, Files.read(Files.on(1, 0, 1, 2, 3, 4, 5), 50));
    assertEquals(
        List.of("ADD 1 6->7"), summary(plan(Files.read(Files.on(1, 0, 1, 2, 3, 4, 6), 50))));
  }

  @Test
  void theStorageBudgetIsKept() {
    rails = new GuardRails(true, 0, 0, 0, 0, 10 * Files.SIZE, 1000, 100, 1);
    work = new WorkInHand(8 * Files.SIZE, 0, SpaceQuota.NONE);
    ReplicationPlan plan =
        plan(
            Files.read(Files.on(1, 0, 1, 3), 50),
            Files.read(Files.on(2, 0, 1, 3), 50),
            Files.read(Files.on(3, 0, 1, 3), 50));
    assertEquals(List.of("ADD 1 3->4", "ADD 2 3->4"), summary(plan));
    assertEquals(Map.of(HeldBack.OVER_BUDGET, 1), plan.heldBack());
  }

  @Test
  void whatAFileGetsBackOfItsOwnFactorIsNotExtra() {
    rails = new GuardRails(true, 0, 0, 0, 0, 0, 1000, 100, 1);
    FileHistory lowered = new FileHistory(3, 2, 0, FileHistory.NEVER);
    FileState file = Files.of(1, lowered, new FileRule(2, 1, 10), 0, 1);
    assertEquals(List.of("ADD 1 2->3"), summary(plan(Files.read(file, 50))));
  }

  @Test
  void noMoreBlocksAreCopiedThanHdfsHasRoomFor() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 10, 100, 1);
    work = new WorkInHand(0, 7, SpaceQuota.NONE);
    FileShape twoBlocks = new FileShape(Files.SIZE, 2, 0, FileKind.REPLICATED);
    ReplicationPlan plan =
        plan(
            Files.read(Files.of(1, twoBlocks, 0, 1, 1, 3), 80),
            Files.read(Files.of(2, twoBlocks, 0, 1, 1, 3), 60),
            Files.read(Files.on(3, 0, 1, 3), 25),
            Files.read(Files.on(4, 0, 1, 3), 0));
    assertEquals(List.of("ADD 1 2->3", "ADD 3 3->4"), summary(plan));
    assertEquals(3, plan.copies());
    assertEquals(Map.of(HeldBack.TOO_MANY_IN_FLIGHT, 2), plan.heldBack());
    work = new WorkInHand(0, 1000, SpaceQuota.NONE);
    assertHeldBack(HeldBack.TOO_MANY_IN_FLIGHT, Files.read(Files.on(3, 0, 1, 3), 25));
  }

  @Test
  void quotasAreAskedLastAndOnlyForWhatTakesSpace() {
    long[] left = {Files.SIZE};
    work = new WorkInHand(0, 0, (fileId, bytes) -> (left[0] -= bytes) >= 0);
    ReplicationPlan plan =
        plan(
            Files.read(Files.of(9, Files.shape(FileKind.IN_SNAPSHOT), 0, 1, 3), 90),
            Files.read(Files.on(1, 0, 1, 3), 50),
            Files.read(Files.on(2, 0, 1, 3), 40),
            Files.read(Files.on(3, 0, 1, 3), 0));
    assertEquals(List.of("ADD 1 3->4", "MIGRATE 3 3->3"), summary(plan));
    assertEquals(Map.of(HeldBack.OVER_QUOTA, 1, HeldBack.IN_SNAPSHOT, 1), plan.heldBack());
  }

  @Test
  void aPlanIsBounded() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 1000, 2, 1);
    Candidate[] many = new Candidate[5];
    Arrays.setAll(many, i -> Files.read(Files.on(i, 0, 1, 3), 50));
    assertEquals(Map.of(HeldBack.PLAN_FULL, 3), plan(many).heldBack());
  }

  @Test
  void aFileThatLacksReplicasIsLeftToHdfs() {
    FileState lacking =
        new FileState(
            1,
            4,
            new int[] {0, 1, 3},
            Files.shape(FileKind.REPLICATED),
            new FileHistory(3, 4, 0, 0),
            Files.OWN);
    assertHeldBack(HeldBack.UNDER_REPLICATED, Files.read(lacking, 0));
    assertHeldBack(HeldBack.UNDER_REPLICATED, Files.read(lacking, 50));
  }

  @Test
  void aReplicaThatSleepsIsNotMissing() {
    FileHistory raised = new FileHistory(3, 4, 0, 0);
    FileHistory own = FileHistory.untouched(4);
    assertEquals(List.of("ADD 1 4->5"), summary(plan(Files.read(asleep(4, raised, 0, 1, 3), 50))));
    assertEquals(
        List.of("DELETE 1 4->3"), summary(plan(Files.read(asleep(4, raised, 0, 1, 3), 0))));
    assertHeldBack(HeldBack.FEW_ON_HOT_SERVERS, Files.read(asleep(4, raised, 0), 0));
    assertHeldBack(HeldBack.ASLEEP, Files.read(asleep(4, own, 0, 1, 3), 0));
  }

  /** As many replicas as its factor says, those on the given servers awake. */
  private static FileState asleep(int factor, FileHistory history, int... awake) {
    return new FileState(1, factor, awake, 0, Files.shape(FileKind.REPLICATED), history, Files.OWN);
  }

  /** 61 reads: hot on three replicas, on four below a tau_l as narrow as 19. */
  @Test
  void narrowThresholdsDoNotMakeFactorsSwing() {
    Thresholds narrow = new Thresholds(20, 19, 1000, 999, 0.5, 0.5, 0.8);
    ReplicationPlanner planner = new ReplicationPlanner(narrow, WIDE, TAU_S);
    List<Candidate> four = List.of(Files.read(Files.raised(1, 3, 0, 0, 1, 3, 4), 61 / 4.0));
    ReplicationPlan plan = planner.plan(four, servers.build(), NOTHING, NOW);
    assertEquals(Map.of(HeldBack.WOULD_BE_HOT, 1), plan.heldBack());
  }

  @Test
  void restoringGivesBackWhatUsersChoseEvenWhenSwitchedOff() {
    rails = new GuardRails(false, NOW, NOW, NOW, 0, 0, 2, 100, 1);
    FileHistory lowered = new FileHistory(3, 2, NOW, FileHistory.NEVER);
    FileRule paper = new FileRule(2, 1, 10);
    ReplicationPlan plan =
        new ReplicationPlanner(Thresholds.PAPER, rails, TAU_S)
            .restore(
                List.of(
                    Files.of(7, lowered, paper, 0, 1),
                    Files.raised(4, 3, NOW, 0, 1, 2, 3, 4),
                    Files.of(6, lowered, paper, 0, 1),
                    Files.of(8, lowered, paper, 0, 1),
                    Files.on(1, 0, 1)),
                NOTHING);
    assertEquals(List.of("RESTORE 4 5->3", "RESTORE 6 2->3", "RESTORE 7 2->3"), summary(plan));
    assertEquals(Map.of(HeldBack.TOO_MANY_IN_FLIGHT, 1), plan.heldBack());
  }

  /** A file of five blocks where four may be in flight. */
  @Test
  void whatCannotBeGivenBackIsNotTaken() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 4, 100, 1);
    FileShape fiveBlocks = new FileShape(Files.SIZE, 5, 0, FileKind.REPLICATED);
    int[] holders = {0, 1, 3, 0, 1, 3, 0, 1, 3, 0, 1, 3, 0, 1, 3};
    FileRule paper = new FileRule(2, 1, 10);
    FileHistory own = FileHistory.untouched(3);
    FileState large = new FileState(1, 3, holders, fiveBlocks, own, paper);
    assertHeldBack(HeldBack.TOO_MANY_IN_FLIGHT, Files.read(large, 0));
    FileHistory raised = new FileHistory(2, 3, 0, 0);
    FileState extra = new FileState(1, 3, holders, fiveBlocks, raised, Files.OWN);
    assertEquals(List.of("DELETE 1 3->2"), summary(plan(Files.read(extra, 0))));
  }

  @Test
  void aFileTooLargeForTheRailsIsRestoredAlone() {
    rails = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 4, 100, 1);
    FileHistory lowered = new FileHistory(3, 2, 0, FileHistory.NEVER);
    FileShape fiveBlocks = new FileShape(Files.SIZE, 5, 0, FileKind.REPLICATED);
    FileState large = new FileState(1, 2, new int[10], fiveBlocks, lowered, Files.OWN);
    FileState small = Files.of(7, lowered, Files.OWN, 0, 1);
    ReplicationPlanner planner = new ReplicationPlanner(Thresholds.PAPER, rails, TAU_S);
    ReplicationPlan plan = planner.restore(List.of(large, small), NOTHING);
    assertEquals(List.of("RESTORE 1 2->3"), summary(plan));
    assertEquals(Map.of(HeldBack.TOO_MANY_IN_FLIGHT, 1), plan.heldBack());
    WorkInHand full = new WorkInHand(0, 4, SpaceQuota.NONE);
    assertEquals(List.of(), planner.restore(List.of(large, small), full).changes());
  }

  @Test
  void aFactorThatSomebodyElseSetsIsTheFilesOwnFromThenOn() {
    FileHistory history = new FileHistory(3, 4, 10, 10);
    assertEquals(history, history.seen(4, 500));
    assertEquals(new FileHistory(2, 2, 500, FileHistory.NEVER), history.seen(2, 500));
    FileChange lowered = new FileChange(1, Action.DELETE, 4, 3, List.of());
    assertEquals(new FileHistory(3, 3, 600, 10), history.after(lowered, 600));
    FileChange raised = new FileChange(1, Action.ADD, 4, 5, List.of());
    assertEquals(new FileHistory(3, 5, 600, 600), history.after(raised, 600));
  }

  @Test
  void refusesRulesAndRailsOutOfRangeByName() {
    assertEquals("hot is 0, allowed is at least 1", refusal(() -> new FileRule(0, 0, 3)));
    assertEquals(
        "min is 1, allowed is more than hot, 1, or 0 for a file's own factor",
        refusal(() -> new FileRule(1, 1, 3)));
    assertEquals("max is 2, allowed is at least 3", refusal(() -> new FileRule(3, 1, 2)));
    assertTrue(
        refusal(() -> new GuardRails(true, -1, 0, 0, 0, 0, 0, 1, 1)).startsWith("minimum age"));
    assertTrue(refusal(() -> new GuardRails(true, 0, -1, 0, 0, 0, 0, 1, 1)).startsWith("dwell"));
    assertTrue(
        refusal(() -> new GuardRails(true, 0, 0, -1, 0, 0, 0, 1, 1)).startsWith("cool-down"));
    assertTrue(
        refusal(() -> new GuardRails(true, 0, 0, 0, 0, -1, 0, 1, 1)).startsWith("storage budget"));
    assertTrue(
        refusal(() -> new GuardRails(true, 0, 0, 0, 0, 0, -1, 1, 1)).startsWith("most blocks"));
    assertTrue(
        refusal(() -> new GuardRails(true, 0, 0, 0, 0, 0, 0, 0, 1)).startsWith("most changes"));
  }

  private static String refusal(Runnable wrong) {
    return assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
  }
}
