package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.compare.Filling.Filled;
import org.rackweave.cli.testbed.compare.IdleLinks.Way;

class IdealRebuildTest {
  private static final int RACKS = 3;
  private static final int NODES_PER_RACK = 2;
  private static final int PERIOD_MS = 2000;

  private static final long BLOCK_BYTES = 1 << 20;

  /** A step, and what adding up many of them loses. */
  private static final double STEP_SECONDS = 0.051;

  /** A block's time over a cold uplink is a second. */
  private static final Way COLD = new Way(BLOCK_BYTES, 10 * BLOCK_BYTES);

  private static final Way NOTHING = new Way(0, 0);

  private static final RecoverySettings SETTINGS =
      new RecoverySettings(1, PERIOD_MS, 1, BLOCK_BYTES, 0, 0, 1, 1);

  /** The victim is the first DataNode of rack 0; every block's other copies are in a rack. */
  private static RecoveryPlan plan(HotSchedule schedule, int... racksLeft) {
    List<Filled> filled = new ArrayList<>();
    for (int rack : racksLeft) {
      int node = rack * NODES_PER_RACK;
      filled.add(new Filled(filled.size(), 0, List.of(0, node, node + 1)));
    }
    return new RecoveryPlan(1, new Filling(0, filled, BLOCK_BYTES), List.of(), schedule);
  }

  private static double seconds(RecoveryPlan plan, IdleLinks links, long fromMs) {
    return IdealRebuild.seconds(plan, SETTINGS, links, RACKS, NODES_PER_RACK, fromMs);
  }

  private static void assertTime(double expected, RecoveryPlan plan, IdleLinks links) {
    assertEquals(expected, seconds(plan, links, 0), STEP_SECONDS);
  }

  private static void assertColdTime(double expected, int... racksLeft) {
    IdleLinks links = new IdleLinks(COLD, COLD, NOTHING, NOTHING);
    assertTime(expected, plan(HotSchedule.idle(), racksLeft), links);
  }

  @Test
  void whatOneRackHasLeavesItOverOneUplink() {
    assertColdTime(1, 1);
    assertColdTime(3, 1, 1, 1);
    assertColdTime(2, 1, 1, 2);
  }

  @Test
  void whatIsSentHasToBeReceived() {
    IdleLinks halfIn =
        new IdleLinks(COLD, new Way(BLOCK_BYTES / 4.0, BLOCK_BYTES), NOTHING, NOTHING);
    // Rack 1 sends two blocks in two seconds, but two racks take half a block a second.
    assertTime(4, plan(HotSchedule.idle(), 1, 1), halfIn);
  }

  @Test
  void oneDataNodeOfTheVictimsRackIsLeft() {
    Way wide = new Way(10 * BLOCK_BYTES, 10 * BLOCK_BYTES);
    Way narrowNic = new Way(10 * BLOCK_BYTES, BLOCK_BYTES);
    // Rack 1 sends to one DataNode of rack 0 and to two of rack 2.
    assertTime(
        2,
        plan(HotSchedule.idle(), 1, 1, 1, 1, 1, 1),
        new IdleLinks(wide, narrowNic, NOTHING, NOTHING));
    assertTime(
        3,
        plan(HotSchedule.idle(), 1, 1, 1, 1, 1, 1),
        new IdleLinks(narrowNic, wide, NOTHING, NOTHING));
  }

  @Test
  void hotRacksAreWaitedFor() {
    HotSchedule schedule = HotSchedule.draw(5, RACKS, 1, PERIOD_MS, 100);
    int hot = schedule.hotAt(0).iterator().next();
    IdleLinks links = new IdleLinks(COLD, COLD, NOTHING, NOTHING);
    assertTime(PERIOD_MS / 1000.0 + 1, plan(schedule, hot), links);
    assertEquals(1, seconds(plan(schedule, hot), links, PERIOD_MS), STEP_SECONDS);
  }

  @Test
  void moreIdleBandwidthIsNeverSlower() {
    HotSchedule schedule = HotSchedule.draw(6, RACKS, 1, PERIOD_MS, 100);
    RecoveryPlan plan = plan(schedule, IntStream.range(0, 20).map(i -> 1 + i % 2).toArray());
    double last = Double.POSITIVE_INFINITY;
    for (int share = 1; share <= 8; share++) {
      Way hot = new Way(COLD.uplink() * share / 8, COLD.nic() * share / 8);
      double seconds = seconds(plan, new IdleLinks(COLD, COLD, hot, hot), 0);
      assertTrue(seconds <= last, seconds + " after " + last);
      last = seconds;
    }
    assertEquals(10, last, STEP_SECONDS);
  }

  @Test
  void whatNoLinkCarriesTakesForEver() {
    IdleLinks none = new IdleLinks(NOTHING, NOTHING, NOTHING, NOTHING);
    assertTrue(Double.isNaN(seconds(plan(HotSchedule.idle(), 1), none, 0)));
  }
}
