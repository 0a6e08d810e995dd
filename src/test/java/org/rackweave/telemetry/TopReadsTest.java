package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class TopReadsTest {

  @Test
  void countsExactlyWhileThereIsRoom() {
    TopReads reads = new TopReads(2);
    add(reads, 7, 3);
    add(reads, -9, 5);
    add(reads, 8, 1);
    assertEquals(0, reads.errorBound());
    assertEquals(List.of(new BlockReads(-9, 5), new BlockReads(7, 3)), reads.drain());
  }

  @Test
  void prefersTheSmallerBlockIdWhenReadEquallyOften() {
    TopReads reads = new TopReads(2);
    add(reads, 3, 1);
    add(reads, 1, 1);
    add(reads, 2, 1);
    assertEquals(List.of(new BlockReads(1, 1), new BlockReads(2, 1)), reads.drain());
  }

  @Test
  void reportsEachReadOnce() {
    TopReads reads = new TopReads(1);
    add(reads, 1, 4);
    add(reads, 2, 3);
    assertEquals(List.of(new BlockReads(1, 4)), reads.drain());
    assertEquals(List.of(new BlockReads(2, 3)), reads.drain());
    assertEquals(List.of(), reads.drain());
  }

  @Test
  void forgetsBlocksThatAreNoLongerRead() {
    TopReads reads = new TopReads(1);
    for (long block = 0; block < reads.tracked(); block++) {
      add(reads, block, 2);
    }
    assertTrue(reads.errorBound() > 0);
    reads.drain();
    reads.drain();
    assertEquals(0, reads.errorBound());
    assertEquals(List.of(), reads.drain());
  }

  @Test
  void givesTheSmallestCounterToANewBlock() {
    TopReads reads = new TopReads(1);
    for (long block = 1; block < reads.tracked(); block++) {
      add(reads, block, 5);
    }
    add(reads, 50, 1);
    add(reads, 60, 1);
    assertEquals(2, reads.errorBound());
    add(reads, 60, 9);
    assertEquals(List.of(new BlockReads(60, 10)), reads.drain());
  }

  /** The oracle counts everything. */
  @Test
  void staysWithinItsErrorBoundOnRandomReads() {
    long seed = System.nanoTime();
    Random random = MixedRandom.of(seed);
    for (int round = 0; round < 300; round++) {
      TopReads reads = new TopReads(1 + random.nextInt(5));
      int blocks = 1 + random.nextInt(60);
      double weights = 0;
      for (int drain = 0; drain < 4; drain++) {
        Map<Long, Long> truth = new HashMap<>();
        int count = random.nextInt(500);
        for (int i = 0; i < count; i++) {
          long block = (long) (blocks * Math.pow(random.nextDouble(), 3));
          reads.add(block);
          truth.merge(block, 1L, Long::sum);
        }
        weights += count;
        long bound = reads.errorBound();
        assertTrue(bound <= weights / reads.tracked(), "seed " + seed);
        checkAgainst(truth, reads, bound, drain == 0, "seed " + seed);
        weights /= 2;
      }
    }
  }

  private static void checkAgainst(
      Map<Long, Long> truth, TopReads reads, long bound, boolean first, String message) {
    List<BlockReads> reported = reads.drain();
    Map<Long, Long> counted = new HashMap<>();
    for (BlockReads block : reported) {
      counted.put(block.blockId(), block.reads());
      long real = truth.getOrDefault(block.blockId(), 0L);
      assertTrue(block.reads() >= real - bound, message);
      // Later drains may also return reads of earlier rounds that were not yet reported.
      assertTrue(!first || block.reads() <= real, message);
    }
    long least = reported.isEmpty() ? 0 : reported.get(reported.size() - 1).reads();
    boolean cut = reported.size() == reads.reported();
    truth.forEach(
        (block, real) -> {
          if (!counted.containsKey(block) && real > bound) {
            assertTrue(cut && least >= real - bound, message);
          }
        });
  }

  @Test
  void tellsWhatItHasMissed() {
    TopReads reads = new TopReads(1);
    add(reads, 1, 4);
    reads.drain();
    assertEquals(0, reads.missed());
    add(reads, 1, 4);
    add(reads, 2, 3);
    reads.drain();
    assertEquals(3, reads.missed(), "of block 2, which is not among the one returned");
    for (long block = 10; block < 40; block++) {
      add(reads, block, 1);
    }
    assertTrue(reads.errorBound() > 0);
    long bound = reads.errorBound();
    reads.drain();
    assertTrue(reads.missed() >= bound);
  }

  /** The oracle counts everything: over any number of drains nothing is read more than told. */
  @Test
  void noBlockIsReadMoreThanWhatWasToldAndMissed() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = MixedRandom.of(seed);
      TopReads reads = new TopReads(1 + random.nextInt(5));
      int blocks = 1 + random.nextInt(60);
      Map<Long, Long> truth = new HashMap<>();
      long missed = 0;
      for (int drain = 0; drain < 6; drain++) {
        int count = random.nextInt(200);
        for (int i = 0; i < count; i++) {
          long block = (long) (blocks * Math.pow(random.nextDouble(), 3));
          reads.add(block);
          truth.merge(block, 1L, Long::sum);
        }
        for (BlockReads told : reads.drain()) {
          truth.merge(told.blockId(), -told.reads(), Long::sum);
        }
        missed += reads.missed();
        for (long left : truth.values()) {
          assertTrue(left <= missed, "seed " + seed);
        }
      }
    }
  }

  @Test
  void keepsItsMemoryBoundWhenEveryReadIsOfAnotherBlock() {
    TopReads reads = new TopReads(HeartbeatReport.MAX_TOP_READS);
    for (long block = 0; block < 100_000; block++) {
      reads.add(block);
    }
    assertEquals(4 * HeartbeatReport.MAX_TOP_READS, reads.tracked());
    assertEquals(100_000 / reads.tracked(), reads.errorBound());
    assertEquals(HeartbeatReport.MAX_TOP_READS, reads.drain().size());
  }

  @Test
  void refusesSizesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new TopReads(0));
    assertThrows(
        IllegalArgumentException.class, () -> new TopReads(HeartbeatReport.MAX_TOP_READS + 1));
  }

  private static void add(TopReads reads, long block, int times) {
    for (int i = 0; i < times; i++) {
      reads.add(block);
    }
  }
}
