package org.rackweave.sim.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.sim.recovery.SmallRecovery.MB;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.sim.scenario.RecoverySpec.Contention;
import org.rackweave.sim.workload.TimedRequest;

/** Eq. 1 on links, the interference factor and the ideal, by hand. */
class InterferenceTest {
  private static final RecoveryLinks LINKS = SmallRecovery.links(4, 1, 1);

  /** Section 2.1, Eq. 1, for nodes and for narrow links of racks. */
  @Test
  void recoveryIsAllowedWhatEq1Leaves() {
    assertEquals(35 * MB, LINKS.allowed(LINKS.in(1), 40 * MB), 1);
    assertEquals(10 * MB, LINKS.allowed(LINKS.in(1), 70 * MB), 1);
    assertEquals(0, LINKS.allowed(LINKS.in(0), 0), "the failed node has no link");
    RecoveryLinks narrow = SmallRecovery.links(4, 4, 2);
    double link = 4 * 100 * MB / 2;
    assertEquals(link, narrow.total(narrow.rackIn(1)));
    assertEquals(0.75 * link - 90 * MB, narrow.allowed(narrow.rackIn(1), 90 * MB), 1);
    assertEquals(10 * MB * link / (100 * MB), narrow.allowed(narrow.rackIn(1), link), 1);
    double[] loads = new double[narrow.count()];
    narrow.addForeground(loads, 4, 30 * MB, 20 * MB);
    narrow.addForeground(loads, 5, 10 * MB, 0);
    narrow.addForeground(loads, 0, 99 * MB, 99 * MB);
    assertEquals(20 * MB, loads[narrow.rackIn(1)], "half of it crosses");
    assertEquals(10 * MB, loads[narrow.rackOut(1)]);
    assertEquals(0, loads[narrow.rackIn(0)], "the failed node's");
    RecoverySnapshot snapshot = narrow.snapshot(loads);
    assertEquals(45 * MB, snapshot.inBytesPerSec(4), 1);
    assertEquals(0.75 * link - 20 * MB, snapshot.rackInBytesPerSec(1), 1);
  }

  @Test
  void linkThatIsTooNarrowIsSharedAsTheScenarioSays() {
    int link = LINKS.in(1);
    assertEquals(60 * MB, LINKS.left(link, 40 * MB, 50 * MB, Contention.FOREGROUND_FIRST), 1);
    assertEquals(4 * MB, LINKS.left(link, 96 * MB, 50 * MB, Contention.FOREGROUND_FIRST), 1);
    assertEquals(10 * MB, LINKS.left(link, 96 * MB, 50 * MB, Contention.MINIMUM_FIRST), 1);
    assertEquals(
        100 * MB * 50 / 146, LINKS.left(link, 96 * MB, 50 * MB, Contention.PROPORTIONAL), 1);
    assertEquals(60 * MB, LINKS.left(link, 40 * MB, 50 * MB, Contention.PROPORTIONAL), 1);
  }

  /** Section 5, Eq. 3 and 4. */
  @Test
  void factorIsOverloadOverBandwidth() {
    OverloadMeter meter = new OverloadMeter(LINKS);
    double[] foreground = new double[LINKS.count()];
    double[] bytes = new double[LINKS.count()];
    foreground[LINKS.in(1)] = 60 * MB;
    bytes[LINKS.in(1)] = 2 * 25 * MB;
    foreground[LINKS.out(2)] = 80 * MB;
    bytes[LINKS.out(3)] = 2 * 75 * MB;
    meter.step(2, foreground, bytes);
    meter.endSlot();
    // Three nodes, two directions, 100 MB/s: 10 on one link, 5 on another.
    assertEquals(15 / 600.0, meter.factor(), 1e-12);
    assertEquals(5 / 600.0, meter.aloneFactor(), 1e-12);
    // With 15 and 10 by Eq. 1 the two carry 75 and 90.
    assertEquals(15 / 600.0, meter.allowedFactor(), 1e-12);
    meter.step(6, new double[LINKS.count()], new double[LINKS.count()]);
    meter.endSlot();
    assertEquals(15 / 600.0 / 4, meter.factor(), 1e-12, "on average over time");
    assertEquals(15 / 600.0, meter.worstSlot(), 1e-12);
  }

  /** Section 2.2: "assuming all available bandwidth can be utilized", as it changes. */
  @Test
  void idealUsesAllThatEq1AllowsAtEveryMoment() {
    List<TimedRequest> loads =
        List.of(
            new TimedRequest.NodeLoad(0, 1, 90 * MB, 0),
            new TimedRequest.NodeLoad(20_000_000_000L, 1, 15 * MB, 0));
    // Until 20 s 10 + 75 + 75 come in, then 60 + 75 + 75.
    assertEquals(
        5 + (1000 - 5 * 160) / 210.0,
        IdealRecovery.seconds(LINKS, new Foreground(LINKS, loads.stream()), 15, 1000 * MB),
        1e-9);
    assertEquals(
        (5 * 160 + 10 * 210) * MB,
        IdealRecovery.bytes(LINKS, new Foreground(LINKS, loads.stream()), 15, 15),
        1);
    assertEquals(0.75, RecoveryBandwidth.DEFAULT.alpha());
  }

  @Test
  void reportTellsTheAverageSinceTheLast() {
    List<TimedRequest> loads =
        List.of(
            new TimedRequest.NodeLoad(0, 1, 30 * MB, 0),
            new TimedRequest.NodeLoad(10_000_000_000L, 1, 60 * MB, 12 * MB));
    Foreground foreground = new Foreground(LINKS, loads.stream());
    foreground.advanceTo(15);
    double[] report = foreground.report();
    assertEquals(40 * MB, report[LINKS.in(1)], 1e-3);
    assertEquals(4 * MB, report[LINKS.out(1)], 1e-3);
    foreground.advanceTo(30);
    assertEquals(60 * MB, foreground.report()[LINKS.in(1)], 1e-3);
    assertEquals(12 * MB, foreground.loads()[LINKS.out(1)]);
  }
}
