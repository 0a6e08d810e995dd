package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.testbed.compare.PoissonWrites.Planned;

class WritesPlanTest {

  private static final int RACKS = 6;
  private static final int NODES = 12;

  private static WritesPlan draw(WritesSettings settings, long seed) {
    return WritesPlan.draw(settings, RACKS, NODES, seed);
  }

  @Test
  void followsFromItsSeedAlone() {
    WritesSettings settings = WritesSettings.quick(20_000);
    assertEquals(draw(settings, 7).writes(), draw(settings, 7).writes());
    assertEquals(draw(settings, 7).schedule().periods(), draw(settings, 7).schedule().periods());
    assertNotEquals(draw(settings, 7).writes(), draw(settings, 8).writes());
  }

  @Test
  void oneNodeOfEveryRackWritesAtItsRate() {
    WritesSettings longRun = new WritesSettings(2, 20_000, 4_000, 2_000_000, 0.3, 8L << 20, 2);
    int[] writes = new int[NODES];
    draw(longRun, 1).writes().forEach(write -> writes[write.writer()]++);
    for (int node = 0; node < NODES; node++) {
      // 600 expected; four standard deviations of a Poisson count.
      assertEquals(node % 2 == 0 ? 600 : 0, writes[node], node % 2 == 0 ? 4 * Math.sqrt(600) : 0);
    }
  }

  @Test
  void gapsVaryAsMuchAsTheyLast() {
    WritesSettings longRun = new WritesSettings(2, 20_000, 0, 4_000_000, 0.3, 8L << 20, 2);
    List<Planned> ofOne =
        draw(longRun, 5).writes().stream().filter(write -> write.writer() == 0).toList();
    double sum = 0;
    double squares = 0;
    for (int i = 1; i < ofOne.size(); i++) {
      double gap = ofOne.get(i).atMs() - ofOne.get(i - 1).atMs();
      sum += gap;
      squares += gap * gap;
    }
    double mean = sum / (ofOne.size() - 1);
    double sd = Math.sqrt(squares / (ofOne.size() - 1) - mean * mean);
    // Exponential gaps have a standard deviation equal to their mean; seed 5, some 1,200 gaps.
    assertEquals(1, sd / mean, 0.1);
  }

  @Test
  void writesComeInOrderAfterTheLoadHasSettled() {
    WritesSettings settings = WritesSettings.standard(20_000);
    WritesPlan plan = draw(settings, 3);
    int before = settings.settleMs();
    Set<String> names = new HashSet<>();
    for (Planned write : plan.writes()) {
      assertTrue(write.atMs() >= before && write.atMs() < settings.endMs());
      assertTrue(names.add(write.name()), "no two writes share a file");
      before = write.atMs();
    }
  }

  @Test
  void everyRackIsHotEquallyOftenHoweverFastTheLoadMoves() {
    List<WritesSettings> all = new ArrayList<>();
    for (int moveMs : new int[] {1_000, 5_000, 7_000, 20_000, 60_000}) {
      all.add(WritesSettings.quick(moveMs));
      all.add(WritesSettings.standard(moveMs));
    }
    for (WritesSettings settings : all) {
      int[] times = new int[RACKS];
      draw(settings, 9).schedule().periods().forEach(hot -> hot.forEach(rack -> times[rack]++));
      for (int time : times) {
        assertEquals(times[0], time);
      }
    }
  }

  @Test
  void runsAreAsLongAsTheyWereUnlessTheLoadMovesTooSlowlyForIt() {
    assertEquals(120_000, WritesSettings.standard(20_000).endMs());
    assertEquals(60_000, WritesSettings.quick(20_000).endMs());
    assertEquals(120_000, WritesSettings.standard(5_000).endMs());
    assertEquals(180_000, WritesSettings.standard(60_000).endMs());
  }

  @Test
  void largeBlocksAreFewEnoughForMemoryHoweverLongARunIs() {
    for (int moveMs : new int[] {5_000, 20_000, 60_000}) {
      WritesSettings large = WritesSettings.standard(moveMs).withLargeBlocks();
      assertEquals(128L << 20, large.blockBytes());
      double blocks = RACKS * large.writesPerSec() * large.arrivalsMs() / 1000;
      assertTrue(blocks <= 28 && blocks > 27, () -> "a run of " + blocks + " blocks");
    }
  }
}
