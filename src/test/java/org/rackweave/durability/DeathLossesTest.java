package org.rackweave.durability;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.durability.DeathLosses.Loss;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class DeathLossesTest {
  private record Stored(int[][] pieces, int spare) {
    boolean isLostBy(Set<Integer> dead) {
      return Arrays.stream(pieces)
              .filter(holders -> IntStream.of(holders).allMatch(dead::contains))
              .count()
          > spare;
    }
  }

  private static ClusterTopology topology(int racks, int nodesInEach) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < racks * nodesInEach; node++) {
      places.add(new NodePlace("n" + node, "/r" + node / nodesInEach, null));
    }
    return ClusterTopology.of(places);
  }

  private static DeathLosses losses(ClusterTopology topology, List<Stored> all) {
    DeathLosses losses = new DeathLosses(topology);
    all.forEach(stored -> losses.add(stored.pieces(), stored.spare(), 1));
    return losses;
  }

  private static long lost(List<Stored> all, Integer... dead) {
    return all.stream().filter(stored -> stored.isLostBy(Set.of(dead))).count();
  }

  private static Stored block(int... holders) {
    return new Stored(new int[][] {holders}, 0);
  }

  private static Stored stripe(int spare, int... holders) {
    return new Stored(
        IntStream.of(holders).mapToObj(node -> new int[] {node}).toArray(int[][]::new), spare);
  }

  @Test
  void noMorePairsAreCountedThanItMayHold() {
    ClusterTopology topology = topology(2, 3);
    DeathLosses losses = new DeathLosses(topology, 2);
    for (Stored block : List.of(block(0, 1), block(1, 2), block(0, 1))) {
      losses.add(block.pieces(), 0, 1);
    }
    assertFalse(losses.lacksPairs());
    losses.add(block(3, 4).pieces(), 0, 5);
    losses.add(block(1, 2).pieces(), 0, 3);
    assertTrue(losses.lacksPairs());
    Loss two = losses.twoDeaths(new int[] {0, 1, 2, 3, 4, 5});
    assertEquals(4, two.worst());
    assertArrayEquals(new int[] {1, 2}, two.where());
  }

  @Test
  void blocksWithOneReplicaAreLostByOneDeathAndWithTwoByThatPair() {
    ClusterTopology topology = topology(2, 2);
    List<Stored> all = List.of(block(0), block(1, 2), block(1, 2), block(0, 1, 2), block(0, 1));
    DeathLosses losses = losses(topology, all);
    int[] live = {0, 1, 2, 3};
    assertEquals(1, losses.oneDeath(live).worst());
    assertArrayEquals(new int[] {0}, losses.oneDeath(live).where());
    assertEquals(0.25, losses.oneDeath(live).mean(), 1e-9);
    assertEquals(2, losses.twoDeaths(live).worst());
    assertEquals(2, losses.rackDeath(live).worst(), "n0 and n1 are one rack");
    assertEquals(1, losses.rackDeath(live).mean(), 1e-9);
  }

  @Test
  void aStripeIsLostOnceHoweverManyOfItsBlocksAre() {
    DeathLosses losses = losses(topology(3, 2), List.of(stripe(0, 0, 1), stripe(1, 2, 2, 3)));
    int[] live = {0, 1, 2, 3, 4, 5};
    assertEquals(1, losses.oneDeath(live).worst());
    assertEquals(3 / 6.0, losses.oneDeath(live).mean(), 1e-9, "by n0, n1 and n2");
    assertEquals(2, losses.twoDeaths(live).worst());
    assertEquals(1, losses.rackDeath(live).worst());
  }

  @Test
  void nothingIsLostWhereThereIsNothing() {
    DeathLosses none = new DeathLosses(topology(1, 1));
    for (int[] live : new int[][] {{}, {0}}) {
      assertEquals(0, none.oneDeath(live).worst());
      assertEquals(0, none.twoDeaths(live).mean());
      assertEquals(0, none.rackDeath(live).where().length);
    }
  }

  /** Against all DataNodes, all pairs and all racks of random small clusters. */
  @Test
  void worstAndMeanAreThoseOfEveryDeathTried() {
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      int racks = 1 + random.nextInt(3);
      int inEach = 1 + random.nextInt(4);
      ClusterTopology topology = topology(racks, inEach);
      int nodes = racks * inEach;
      List<Stored> all = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        all.add(
            random.nextInt(3) > 0 ? block(some(random, nodes, 3)) : randomStripe(random, nodes));
      }
      DeathLosses losses = losses(topology, all);
      DeathLosses doubled = new DeathLosses(topology);
      all.forEach(stored -> doubled.add(stored.pieces(), stored.spare(), 2));
      int[] live = IntStream.range(0, nodes).toArray();
      String what = "seed " + seed;
      List<Long> one = IntStream.of(live).mapToObj(node -> lost(all, node)).toList();
      List<Long> two = new ArrayList<>();
      for (int a = 0; a < nodes; a++) {
        for (int b = a + 1; b < nodes; b++) {
          two.add(lost(all, a, b));
        }
      }
      List<Long> rack =
          IntStream.range(0, racks)
              .mapToObj(
                  r ->
                      lost(
                          all,
                          IntStream.of(live)
                              .filter(node -> topology.rackOf(node) == r)
                              .boxed()
                              .toArray(Integer[]::new)))
              .toList();
      assertLoss(one, losses.oneDeath(live), what);
      assertLoss(two, losses.twoDeaths(live), what);
      assertLoss(rack, losses.rackDeath(live), what);
      assertEquals(2 * losses.twoDeaths(live).worst(), doubled.twoDeaths(live).worst(), 1e-9, what);
      Loss pair = losses.twoDeaths(live);
      if (pair.where().length > 0) {
        assertEquals(pair.worst(), lost(all, pair.where()[0], pair.where()[1]), 1e-9, what);
      }
    }
  }

  private static void assertLoss(List<Long> each, Loss loss, String what) {
    assertEquals(each.stream().mapToLong(l -> l).max().orElse(0), loss.worst(), 1e-9, what);
    assertEquals(each.stream().mapToLong(l -> l).average().orElse(0), loss.mean(), 1e-9, what);
    assertTrue(loss.worst() == 0 || loss.where().length > 0, what);
  }

  private static int[] some(Random random, int nodes, int most) {
    Set<Integer> some = new TreeSet<>();
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      some.add(random.nextInt(nodes));
    }
    return some.stream().mapToInt(node -> node).toArray();
  }

  private static Stored randomStripe(Random random, int nodes) {
    int[][] pieces = new int[1 + random.nextInt(5)][];
    Arrays.setAll(pieces, piece -> some(random, nodes, 2));
    return new Stored(pieces, random.nextInt(3));
  }
}
