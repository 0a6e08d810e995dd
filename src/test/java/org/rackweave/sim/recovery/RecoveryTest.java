package org.rackweave.sim.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sim.recovery.SmallRecovery.MB;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.Nightly;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.DayuSettings.Stragglers;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.RecoverySpec;
import org.rackweave.sim.scenario.RecoverySpec.Contention;
import org.rackweave.sim.workload.TimedRequest;

/** Recoveries: what the paper says of slots, an oracle, and what must hold in any. */
class RecoveryTest {
  private static final List<TimedRequest> QUIET = List.of();

  private static final PolicySpec.Dayu DAYU = SmallRecovery.dayu(Algorithm.DAYU, Stragglers.RESUME);

  /** A hundred chunks a node wait whenever a plan is made. */
  private static final RecoverySpec ENDLESS =
      new RecoverySpec(
          0,
          100,
          SmallRecovery.spec(1, Contention.MINIMUM_FIRST).chunkBytes(),
          SmallRecovery.spec(1, Contention.MINIMUM_FIRST).layout(),
          15_000,
          Optional.empty(),
          1,
          0.75,
          10 * MB,
          0,
          Contention.MINIMUM_FIRST);

  private static RecoveryOutcome run(
      RecoveryLinks links, RecoverySpec spec, List<TimedRequest> loads, PolicySpec policy) {
    return SmallRecovery.outcome(links, spec, loads, policy, 1, 600, 0);
  }

  private static TimedRequest load(double sec, int node, double in, double out) {
    return new TimedRequest.NodeLoad(Math.round(sec * 1e9), node, in, out);
  }

  /**
   * Section 3, figure 2: what is planned on a report begins T_schedule later. One chunk of 50 MB,
   * its other replicas on two of three nodes left; the third gets it at 75 MB/s.
   */
  @Test
  void planBeginsWhenItIsReady() {
    RecoveryLinks links = SmallRecovery.links(4, 1, 1);
    RecoveryOutcome seen = run(links, SmallRecovery.spec(1, Contention.MINIMUM_FIRST), QUIET, DAYU);
    assertEquals(0.5 + 50 / 75.0, seen.seconds(), 1e-6);
    assertEquals(50 / (3 * 75.0), seen.idealSec(), 1e-9, "section 2.2: all bandwidth used");
    assertEquals(50 * MB, seen.recoveredBytes());
    assertEquals(0, seen.interference(), 1e-12);
    assertEquals(0, seen.stragglers());
  }

  /** Section 5, "a rate of s / T": deadline rates end with the slot, WSS before. */
  @Test
  void deadlineRatesEndWithTheSlot() {
    RecoveryLinks links = SmallRecovery.links(4, 1, 1);
    PolicySpec.Dayu deadline =
        new PolicySpec.Dayu(
            "da",
            Algorithm.DAYU,
            DayuSettings.Rates.DEADLINE,
            Stragglers.RESUME,
            0,
            MB,
            DayuSettings.Aim.SLOT,
            PolicySpec.Planning.FIXED,
            500,
            1,
            Optional.empty());
    RecoverySpec one = SmallRecovery.spec(1, Contention.MINIMUM_FIRST);
    assertEquals(15.5, run(links, one, QUIET, deadline).seconds(), 1e-6);
  }

  /**
   * Section 4.4: a copy that its links keep below its rate is a straggler; the next plan lets it go
   * on with what it has. Foreground takes the only destination up to B_min for one slot.
   */
  @Test
  void stragglerGoesOnInTheNextSlot() {
    RecoveryLinks links = SmallRecovery.links(4, 1, 1);
    List<TimedRequest> loads = new ArrayList<>();
    for (int node = 1; node < 4; node++) {
      loads.add(load(15, node, 97 * MB, 0));
      loads.add(load(30, node, 40 * MB, 0));
    }
    RecoverySpec spec = SmallRecovery.spec(12, Contention.MINIMUM_FIRST);
    RecoveryOutcome seen = run(links, spec, loads, DAYU);
    assertEquals(12 * 50 * MB, seen.recoveredBytes());
    assertTrue(seen.seconds() > 15.5, "the first slot is not enough");
    assertTrue(seen.stragglers() > 0);
    assertEquals(0, seen.lostProgressBytes(), "nobody begins again");
    RecoverySpec proportional = SmallRecovery.spec(12, Contention.PROPORTIONAL);
    assertTrue(run(links, proportional, loads, DAYU).seconds() < seen.seconds());
  }

