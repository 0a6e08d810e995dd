package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.telemetry.BlockFigures;

/** Blocks of 128 MiB, a heartbeat every three seconds, eight copies at a time at most. */
class CopyLimitsTest {
  private static final long BLOCK_BYTES = 128L << 20;
  private static final double HEARTBEAT_SEC = 3;
  private static final int STREAMS_MAX = 8;

  private final DatanodeDescriptor fast = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r1");
  private final DatanodeDescriptor slow = DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r2");
  private final DatanodeDescriptor target = DFSTestUtil.getDatanodeDescriptor("10.0.0.3", "/r3");

  private int operators = 2;
  private final CopyLimits limits =
      new CopyLimits(() -> operators, HEARTBEAT_SEC, () -> STREAMS_MAX);
  private final List<RunningCopy> running = new ArrayList<>();

  private void copies(DatanodeDescriptor source, int count, long sizeBytes, double bytesPerSec) {
    for (int i = 0; i < count; i++) {
      PlannedCopy copy =
          new PlannedCopy(running.size(), sizeBytes, 2, 1, source, target, bytesPerSec);
      running.add(RunningCopy.begun(copy, 0));
    }
  }

  private int applied() {
    return applied(fast);
  }

  private int applied(DatanodeDescriptor source) {
    limits.apply(running, 0);
    return limits.work(source.getDatanodeUuid()).most();
  }

  private void speaks(DatanodeDescriptor source) {
    limits.rates().heard(source.getDatanodeUuid(), BlockFigures.encode(Map.of()), 0);
  }

  @Test
  void aFastSourceMakesAsManyAsItFinishesFromHeartbeatToHeartbeatAndOneMore() {
    // 250 MB/s in all: 5.6 blocks.
    copies(fast, 10, BLOCK_BYTES, 25e6);
    assertEquals(7, applied());
  }

  @Test
  void noMoreThanThereMayBeAtATime() {
    // 340 MB/s in all: 7.6 blocks.
    copies(fast, 10, BLOCK_BYTES, 34e6);
    assertEquals(STREAMS_MAX, applied());
    copies(fast, 10, BLOCK_BYTES, 1e12);
    assertEquals(STREAMS_MAX, applied());
    copies(fast, 1, 0, Double.MAX_VALUE);
    assertEquals(STREAMS_MAX, applied());
  }

  @Test
  void whatIsDoneToTheByteCountsOnce() {
    // Nine tenths of a block and a tenth of one: a block.
    copies(fast, 1, BLOCK_BYTES, 0.9 * BLOCK_BYTES / HEARTBEAT_SEC);
    copies(fast, 1, BLOCK_BYTES, 0.1 * BLOCK_BYTES / HEARTBEAT_SEC);
    operators = 1;
    assertEquals(2, applied());
  }

  @Test
  void copiesThatWaitNeedNoPlace() {
    copies(fast, 4, BLOCK_BYTES, 25e6); // 2.2 blocks
    copies(fast, 6, BLOCK_BYTES, 0);
    assertEquals(4, applied());
  }

  @Test
  void smallBlocksAreDoneMoreOften() {
    copies(fast, 10, BLOCK_BYTES / 16, 1e6); // 3.6 blocks
    assertEquals(5, applied());
  }

  @Test
  void aSlowSourceGetsNoFewerThanTheOperatorSaid() {
    // 10 MB/s in all: a quarter of a block.
    copies(slow, 10, BLOCK_BYTES, 1e6);
    assertEquals(2, applied(slow));
    operators = 5;
    assertEquals(5, applied(slow));
  }

  @Test
  void everySourceHasALimitOfItsOwn() {
    copies(slow, 10, BLOCK_BYTES, 1e6);
    copies(fast, 2, BLOCK_BYTES, 125e6); // 5.6 blocks
    assertEquals(7, applied(fast));
    assertEquals(2, applied(slow));
  }

  @Test
  void aSourceWhoseAgentHoldsCopiesToRatesHasAllOfThem() {
    speaks(fast);
    copies(slow, 3, BLOCK_BYTES, 1e6);
    copies(fast, 30, BLOCK_BYTES, 1e6);
    assertTrue(applied(fast) >= 30);
    assertEquals(2, applied(slow));
  }

  @Test
  void nobodyHasAnythingToDoWhenNothingIsUnderWay() {
    copies(fast, 10, BLOCK_BYTES, 25e6);
    assertEquals(7, applied());
    running.clear();
    limits.apply(running, 0);
    assertNull(limits.work(fast.getDatanodeUuid()));
  }
}
