package org.rackweave.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class MaxFlowTest {
  private final MaxFlow network = new MaxFlow();

  private void vertices(int count) {
    network.reset();
    for (int i = 0; i < count; i++) {
      assertEquals(i, network.addVertex());
    }
  }

  @Test
  void goesBackOnAPathThatBlocksTwoOthers() {
    // The shortest path 0-1-2-3 has to give its middle edge back.
    vertices(6);
    int[] edges = {
      network.addEdge(0, 1, 1),
      network.addEdge(1, 2, 1),
      network.addEdge(2, 3, 1),
      network.addEdge(0, 4, 1),
      network.addEdge(4, 2, 1),
      network.addEdge(1, 5, 1),
      network.addEdge(5, 3, 1)
    };
    assertEquals(2, network.run(0, 3));
    assertEquals(0, network.flow(edges[1]));
    assertEquals(1, network.flow(edges[4]));
  }

  @Test
  void takesOnlyWhatTheNarrowestEdgeLetsThrough() {
    vertices(3);
    network.addEdge(0, 1, 7);
    network.addEdge(1, 2, 4);
    assertEquals(4, network.run(0, 2));
  }

  @Test
  void isNothingBetweenSeparateParts() {
    vertices(3);
    network.addEdge(0, 1, 7);
    assertEquals(0, network.run(0, 2));
  }

  /** The theorem of Ford and Fulkerson, with every cut tried. */
  @Test
  void equalsTheSmallestOfAllCuts() {
    long seed = System.nanoTime();
    System.out.println("flow against all cuts, seed " + seed);
    Random dice = MixedRandom.of(seed);
    for (int round = 0; round < 2000; round++) {
      int count = 2 + dice.nextInt(6);
      int[][] capacity = new int[count][count];
      vertices(count);
      for (int edges = dice.nextInt(count * count); edges > 0; edges--) {
        int from = dice.nextInt(count);
        int to = dice.nextInt(count);
        int room = dice.nextInt(5);
        if (from != to) {
          capacity[from][to] += room;
          network.addEdge(from, to, room);
        }
      }
      assertEquals(smallestCut(capacity), network.run(0, count - 1), "seed " + seed);
    }
  }

  private static int smallestCut(int[][] capacity) {
    int sink = capacity.length - 1;
    int smallest = Integer.MAX_VALUE;
    for (int side = 1; side < 1 << sink; side += 2) {
      int cut = 0;
      for (int from = 0; from <= sink; from++) {
        for (int to = 0; to <= sink; to++) {
          cut += (side >> from & 1) == 1 && (side >> to & 1) == 0 ? capacity[from][to] : 0;
        }
      }
      smallest = Math.min(smallest, cut);
    }
    return smallest;
  }
}
