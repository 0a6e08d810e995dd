package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.MixedRandom;

class BestLinkIndexTest {
  private static final double NEVER = BestLinkIndex.NEVER;

  private static BestLinkIndex index(double... keys) {
    return new BestLinkIndex(keys, ones(keys.length));
  }

  private static int[] ones(int count) {
    int[] weights = new int[count];
    Arrays.fill(weights, 1);
    return weights;
  }

  private static List<Integer> order(BestLinkIndex index, Random random) {
    BestLinkIndex.Walk walk = index.walk(random);
    List<Integer> order = new ArrayList<>();
    for (int link = walk.next(); link >= 0; link = walk.next()) {
      order.add(link);
    }
    return order;
  }

  @Test
  void walksFromTheBestLinkToTheWorst() {
    assertEquals(List.of(1, 3, 0, 2), order(index(20, 90, -5, 70), new Random(1)));
  }

  @Test
  void leavesOutWhatMustNotBeOffered() {
    assertEquals(List.of(2), order(index(NEVER, NEVER, 0), new Random(1)));
    assertEquals(List.of(), order(index(NEVER, NEVER, NEVER), new Random(1)));
    assertEquals(NEVER, index(NEVER, NEVER, NEVER).bestKey());
  }

  @Test
  void isEmptyWithoutLinks() {
    assertEquals(List.of(), order(index(), new Random(1)));
    assertEquals(NEVER, index().bestKey());
    assertEquals(NEVER, index().walk(new Random(1)).peekKey());
  }

  @Test
  void staysAtTheEnd() {
    BestLinkIndex.Walk walk = index(1).walk(new Random(1));
    assertEquals(0, walk.next());
    assertEquals(-1, walk.next());
    assertEquals(-1, walk.next());
    assertEquals(NEVER, walk.peekKey());
  }

  @Test
  void offersALinkThatWasNotOfferedBefore() {
    BestLinkIndex index = index(NEVER, 5, NEVER);
    index.update(2, 9);
    index.update(1, NEVER);
    assertEquals(List.of(2), order(index, new Random(1)));
    assertEquals(9, index.bestKey());
  }

  /** Every size up to two levels beyond a power of two, with ties, gaps and updates. */
  @Test
  void agreesWithSorting() {
    long seed = System.nanoTime();
    System.out.println("best link against sorting, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int size = 0; size <= 70; size++) {
      for (int round = 0; round < 60; round++) {
        double[] keys = new double[size];
        Arrays.setAll(keys, i -> randomKey(random));
        BestLinkIndex index = new BestLinkIndex(keys, ones(size));
        assertSorted(keys, index, random, seed);
        for (int update = 0; update < size; update++) {
          int link = random.nextInt(size);
          keys[link] = randomKey(random);
          index.update(link, keys[link]);
          assertEquals(
              Arrays.stream(keys).max().orElse(NEVER), index.bestKey(), () -> "seed " + seed);
        }
        assertSorted(keys, index, random, seed);
      }
    }
  }

