package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Test;

class DeadNodeMonitorTest {
  private static final long HEARTBEAT_MS = 3_000;

  private int dead;
  private int looks;
  private final OutageHold hold = new OutageHold(100);
  private final DeadNodeMonitor deaths = new DeadNodeMonitor(queue(), hold, HEARTBEAT_MS);

  private ReconstructionQueue queue() {
    return new RefusingQueue() {
      @Override
      public Dead noticeDead(int replicasMax) {
        looks++;
        return dead-- > 0
            ? new Dead(
                DFSTestUtil.getDatanodeDescriptor("10.0.0." + looks, "/r"),
                new BlockBloomFilter(30),
                30)
            : null;
      }
    };
  }

  private void look(long nowMs) {
    deaths.look(() -> nowMs, () -> {});
  }

  /** Comes by every half second; returns when a look was taken for the last time. */
  private long comeBy(long fromMs, long toMs) {
    long lookedMs = -1;
    for (long nowMs = fromMs; nowMs <= toMs; nowMs += 500) {
      int before = looks;
      look(nowMs);
      lookedMs = looks > before ? nowMs : lookedMs;
    }
    return lookedMs;
  }

  @Test
  void looksWheneverItIsCalledOnceDataNodesCouldSpeak() {
    assertEquals(-1, comeBy(100_000, 105_500), "DataNodes may speak first");
    assertEquals(108_000, comeBy(106_000, 108_000));
    assertEquals(5, looks);
  }

  @Test
  void takesAllThatAreDeadTogetherForDeadAtOnce() {
    comeBy(100_000, 106_000);
    dead = 2;
    looks = 0;
    look(106_500);
    assertEquals(3, looks, "until there is no other");
    assertEquals(40, hold.room(), "two of thirty replicas are known");
  }

  @Test
  void leavesTimeForOtherThingsWhereMuchIsDead() {
    comeBy(100_000, 106_000);
    dead = 10;
    looks = 0;
    AtomicLong nowMs = new AtomicLong(106_500);
    AtomicInteger signs = new AtomicInteger();
    deaths.look(() -> nowMs.getAndAdd(1000), signs::incrementAndGet);
    assertEquals(2, looks, "each took a second");
    assertEquals(2, signs.get(), "of life");
    nowMs.set(109_000);
    deaths.look(() -> nowMs.getAndAdd(1), signs::incrementAndGet);
    assertEquals(11, looks, "nobody has stood still");
  }

  @Test
  void nobodyIsDeadBecauseTheNameNodeStoodStill() {
    comeBy(100_000, 106_000);
    dead = 1;
    look(130_000);
    assertEquals(1, dead);
    assertEquals(-1, comeBy(130_500, 135_500));
    assertEquals(136_000, comeBy(136_000, 136_000));
    assertEquals(0, Math.max(0, dead), "who is dead indeed is found then");
  }
}
