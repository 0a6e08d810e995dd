package org.rackweave.sim.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.run.EncodingRecord;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.traffic.BlockOutcome;

class FiguresTest {
  private static final double[] NONE = {};

  private static PolicyRecord record(double waitSec, double... writeSeconds) {
    List<BlockOutcome> blocks = new ArrayList<>();
    for (int i = 0; i < writeSeconds.length; i++) {
      long placed = SimTime.ofSeconds(10 + waitSec);
      long end = placed + SimTime.ofSeconds(writeSeconds[i]);
      blocks.add(new BlockOutcome(i, 0, 1, 100, SimTime.ofSeconds(10), placed, end, new int[] {1}));
    }
    return new PolicyRecord(
        "p",
        blocks,
        List.of(),
        List.of(),
        NONE,
        NONE,
        List.of(),
        NONE,
        NONE,
        NONE,
        0,
        Map.of(),
        new EncodingRecord(List.of(), 0, NONE),
        RecoveryOutcome.NONE,
        new PolicyRecord.Effort(0, 0, 0, 0, 0));
  }

  @Test
  void blocksAreComparedOneByOne() {
    Improvement seen = Improvement.of(record(0, 10, 10, 10, 10), record(2, 5, 10.2, 9.8, 20));
    assertEquals(40 / 45.0, seen.ofMeans(), 1e-9);
    assertEquals(40 / 53.0, seen.ofMeansWithWait(), 1e-9);
    assertEquals(0.25, seen.improved(), 1e-9);
    assertEquals(0.5, seen.same(), 1e-9);
    assertEquals(0.25, seen.slower(), 1e-9);
    assertEquals(0.25, seen.twice(), 1e-9);
  }
}
