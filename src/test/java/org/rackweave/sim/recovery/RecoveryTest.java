package org.rackweave.sim.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sim.recovery.SmallRecovery.MB;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

  private static RecoveryOutcome run(
      RecoveryLinks links, RecoverySpec spec, List<TimedRequest> loads, PolicySpec policy) {
    return SmallRecovery.recovery(links, spec, loads, policy, 1, 600, 0).run();
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
            1);
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
            2);
    RecoverySpec spec = SmallRecovery.spec(120, Contention.MINIMUM_FIRST);
    RecoveryOutcome seen = SmallRecovery.recovery(links, spec, QUIET, slow, 1, 600, 0).run();
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
    RecoverySpec spec =
        new RecoverySpec(
            0,
            100,
            SmallRecovery.spec(1, Contention.MINIMUM_FIRST).chunkBytes(),
            SmallRecovery.spec(1, Contention.MINIMUM_FIRST).layout(),
            15_000,
            0.75,
            10 * MB,
            0,
            Contention.MINIMUM_FIRST);
    RecoveryOutcome seen = SmallRecovery.recovery(links, spec, QUIET, DAYU, 1, 300, 0).run();
    assertEquals(300, seen.seconds());
    assertEquals(20, seen.planWorkSec().length);
    assertEquals(15 * 75 * MB * 300, seen.idealBytes(), 1);
    // A link carries 22.5 chunks a slot and gets 22, and those of the last slot come too late.
    assertTrue(seen.overIdeal() > 1 && seen.overIdeal() < 1.2, "over ideal " + seen.overIdeal());
  }

  @Test
  void endsAreThoseOfTheOracle() {
    long seed = 20190712;
    SplittableRandom random = new SplittableRandom(seed);
    int stragglers = 0;
    for (int i = 0; i < 120; i++) {
      Contention contention = Contention.values()[random.nextInt(3)];
      RecoveryLinks links =
          SmallRecovery.links(random.nextInt(4, 7), random.nextInt(1, 4), random.nextInt(1, 3));
      RecoverySpec spec = SmallRecovery.spec(random.nextInt(1, 120), contention);
      List<TimedRequest> loads =
          SmallRecovery.loads(links.topology().nodeCount(), 60, 95 * MB, random);
      PolicySpec.Dayu policy =
          SmallRecovery.dayu(
              Algorithm.values()[random.nextInt(Algorithm.values().length)],
              Stragglers.values()[random.nextInt(3)]);
      RecoveryOutcome seen =
          SmallRecovery.recovery(links, spec, loads, policy, seed + i, 840, 0).run();
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
    assertTrue(stragglers > 40, stragglers + " cases with stragglers");
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
      RecoveryOutcome seen =
          SmallRecovery.recovery(links, spec, loads, policy, seed + i, 6_000, 1).run();
      String what = "case " + i + ", seed " + seed + ", " + policy + ", " + spec;
      assertEquals(0, seen.missing(), what);
      assertEquals(spec.chunks() * 50 * MB, seen.recoveredBytes(), 1, what);
      assertTrue(seen.interference() >= seen.foregroundAlone() - 1e-12, what);
      assertTrue(seen.worstSlot() >= seen.interference() - 1e-12, what);
      RecoveryOutcome again =
          SmallRecovery.recovery(links, spec, loads, policy, seed + i, 6_000, 1).run();
      assertEquals(seen.seconds(), again.seconds(), what);
      assertArrayEquals(seen.planWorkSec(), again.planWorkSec());
    }
  }
}
