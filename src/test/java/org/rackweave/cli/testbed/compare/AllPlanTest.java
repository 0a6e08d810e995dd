package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllPlanTest {
  private static final int RACKS = 6;
  private static final int NODES_PER_RACK = 2;
  private static final long UPLINK = 12_500_000;
  private static final AllPlan.Settings SETTINGS = AllPlan.Settings.standard();

  private static AllPlan draw(long seed) {
    return AllPlan.draw(SETTINGS, RACKS, NODES_PER_RACK, UPLINK, seed);
  }

  @Test
  void followsFromItsSeed() {
    assertEquals(draw(3).reads(), draw(3).reads());
    assertEquals(draw(3).degraded(), draw(3).degraded());
    assertEquals(draw(3).lost(), draw(3).lost());
    assertEquals(draw(3).writes().writes(), draw(3).writes().writes());
    assertNotEquals(draw(3).reads(), draw(4).reads());
  }

  @Test
  void oneFileGetsHotAndTheOthersGoOnBeingRead() {
    List<ReadsPlan.Planned> reads = draw(1).reads();
    List<ReadsPlan.Planned> before =
        reads.stream().filter(read -> read.atMs() < SETTINGS.hotFromMs()).toList();
    List<ReadsPlan.Planned> after =
        reads.stream().filter(read -> read.atMs() >= SETTINGS.hotFromMs()).toList();
    assertEquals(1.0 / SETTINGS.readFiles(), hotShare(before), 0.1);
    double expected = SETTINGS.hotShare() + (1 - SETTINGS.hotShare()) / SETTINGS.readFiles();
    assertEquals(expected, hotShare(after), 0.08);
    assertTrue(reads.get(reads.size() - 1).atMs() < SETTINGS.readsUntilMs());
  }

  private static double hotShare(List<ReadsPlan.Planned> reads) {
    return reads.stream().mapToInt(read -> read.file() == 0 ? 1 : 0).average().orElseThrow();
  }

  @Test
  void stripesComeAboutWhenNobodyWritesAnyMoreAndWhileReadsGoOn() {
    for (AllPlan.Settings settings :
        List.of(AllPlan.Settings.standard(), AllPlan.Settings.quick())) {
      assertTrue(settings.writes().endMs() < settings.encodeAtMs());
      assertTrue(settings.encodeAtMs() < settings.readsUntilMs());
      assertTrue(settings.hotFromMs() < settings.writes().endMs());
      assertTrue(RACKS > AllPlan.CODE.blocks(), "a rack for every unit and one to spare");
    }
  }
}