  /** Section 4.1, 5.2: a planner that takes long holds the first slot up, and plans less often. */
  @Test
  void slowPlannerPlansWhenItIsDone() {
    RecoveryLinks links = SmallRecovery.links(4, 1, 1);
    PolicySpec.Dayu slow =
        new PolicySpec.Dayu(
            "slow",
            Algorithm.G1,
            DayuSettings.Rates.WSS,
            Stragglers.RESUME,
            0,
            MB,
            DayuSettings.Aim.SLOT,
            PolicySpec.Planning.BY_TASKS,
            0,
            2,
            Optional.empty());
    RecoverySpec spec = SmallRecovery.spec(120, Contention.MINIMUM_FIRST);
    RecoveryOutcome seen = SmallRecovery.outcome(links, spec, QUIET, slow, 1, 600, 0);
    RecoveryOutcome quick = run(links, spec, QUIET, DAYU);
    assertTrue(seen.planWorkSec().length < quick.planWorkSec().length + 3);
    assertTrue(
        seen.seconds() > quick.seconds() + 20,
        seen.seconds() + " with half a second a task, " + quick.seconds() + " without");
  }

  /** Section 5: Pangu limits each node; three nodes of 30 MB/s take 900 MB in ten seconds. */
  @Test
  void fixedLimitHoldsForEveryNode() {
    RecoveryLinks links = SmallRecovery.links(4, 1, 1);
    RecoverySpec spec = SmallRecovery.spec(90, Contention.MINIMUM_FIRST);
    RecoveryOutcome seen = run(links, spec, QUIET, new PolicySpec.Pangu("pangu", 30 * MB));
    double least = 90 * 50 / (3 * 30.0);
    assertTrue(seen.seconds() >= least, seen.seconds() + " s");
    assertTrue(seen.seconds() <= 1.6 * least, seen.seconds() + " s");
    RecoveryOutcome fast = run(links, spec, QUIET, new PolicySpec.Pangu("pangu", 60 * MB));
    assertEquals(seen.seconds() / 2, fast.seconds(), 1e-3);
  }

  /** Section 5.2: so much in so many slots, whatever there is. */
  @Test
  void endlessRunRecoversUntilItsEnd() {
    RecoveryLinks links = SmallRecovery.links(8, 2, 1);
    RecoveryOutcome seen = SmallRecovery.outcome(links, ENDLESS, QUIET, DAYU, 1, 300, 0);
    assertEquals(300, seen.seconds());
    assertEquals(20, seen.planWorkSec().length);
    assertEquals(15 * 75 * MB * 300, seen.idealBytes(), 1);
    // A link carries 22.5 chunks a slot and gets 22, and those of the last slot come too late.
    assertTrue(seen.overIdeal() > 1 && seen.overIdeal() < 1.2, "over ideal " + seen.overIdeal());
  }

  /** As in the NameNode: a plan and a report with every heartbeat, each looking a slot ahead. */
  /** The NameNode's limit: two of four sources' many chunks wait for others to end. */
  @Test
  void sourcesMakeNoMoreCopiesAtATimeThanTheyMay() {
    RecoveryLinks links = SmallRecovery.links(4, 1, 1);
    RecoverySpec once = SmallRecovery.spec(60, Contention.MINIMUM_FIRST);
    RecoverySpec often = SmallRecovery.replanned(once, 3000, 1);
    PolicySpec.Dayu one =
        new PolicySpec.Dayu(
            "one",
            Algorithm.DAYU,
            DayuSettings.Rates.WSS,
            Stragglers.RESTART,
            0.05,
            MB,
            DayuSettings.Aim.BACKLOG,
            PolicySpec.Planning.FIXED,
            500,
            1,
            Optional.of(1));
    PolicySpec.Dayu any = SmallRecovery.dayu(Algorithm.DAYU, Stragglers.RESTART);
    RecoveryOutcome limited = run(links, often, QUIET, one);
    RecoveryOutcome unlimited = run(links, often, QUIET, any);
    assertEquals(60 * 50 * MB, limited.recoveredBytes());
    assertTrue(
        limited.seconds() > unlimited.seconds(), limited.seconds() + ", " + unlimited.seconds());
    assertEquals(
        run(links, once, QUIET, any).seconds(),
        run(links, once, QUIET, one).seconds(),
        1e-9,
        "where a plan is for a whole slot there is no limit");
  }

