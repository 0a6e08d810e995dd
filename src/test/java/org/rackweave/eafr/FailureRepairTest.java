package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.eafr.RepairPlan.Reason.NO_DESTINATION;
import static org.rackweave.eafr.RepairPlan.Reason.NO_SOURCE;
import static org.rackweave.eafr.Temperature.COLD;
import static org.rackweave.eafr.Temperature.HOT;
import static org.rackweave.eafr.Temperature.NORMAL;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.RepairPlan.Left;
import org.rackweave.eafr.RepairPlan.Step;
import org.rackweave.eafr.RepairPlan.Turn;

/** Algorithm 4. Node 0 has failed. */
class FailureRepairTest {
  private static final long TAU_S = 100;

  /** Racks {0 1 2}, {3 4 5}, {6 7 8}: 6 and 7 standby, 8 cold. */
  private final Servers.Builder cluster =
      Clusters.of(3, 3)
          .failed(0)
          .role(6, ServerRole.STANDBY)
          .role(7, ServerRole.STANDBY)
          .role(8, ServerRole.COLD);

  private RepairPlan plan(Turn turn, LostReplica... lost) {
    Servers servers = cluster.build();
    return FailureRepair.plan(
        servers, RackRule.hdfs(servers.topology()), TAU_S, List.of(lost), turn);
  }

  private RepairPlan plan(LostReplica... lost) {
    return plan(Turn.FIRST, lost);
  }

  private static LostReplica lost(long block, Temperature temperature, int... holders) {
    return new LostReplica(block, 0, holders, 10, temperature);
  }

  @Test
  void readsFromTheServerWithMostRemainingCapacity() {
    cluster.reads(3, 5).reads(6, 4);
    assertEquals(6, plan(lost(1, HOT, 3, 6)).steps().get(0).source());
    cluster.capacity(3, 12);
    assertEquals(3, plan(lost(1, HOT, 3, 6)).steps().get(0).source());
  }

  @Test
  void earlierStepsCountAgainstASource() {
    cluster.reads(3, 1);
    List<Integer> sources =
        plan(lost(1, HOT, 3, 6), lost(2, HOT, 3, 6), lost(3, HOT, 3, 6), lost(4, HOT, 3, 6))
            .steps()
            .stream()
            .map(Step::source)
            .toList();
    assertEquals(List.of(6, 3, 6, 3), sources);
  }

  @Test
  void aColdServerIsWokenOnlyWhenNoOtherHasAReplica() {
    cluster.capacity(8, 100);
    RepairPlan plan = plan(lost(1, HOT, 3, 8));
    assertEquals(3, plan.steps().get(0).source());
    assertTrue(plan.woken().isEmpty());
    plan = plan(lost(1, HOT, 8));
    assertEquals(8, plan.steps().get(0).source());
    assertEquals("{8}", plan.woken().toString());
  }

  @Test
  void whoeverIsWokenServesTheOtherBlocksToo() {
    cluster.role(5, ServerRole.COLD).capacity(8, 100);
    RepairPlan plan = plan(lost(1, HOT, 5), lost(2, HOT, 5, 8));
    assertEquals(List.of(5, 5), plan.steps().stream().map(Step::source).toList());
    assertEquals("{5}", plan.woken().toString());
  }

  @Test
  void hotFilesGoRoundTheHotServersAndColdOnesRoundTheStandby() {
    RepairPlan plan =
        plan(
            new Turn(3, 1),
            lost(1, HOT, 6),
            lost(2, COLD, 3),
            lost(3, NORMAL, 6),
            lost(4, COLD, 3),
            lost(5, HOT, 6));
    assertEquals(List.of(4, 7, 5, 6, 1), plan.steps().stream().map(Step::destination).toList());
    assertEquals(new Turn(1, 1), plan.next());
  }

  /** Example of the class doc. */
  @Test
  void aServerWithAReplicaIsPassedOver() {
    Servers servers = Clusters.of(1, 4).failed(3).build();
    RepairPlan plan =
        FailureRepair.plan(
            servers,
            (before, after) -> true,
            TAU_S,
            List.of(
                new LostReplica(1, 3, new int[] {0}, 1, HOT),
                new LostReplica(2, 3, new int[] {2}, 1, HOT),
                new LostReplica(3, 3, new int[] {2}, 1, HOT)),
            new Turn(1, 0));
    assertEquals(List.of(1, 0, 1), plan.steps().stream().map(Step::destination).toList());
  }

  @Test
  void whatEarlierStepsPutThereCountsAsStored() {
    cluster.freeBytes(6, TAU_S + 9).freeBytes(7, 0);
    RepairPlan plan = plan(lost(1, COLD, 3), lost(2, COLD, 3));
    assertEquals(
        List.of(6, 1),
        plan.steps().stream().map(Step::destination).toList(),
        "the second finds the standby servers full and takes a hot one");
  }

  @Test
  void theRackRuleIsKept() {
    for (int node = 1; node < 8; node++) {
      cluster.freeBytes(node, node < 3 ? 1000 : 0);
    }
    cluster.failed(4);
    LostReplica ofTwoRacks = new LostReplica(1, 4, new int[] {2}, 10, HOT);
    assertEquals(List.of(new Left(1, NO_DESTINATION)), plan(ofTwoRacks).left());
    assertEquals(List.of(new Step(2, 3, 1)), plan(lost(2, HOT, 3)).steps());
  }

