package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReadCountersTest {
  /** What may be forgotten in the long run, and float arithmetic. */
  private static final double ROUNDING = 1 / 15.0 + 1e-3;

  @Test
  void countsExactlyWhileThereIsRoom() {
    ReadCounters reads = new ReadCounters(8, false);
    reads.add(0, 1);
    reads.add(-7, 2);
    reads.add(-7, 3);
    assertEquals(1, reads.sureReads(0));
    assertEquals(1, reads.mostReads(0));
    assertEquals(5, reads.sureReads(-7));
    assertEquals(5, reads.mostReads(-7));
    assertEquals(0, reads.mostReads(9));
    assertEquals(0, reads.errorBound());
  }

  @Test
  void aNewcomerTakesOverTheCounterWithTheFewestReads() {
    ReadCounters reads = new ReadCounters(8, false);
    for (int key = 1; key <= 8; key++) {
      reads.add(key, 10 * key);
    }
    reads.add(99, 1);
    assertEquals(11, reads.mostReads(99));
    assertEquals(0, reads.sureReads(99), "none of the eleven need be its own");
    assertEquals(0, reads.sureReads(1));
    assertEquals(11, reads.mostReads(1), "it had ten and has lost its counter");
    assertEquals(11, reads.errorBound());
    assertEquals(80 - 11, reads.sureReads(8));
  }

  @Test
  void forgetsWhatNobodyReadsAnyMore() {
    ReadCounters reads = new ReadCounters(8, false);
    reads.add(5, 1);
    for (int interval = 0; interval < 4; interval++) {
      assertTrue(reads.mostReads(5) > 0);
      reads.decay(0.5f);
    }
    assertEquals(1 / 16.0, reads.mostReads(5));
    reads.decay(0.5f);
    assertEquals(0, reads.mostReads(5));
  }

  @Test
  void withoutDecayAnIntervalLeavesNothing() {
    ReadCounters reads = new ReadCounters(8, false);
    reads.add(5, 1000);
    reads.decay(0);
    assertEquals(0, reads.mostReads(5));
  }

  /** The oracle counts everything, with the same decay. */
  @Test
  void staysWithinItsErrorBoundOnRandomReads() {
    long first = System.nanoTime();
    System.out.println("space-saving against exact counts, first seed " + first);
    int inexact = 0;
    for (long seed = first; seed < first + 3000; seed++) {
      inexact += checkAgainstExactCounts(seed) ? 1 : 0;
    }
    assertTrue(inexact > 500, "tables were full");
  }

  private static boolean checkAgainstExactCounts(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ReadCounters reads = new ReadCounters(1 + random.nextInt(100), false);
    float kept = random.nextInt(4) / 4f;
    int keys = 1 + random.nextInt(150);
    Map<Long, Double> truth = new HashMap<>();
    double total = 0;
    for (int interval = 0; interval < 5; interval++) {
      int count = random.nextInt(400);
      for (int i = 0; i < count; i++) {
        long key = (long) (keys * Math.pow(random.nextDouble(), 3)) - 20;
        reads.add(key, 1);
        truth.merge(key, 1.0, Double::sum);
      }
      total += count;
      String failed = "seed " + seed + " interval " + interval;
      assertTrue(reads.errorBound() <= total / 8 + ROUNDING, failed);
      for (long key = -25; key < keys; key++) {
        double real = truth.getOrDefault(key, 0.0);
        double sure = reads.sureReads(key);
        double most = reads.mostReads(key);
        assertTrue(sure <= real + ROUNDING, failed);
        assertTrue(real <= most + ROUNDING, failed);
        assertTrue(most - sure <= reads.errorBound() + ROUNDING, failed);
      }
      if (interval < 4) {
        reads.decay(kept);
        truth.replaceAll((key, real) -> real * kept);
        total *= kept;
      }
    }
    return reads.errorBound() > 0;
  }

  /** Whichever is more, with few counters for many keys. */
  @Test
  void neverSaysLessAtMostThanWasReadOrExpected() {
    for (long seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ReadCounters reads = new ReadCounters(1 + random.nextInt(100), false);
      int keys = 1 + random.nextInt(150);
      Map<Long, Double> read = new HashMap<>();
      Map<Long, Double> expected = new HashMap<>();
      for (int i = 0; i < 500; i++) {
        long key = (long) (keys * Math.pow(random.nextDouble(), 3));
        if (random.nextInt(3) == 0) {
          reads.expect(key, 1);
          expected.merge(key, 1.0, Double::sum);
        } else {
          reads.add(key, 1);
          read.merge(key, 1.0, Double::sum);
        }
      }
      for (long key = 0; key < keys; key++) {
        String failed = "seed " + seed + " key " + key;
        double had = read.getOrDefault(key, 0.0);
        assertTrue(reads.sureReads(key) <= had, failed);
        assertTrue(reads.mostReads(key) >= Math.max(had, expected.getOrDefault(key, 0.0)), failed);
      }
    }
  }

  @Test
  void losesNoReadOfManyThreads() throws InterruptedException {
    ReadCounters reads = new ReadCounters(1024, false);
    Thread[] threads = new Thread[4];
    Arrays.setAll(
        threads,
        t ->
            new Thread(
                () -> {
                  for (int i = 0; i < 50_000; i++) {
                    reads.add(i % 10, 1);
                  }
                }));
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int key = 0; key < 10; key++) {
      assertEquals(20_000, reads.sureReads(key));
    }
  }
}