  @ParameterizedTest
  @CsvSource({"3000, 100", "5000, 60", "7500, 40"})
  void plansAsOftenAsSaid(long replanMs, int plans) {
    RecoveryLinks links = SmallRecovery.links(8, 2, 1);
    RecoverySpec often = SmallRecovery.replanned(ENDLESS, replanMs, 1);
    RecoveryOutcome seen = SmallRecovery.outcome(links, often, QUIET, DAYU, 1, 300, 0);
    assertEquals(plans, seen.planWorkSec().length);
  }

  /**
   * Loads are drawn anew every 15 s. Who hears of it every 3 s makes way sooner, and gives what has
   * become free to others; an average of what is heard comes later.
   */
  @Test
  void plansBetweenSlotsMakeWayAndUseWhatIsFree() {
    long seed = 20261122;
    SplittableRandom random = new SplittableRandom(seed);
    RecoveryLinks links = SmallRecovery.links(8, 2, 1);
    RecoverySpec once = SmallRecovery.spec(960, Contention.MINIMUM_FIRST);
    double[] seconds = new double[3];
    double[] interference = new double[3];
    for (int i = 0; i < 5; i++) {
      List<TimedRequest> loads = SmallRecovery.loads(16, 60, 75 * MB, random);
      List<RecoverySpec> specs =
          List.of(
              once,
              SmallRecovery.replanned(once, 3_000, 1),
              SmallRecovery.replanned(once, 3_000, 0.2));
      for (int how = 0; how < specs.size(); how++) {
        RecoveryOutcome seen =
            SmallRecovery.outcome(links, specs.get(how), loads, DAYU, seed + i, 840, 1);
        assertEquals(0, seen.missing());
        seconds[how] += seen.seconds();
        interference[how] += seen.interference();
      }
    }
    String what = "seed " + seed + ": " + Arrays.toString(seconds) + Arrays.toString(interference);
    assertTrue(seconds[1] < 0.95 * seconds[0], what);
    assertTrue(interference[1] < 0.5 * interference[0], what);
    assertTrue(interference[2] > interference[1], what);
  }

  /** The paper's way: whatever is no less than a slot is once a slot, to the last bit. */
  @ParameterizedTest
  @ValueSource(longs = {15_000, 3_600_000})
  void noMoreOftenThanSlotsIsOnceASlot(long replanMs) {
    RecoveryLinks links = SmallRecovery.links(6, 2, 2);
    List<TimedRequest> loads = SmallRecovery.loads(12, 41, 95 * MB, new SplittableRandom(7));
    for (Stragglers stragglers : Stragglers.values()) {
      PolicySpec.Dayu policy = SmallRecovery.dayu(Algorithm.DAYU, stragglers);
      RecoverySpec once = SmallRecovery.spec(150, Contention.MINIMUM_FIRST);
      RecoverySpec said = SmallRecovery.replanned(once, replanMs, 1);
      RecoveryOutcome expected = SmallRecovery.outcome(links, once, loads, policy, 3, 600, 1);
      RecoveryOutcome seen = SmallRecovery.outcome(links, said, loads, policy, 3, 600, 1);
      assertEquals(expected.seconds(), seen.seconds());
      assertEquals(expected.interference(), seen.interference());
      assertEquals(expected.worstSlot(), seen.worstSlot());
      assertEquals(expected.copies(), seen.copies());
      assertEquals(expected.stragglers(), seen.stragglers());
      assertEquals(expected.planWorkSec().length, seen.planWorkSec().length);
    }
  }

