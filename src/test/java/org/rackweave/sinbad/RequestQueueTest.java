package org.rackweave.sinbad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

/** OPT' (section 5.2): requests of one interval, fewest remaining blocks of their file first. */
class RequestQueueTest {
  @Test
  void putsTheFileWithFewestRemainingBlocksFirst() {
    RequestQueue<String> queue = new RequestQueue<>(10);
    queue.offer("large", 40);
    queue.offer("small", 1);
    queue.offer("middle", 7);
    assertEquals(List.of("small", "middle", "large"), queue.drain());
  }

  @Test
  void servesEqualFilesInOrderOfArrival() {
    RequestQueue<Integer> queue = new RequestQueue<>(100);
    List<Integer> arrived = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      queue.offer(i, 3);
      arrived.add(i);
    }
    assertEquals(arrived, queue.drain());
  }

  @Test
  void turnsRequestsAwayWhenFull() {
    RequestQueue<String> queue = new RequestQueue<>(2);
    assertTrue(queue.offer("a", 2));
    assertTrue(queue.offer("b", 1));
    assertFalse(queue.offer("c", 0));
    assertEquals(List.of("b", "a"), queue.drain());
    assertEquals(List.of(), queue.drain());
    assertTrue(queue.offer("c", 0), "empty again");
  }

  @Test
  void holdsNothingWithABoundOfZero() {
    assertFalse(new RequestQueue<String>(0).offer("a", 1));
  }

  /** Blocks through one link, one a second; the mean time at which a file's last block is done. */
  private static double meanFileSeconds(List<String> blocksInOrder) {
    Map<String, Integer> doneAt = new HashMap<>();
    for (int i = 0; i < blocksInOrder.size(); i++) {
      doneAt.put(blocksInOrder.get(i), i + 1);
    }
    return doneAt.values().stream().mapToInt(seconds -> seconds).average().orElseThrow();
  }

  /**
   * Section 5.2: with files of different sizes OPT, which takes blocks as they come, is not
   * optimal.
   */
  @Test
  void beatsOrderOfArrivalWhereFilesDiffer() {
    List<String> arrival = List.of("large", "large", "large", "small");
    RequestQueue<String> queue = new RequestQueue<>(10);
    arrival.forEach(file -> queue.offer(file, file.equals("large") ? 3 : 1));
    assertEquals(3.5, meanFileSeconds(arrival));
    assertEquals(2.5, meanFileSeconds(queue.drain()));
  }

  /** Theorem B.2, by trying every order of the files on small examples. */
  @Test
  void minimisesTheMeanFileTime() {
    long seed = System.nanoTime();
    System.out.println("fewest remaining first against every order, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int round = 0; round < 200; round++) {
      List<Integer> sizes = new ArrayList<>();
      RequestQueue<String> queue = new RequestQueue<>(1000);
      int files = 1 + random.nextInt(5);
      for (int file = 0; file < files; file++) {
        sizes.add(1 + random.nextInt(6));
        for (int block = 0; block < sizes.get(file); block++) {
          queue.offer("file" + file, sizes.get(file));
        }
      }
      assertEquals(
          leastMean(sizes, 0, 0, sizes.size()),
          meanFileSeconds(queue.drain()),
          1e-9,
          () -> "seed " + seed);
    }
  }

  private static double leastMean(List<Integer> left, int seconds, int sum, int files) {
    if (left.isEmpty()) {
      return (double) sum / files;
    }
    double least = Double.MAX_VALUE;
    for (int i = 0; i < left.size(); i++) {
      List<Integer> rest = new ArrayList<>(left);
      int done = seconds + rest.remove(i);
      least = Math.min(least, leastMean(rest, done, sum + done, files));
    }
    return least;
  }
}