  private static double randomKey(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> NEVER;
      case 1 -> random.nextInt(4);
      default -> random.nextInt(1000);
    };
  }

  private static void assertSorted(double[] keys, BestLinkIndex index, Random random, long seed) {
    double[] expected =
        Arrays.stream(keys)
            .boxed()
            .filter(key -> key != NEVER)
            .sorted(Comparator.reverseOrder())
            .mapToDouble(key -> key)
            .toArray();
    BestLinkIndex.Walk walk = index.walk(random);
    BitSet seen = new BitSet();
    for (double key : expected) {
      assertEquals(key, walk.peekKey(), () -> "seed " + seed);
      int link = walk.next();
      assertTrue(link >= 0 && link < keys.length && !seen.get(link), () -> "seed " + seed);
      assertEquals(key, keys[link], () -> "seed " + seed);
      assertEquals(key, index.key(link));
      seen.set(link);
    }
    assertEquals(-1, walk.next(), () -> "seed " + seed);
  }

  @Test
  void agreesWithSortingOnTheLargestClusters() {
    long seed = System.nanoTime();
    System.out.println("25,000 links against sorting, seed " + seed);
    Random random = MixedRandom.of(seed);
    double[] keys = new double[25_000];
    Arrays.setAll(keys, i -> randomKey(random));
    BestLinkIndex index = new BestLinkIndex(keys, ones(keys.length));
    for (int update = 0; update < 5_000; update++) {
      int link = random.nextInt(keys.length);
      keys[link] = randomKey(random);
      index.update(link, keys[link]);
    }
    double[] expected =
        Arrays.stream(keys)
            .boxed()
            .filter(key -> key != NEVER)
            .sorted(Comparator.reverseOrder())
            .limit(500)
            .mapToDouble(key -> key)
            .toArray();
    BestLinkIndex.Walk walk = index.walk(random);
    double[] walked = IntStream.range(0, 500).mapToDouble(i -> keys[walk.next()]).toArray();
    assertArrayEquals(expected, walked, () -> "seed " + seed);
  }

  /**
   * Chances of tied links follow their weights at the first and at the second place. 60,000 draws
   * of a share p spread by less than sqrt(p (1-p) / 60,000) = 0.2 points; five times that is
   * allowed.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8, 11})
  void drawsEqualLinksByWeight(int size) {
    double[] keys = new double[size + 2];
    int[] weights = new int[size + 2];
    for (int link = 0; link < size; link++) {
      keys[link] = 7;
      weights[link] = 1 + link;
    }
    keys[size] = 6; // worse: never first, whatever its weight
    weights[size] = 1000;
    keys[size + 1] = NEVER;
    weights[size + 1] = 1000;
    BestLinkIndex index = new BestLinkIndex(keys, weights);
    Random random = new Random(20130812);
    int draws = 60_000;
    int[] first = new int[size + 2];
    int[] second = new int[size + 2];
    for (int draw = 0; draw < draws; draw++) {
      BestLinkIndex.Walk walk = index.walk(random);
      first[walk.next()]++;
      second[walk.next()]++;
    }
    double total = size * (size + 1) / 2.0;
    for (int link = 0; link < size; link++) {
      assertEquals(weights[link] / total, first[link] / (double) draws, 0.01, "first, " + link);
      double expected = 0;
      for (int other = 0; other < size; other++) {
        expected +=
            other == link ? 0 : weights[other] / total * weights[link] / (total - weights[other]);
      }
      assertEquals(expected, second[link] / (double) draws, 0.01, "second, " + link);
    }
  }

  @Test
  void drawsEvenlyAmongEqualLinksAfterUpdates() {
    BestLinkIndex index = index(1, 9, 3, 9, 2);
    index.update(0, 9);
    index.update(1, 4);
    Random random = new Random(20130812);
    int[] first = new int[5];
    for (int draw = 0; draw < 60_000; draw++) {
      first[index.walk(random).next()]++;
    }
    assertEquals(0.5, first[0] / 60_000.0, 0.01);
    assertEquals(0.5, first[3] / 60_000.0, 0.01);
  }

  /** Walks beside an updating thread: an old order is allowed, a wrong link or no end is not. */
  @Test
  void endsAndYieldsEachLinkAtMostOnceWhileKeysChange() throws Exception {
    int links = 37;
    BestLinkIndex index = new BestLinkIndex(new double[links], ones(links));
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<?> writer =
          threads.submit(
              () -> {
                Random random = new Random(1);
                while (!done.get()) {
                  index.update(random.nextInt(links), randomKey(random));
                }
              });
      Callable<Void> walks =
          () -> {
            Random random = new Random(2);
            for (int round = 0; round < 50_000; round++) {
              assertOneWalk(index, links, random);
            }
            return null;
          };
      threads.submit(walks).get(60, TimeUnit.SECONDS);
      done.set(true);
      writer.get(60, TimeUnit.SECONDS);
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }

  private static void assertOneWalk(BestLinkIndex index, int links, Random random) {
    BitSet seen = new BitSet();
    BestLinkIndex.Walk walk = index.walk(random);
    for (int link = walk.next(); link >= 0; link = walk.next()) {
      if (link >= links || seen.get(link)) {
        fail("link " + link + " after " + seen);
      }
      seen.set(link);
    }
  }

  private static BestLinkIndex alike(double... rooms) {
    return BestLinkIndex.ofAlike(rooms, ones(rooms.length));
  }

  /** One of eight steps between 64 and 128 is from 96 up to 104. */
  @Test
  void linksWithNearlyAsMuchRoomTakeTurnsTheBetterOfTwoBeforeTheOther() {
    BestLinkIndex index = alike(97, 103, 50, 96, 100, 103.9, 95);
    int[] first = new int[7];
    Random random = new Random(5);
    for (int i = 0; i < 25_000; i++) {
      first[index.walk(random).next()]++;
    }
    // Of five, two draws have the best among them with 9/25, the next with 7/25, down to 1/25.
    int[] expected = {3_000, 7_000, 0, 1_000, 5_000, 9_000, 0};
    for (int link = 0; link < 7; link++) {
      assertEquals(expected[link], first[link], 250, Arrays.toString(first));
    }
  }

  @Test
  void alikeLinksAreAllWalkedOnceAndNoneBeforeOneOfAHigherStep() {
    Random random = new Random(6);
    for (int round = 0; round < 200; round++) {
      double[] rooms = random.doubles(30, 0, 300).toArray();
      List<Integer> order = order(alike(rooms), random);
      assertEquals(30, order.stream().distinct().count());
      for (int i = 1; i < order.size(); i++) {
        double before = rooms[order.get(i - 1)];
        assertTrue(before > rooms[order.get(i)] * 8 / 9, "round " + round);
      }
    }
  }

  @Test
  void alikeLinksFollowWhatBecomesOfThem() {
    BestLinkIndex index = alike(97, 103, NEVER);
    index.update(0, 103.5);
    index.update(1, 0);
    index.update(2, 300);
    assertEquals(List.of(2, 0, 1), order(index, new Random(7)));
    assertEquals(96, index.key(0));
    assertEquals(0, index.key(1));
    index.update(2, NEVER);
    assertEquals(List.of(0, 1), order(index, new Random(7)));
  }
}
