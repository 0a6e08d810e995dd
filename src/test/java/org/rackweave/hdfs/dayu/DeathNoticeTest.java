package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Test;

class DeathNoticeTest {
  private static final long HEARTBEAT_MS = 3_000;

  private int dead;
  private int looks;
  private final OutageHold hold = new OutageHold(100);
  private final DeathNotice deaths = new DeathNotice(queue(), hold, HEARTBEAT_MS);

  private ReconstructionQueue queue() {
    return new RefusingQueue() {
      @Override
      public Dead noticeDead(int replicasMax) {
        looks++;
        return dead-- > 0
            ? new Dead(
                DFSTestUtil.getDatanodeDescriptor("10.0.0." + looks, "/r"),
                new LostReplicas(30),
                30)
            : null;
      }
    };
  }

  /** Comes by every half second; returns when a look was taken for the last time. */
  private long comeBy(long fromMs, long toMs) {
    long lookedMs = -1;
    for (long nowMs = fromMs; nowMs <= toMs; nowMs += 500) {
      int before = looks;
      deaths.look(nowMs);
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
  void tellsOfEachThatIsDead() {
    comeBy(100_000, 106_000);
    dead = 2;
    assertTrue(deaths.look(106_500));
    assertTrue(deaths.look(107_000));
    assertFalse(deaths.look(107_500));
    assertEquals(40, hold.room(), "two of thirty replicas are known");
  }

  @Test
  void nobodyIsDeadBecauseTheNameNodeStoodStill() {
    comeBy(100_000, 106_000);
    dead = 1;
    assertFalse(deaths.look(130_000));
    assertEquals(-1, comeBy(130_500, 135_500));
    assertEquals(136_000, comeBy(136_000, 136_000));
    assertTrue(looks > 0 && dead == 0, "who is dead indeed is found then");
  }
}