  @Test
  void endsAreThoseOfTheOracle() {
    int stragglers = requireEndsOfTheOracle(20190712, 120, spec -> spec);
    assertTrue(stragglers > 40, stragglers + " cases with stragglers");
  }

  /** Slots that overlap, and reports that are averaged. */
  @Nightly
  @ParameterizedTest
  @CsvSource({"3000, 1", "5000, 1", "3000, 0.2", "15000, 0.5"})
  void endsAreThoseOfTheOracleHoweverOftenItIsPlanned(long replanMs, double reportWeight) {
    requireEndsOfTheOracle(
        20261122, 30, spec -> SmallRecovery.replanned(spec, replanMs, reportWeight));
  }

  /** Returns in how many cases there were stragglers. */
  private static int requireEndsOfTheOracle(
      long seed, int cases, UnaryOperator<RecoverySpec> planned) {
    SplittableRandom random = new SplittableRandom(seed);
    int stragglers = 0;
    for (int i = 0; i < cases; i++) {
      Contention contention = Contention.values()[random.nextInt(3)];
      RecoveryLinks links =
          SmallRecovery.links(random.nextInt(4, 7), random.nextInt(1, 4), random.nextInt(1, 3));
      RecoverySpec spec = planned.apply(SmallRecovery.spec(random.nextInt(1, 120), contention));
      List<TimedRequest> loads =
          SmallRecovery.loads(links.topology().nodeCount(), 60, 95 * MB, random);
      PolicySpec.Dayu policy =
          SmallRecovery.dayu(
              Algorithm.values()[random.nextInt(Algorithm.values().length)],
              Stragglers.values()[random.nextInt(3)]);
      RecoveryOutcome seen = SmallRecovery.outcome(links, spec, loads, policy, seed + i, 840, 0);
      double expected =
          new SlotOracle(
                  links,
                  spec,
                  loads,
                  SmallRecovery.lost(links, spec, seed + i),
                  policy,
                  new SplittableRandom(seed + i))
              .run(56);
      String what = "case " + i + ", seed " + seed + ", " + policy + ", " + spec;
      if (Double.isNaN(expected)) {
        assertTrue(seen.missing() > 0, what);
      } else {
        assertEquals(expected, seen.seconds(), 1e-3, what);
      }
      stragglers += seen.stragglers() > 0 ? 1 : 0;
    }
    return stragglers;
  }

  /** Whoever plans and however it is shared: each chunk once, and no byte too many. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void everyChunkIsRecoveredOnce(Algorithm algorithm) {
    long seed = 42;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 30; i++) {
      RecoveryLinks links =
          SmallRecovery.links(random.nextInt(4, 9), random.nextInt(1, 5), random.nextInt(1, 4));
      RecoverySpec spec =
          SmallRecovery.spec(random.nextInt(1, 200), Contention.values()[random.nextInt(1, 3)]);
      List<TimedRequest> loads =
          SmallRecovery.loads(links.topology().nodeCount(), 400, 95 * MB, random);
      Stragglers stragglers = Stragglers.values()[random.nextInt(3)];
      PolicySpec.Dayu policy = SmallRecovery.dayu(algorithm, stragglers);
      RecoveryOutcome seen = SmallRecovery.outcome(links, spec, loads, policy, seed + i, 6_000, 1);
      String what = "case " + i + ", seed " + seed + ", " + policy + ", " + spec;
      assertEquals(0, seen.missing(), what);
      assertEquals(spec.chunks() * 50 * MB, seen.recoveredBytes(), 1, what);
      assertTrue(seen.interference() >= seen.foregroundAlone() - 1e-12, what);
      assertTrue(seen.worstSlot() >= seen.interference() - 1e-12, what);
      RecoveryOutcome again = SmallRecovery.outcome(links, spec, loads, policy, seed + i, 6_000, 1);
      assertEquals(seen.seconds(), again.seconds(), what);
      assertArrayEquals(seen.planWorkSec(), again.planWorkSec());
    }
  }
}
