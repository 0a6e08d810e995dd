package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;

class OwnLoadsTest {
  private static final double WEIGHT = 0.2;
  private static final long HEARTBEAT_MS = 3000;

  private final DatanodeDescriptor a = DFSTestUtil.getLocalDatanodeDescriptor();
  private final DatanodeDescriptor b = DFSTestUtil.getLocalDatanodeDescriptor();
  private final OwnLoads loads = new OwnLoads(WEIGHT, HEARTBEAT_MS / 1000.0);

  private List<CopyLoad> copy(double bytesPerSec) {
    double payload = bytesPerSec / OwnLoads.ON_THE_WIRE;
    return List.of(new CopyLoad(a, b, payload, payload));
  }

  /** Links are measured with all that they carry, of which recovery's part may come and go. */
  @Test
  void whatIsMeasuredLessItIsTheOthersAverage() {
    long seed = 17;
    SplittableRandom random = new SplittableRandom(seed);
    double measured = 0;
    double others = 0;
    long nowMs = 1_000_000;
    loads.with(List.of(), nowMs);
    for (int report = 0; report < 100; report++) {
      nowMs += HEARTBEAT_MS;
      double own = report % 7 < 4 ? random.nextDouble(1e7) : 0;
      double theirs = random.nextDouble(1e7);
      measured += WEIGHT * (own + theirs - measured);
      others += WEIGHT * (theirs - others);
      OwnLoad load = loads.with(copy(own), nowMs).getOrDefault(a, new OwnLoad(0, 0));
      assertEquals(others, measured - load.out(), 1e-3, "seed " + seed + ", report " + report);
    }
  }

  @Test
  void countsBothEndsOfEveryCopyAndWhatSurroundsItsBytes() {
    loads.with(List.of(), 0);
    CopyLoad there = new CopyLoad(a, b, 1000, 2000);
    CopyLoad back = new CopyLoad(b, a, 3000, 3000);
    Map<DatanodeDescriptor, OwnLoad> all = loads.with(List.of(there, there, back), 1_000_000_000L);
    assertEquals(new OwnLoad(3150, 2100), all.get(a));
    assertEquals(new OwnLoad(4200, 3150), all.get(b));
  }

  @Test
  void plansBetweenReportsChangeTheAverageByTheirTime() {
    loads.with(List.of(), 0);
    loads.with(copy(1e6), HEARTBEAT_MS / 2);
    double out = loads.with(copy(1e6), HEARTBEAT_MS).get(a).out();
    assertEquals(WEIGHT * 1e6, out, 1e-3);
  }

  @Test
  void forgetsWhoHadCopies() {
    loads.with(copy(1e7), HEARTBEAT_MS);
    assertEquals(2, loads.with(List.of(), 20 * HEARTBEAT_MS).size());
    assertTrue(loads.with(List.of(), 100 * HEARTBEAT_MS).isEmpty());
  }
}
