package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;

class OutageHoldTest {
  private static final int LOW_REDUNDANCY = 2;
  private static final long HAD = 7;
  private static final long NEVER_HAD = 8;

  private final DatanodeDescriptor vanished = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r1");
  private final DatanodeDescriptor other = DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r2");
  private final OutageHold hold = new OutageHold(1000);

  private boolean waits(long block, int priority) {
    WaitingBlock waiting =
        new WaitingBlock(block, 1, priority, 3, 0, List.of(other), List.of(), List.of());
    return hold.because(List.of(vanished)).test(waiting);
  }

  private void vanish() {
    BlockBloomFilter replicas = new BlockBloomFilter(1);
    replicas.add(HAD);
    hold.died(vanished, replicas, 1, 10);
  }

  @Test
  void blocksWaitForADataNodeThatHadThem() {
    vanish();
    assertTrue(waits(HAD, LOW_REDUNDANCY));
    assertTrue(waits(HAD, 1), "two of seven");
  }

  @Test
  void blocksWithOneReplicaLeftNeverWait() {
    vanish();
    assertFalse(waits(HAD, 0));
  }

  @Test
  void replicasInTooFewRacksNeverWait() {
    vanish();
    assertFalse(waits(HAD, 3));
  }

  @Test
  void blocksThatLackAReplicaForAnotherReasonNeverWait() {
    vanish();
    assertFalse(waits(NEVER_HAD, LOW_REDUNDANCY), "its factor was raised");
  }

  @Test
  void blocksOfDrainedDataNodesNeverWait() {
    vanish();
    other.startDecommission();
    assertFalse(waits(HAD, LOW_REDUNDANCY));
  }

  @Test
  void dataNodesWhoseBlocksNobodyNotedMayHaveHadAny() {
    assertTrue(waits(NEVER_HAD, LOW_REDUNDANCY));
    hold.died(vanished, null, 0, 10);
    assertTrue(waits(NEVER_HAD, LOW_REDUNDANCY));
  }

  @Test
  void whatIsNotedIsBoundedAndForgotten() {
    hold.died(vanished, new BlockBloomFilter(400), 400, 10);
    assertEquals(600, hold.room());
    hold.died(vanished, new BlockBloomFilter(500), 500, 20);
    assertEquals(500, hold.room(), "instead of what it had before");
    hold.forgetBefore(20);
    assertEquals(500, hold.room());
    hold.forgetBefore(21);
    assertEquals(1000, hold.room());
    hold.died(vanished, new BlockBloomFilter(400), 400, 30);
    hold.retain(List.of(other));
    assertEquals(1000, hold.room());
  }

  @Test
  void noBlockIsForgottenAndFewAreTakenForOthers() {
    long seed = 20;
    RandomGenerator random = new SplittableRandom(seed);
    for (int replicas : new int[] {1, 100, 50_000}) {
      BlockBloomFilter lost = new BlockBloomFilter(replicas);
      long first = random.nextLong(1L << 40) + 1_073_741_825L;
      for (int i = 0; i < replicas; i++) {
        lost.add(first + 2L * i);
      }
      int wrong = 0;
      for (int i = 0; i < replicas; i++) {
        assertTrue(lost.mayHold(first + 2L * i), "seed " + seed);
        wrong += lost.mayHold(first + 2L * i + 1) ? 1 : 0;
      }
      assertTrue(wrong <= 1 + replicas / 100, wrong + " of " + replicas);
    }
  }
}