  @Test
  void whatCannotBeDoneIsLeftToHdfs() {
    RepairPlan plan = plan(lost(1, HOT), lost(2, HOT, 3));
    assertEquals(List.of(new Left(1, NO_SOURCE)), plan.left());
    assertEquals(1, plan.steps().size());
    for (int node = 1; node < 8; node++) {
      cluster.freeBytes(node, TAU_S - 1);
    }
    assertEquals(List.of(new Left(2, NO_DESTINATION)), plan(lost(2, HOT, 3)).left());
  }

  @Test
  void worksWithoutAnyServerOfARole() {
    Servers servers = Clusters.of(1, 1).failed(0).build();
    RepairPlan plan =
        FailureRepair.plan(servers, (b, a) -> true, 0, List.of(lost(1, HOT, 0)), new Turn(9, 9));
    assertEquals(List.of(new Left(1, NO_SOURCE)), plan.left());
    assertEquals(Turn.FIRST, plan.next());
  }

  @Test
  void destinationsDifferByNoMoreThanOneReplicaWhenAllFit() {
    long first = System.nanoTime();
    System.out.println("round robin, first seed " + first);
    for (long seed = first; seed < first + 2000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      int perRack = 2 + dice.nextInt(4);
      Servers.Builder built = Clusters.of(2, perRack).failed(0);
      int nodes = 2 * perRack;
      Servers servers = built.role(nodes - 1, ServerRole.STANDBY).build();
      List<LostReplica> lost = new ArrayList<>();
      for (int i = dice.nextInt(40); i >= 0; i--) {
        // The only other replica is on the standby server, so that every hot one fits.
        lost.add(new LostReplica(i, 0, new int[] {nodes - 1}, 10, HOT));
      }
      RepairPlan plan =
          FailureRepair.plan(
              servers, (b, a) -> true, TAU_S, lost, new Turn(dice.nextInt(nodes), 0));
      int[] received = new int[nodes];
      plan.steps().forEach(step -> received[step.destination()]++);
      int[] hot = Arrays.copyOfRange(received, 1, nodes - 1);
      int spread = IntStream.of(hot).max().orElseThrow() - IntStream.of(hot).min().orElseThrow();
      assertTrue(spread <= 1, "seed " + seed + Arrays.toString(received));
    }
  }

  @Test
  void everyStepKeepsEveryConstraint() {
    long first = System.nanoTime();
    System.out.println("repair, first seed " + first);
    int steps = 0;
    for (long seed = first; seed < first + 3000; seed++) {
      steps += checkRandomCase(new SplittableRandom(seed), "seed " + seed);
    }
    assertTrue(steps > 3000, "put to the test");
  }

  private static int checkRandomCase(SplittableRandom dice, String failed) {
    Servers.Builder built = Clusters.of(3, 3).failed(0);
    for (int node = 1; node < 9; node++) {
      built.role(node, ServerRole.values()[dice.nextInt(3)]);
      built.reads(node, dice.nextInt(12)).freeBytes(node, dice.nextInt(400));
    }
    Servers servers = built.build();
    RackRule rule = RackRule.hdfs(servers.topology());
    Map<Long, LostReplica> lost = new HashMap<>();
    for (long block = 0; block < 12; block++) {
      int[] holders = dice.ints(1, 9).distinct().limit(dice.nextInt(3)).toArray();
      Temperature temperature = Temperature.values()[dice.nextInt(3)];
      lost.put(block, new LostReplica(block, 0, holders, dice.nextInt(200), temperature));
    }
    List<LostReplica> all = List.copyOf(lost.values());
    RepairPlan plan = FailureRepair.plan(servers, rule, TAU_S, all, Turn.FIRST);
    assertEquals(12, plan.steps().size() + plan.left().size(), failed);
    assertEquals(plan, FailureRepair.plan(servers, rule, TAU_S, all, Turn.FIRST), failed);
    long[] free = IntStream.range(0, 9).mapToLong(servers::freeBytes).toArray();
    BitSet woken = new BitSet();
    for (Step step : plan.steps()) {
      LostReplica replica = lost.get(step.blockId());
      IntPredicate isAwake = node -> servers.isAwake(node) || woken.get(node);
      boolean anyAwake = IntStream.of(replica.holders()).anyMatch(isAwake);
      assertTrue(IntStream.of(replica.holders()).anyMatch(n -> n == step.source()), failed);
      assertEquals(anyAwake, isAwake.test(step.source()), failed);
      woken.set(step.source());
      assertTrue(servers.isAwake(step.destination()), failed);
      assertTrue(free[step.destination()] >= Math.max(TAU_S, replica.sizeBytes()), failed);
      free[step.destination()] -= replica.sizeBytes();
      int[] after =
          IntStream.concat(IntStream.of(replica.holders()), IntStream.of(step.destination()))
              .toArray();
      assertEquals(after.length, IntStream.of(after).distinct().count(), failed);
    }
    return plan.steps().size();
  }
}
