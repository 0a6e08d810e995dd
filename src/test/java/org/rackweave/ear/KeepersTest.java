package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class KeepersTest {
  private static final long SEED = 77;
  private static final int RACKS = 6;
  private static final int NODES_PER_RACK = 3;

  private final ClusterTopology topology = topology();
  private final StripeRules rules = new StripeRules(new ErasureCode(3, 2), 1, 0, 4, 1000, 1000);

  private static ClusterTopology topology() {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < RACKS * NODES_PER_RACK; node++) {
      places.add(new NodePlace("n" + node, "/r" + node / NODES_PER_RACK, null));
    }
    return ClusterTopology.of(places);
  }

  private Optional<int[]> choose(int[][] data, int[][] parity) {
    return Keepers.choose(
        rules,
        topology,
        new StripeLocations(ClusterTopology.NONE, TargetRacks.ALL, data, parity),
        new Random(SEED));
  }

  @Test
  void keepsAwayFromTheRacksOfParity() {
    // Racks 0 and 1 hold parity; each block has a replica elsewhere.
    int[][] parity = {{0}, {3}};
    int[] keepers = choose(new int[][] {{1, 6}, {2, 9}, {4, 12}}, parity).orElseThrow();
    assertEquals("[6, 9, 12]", Arrays.toString(keepers));
  }

  @Test
  void thereMayBeNone() {
    int[][] parity = {{0}, {3}};
    assertTrue(choose(new int[][] {{1, 2}, {9}, {12}}, parity).isEmpty());
    assertTrue(choose(new int[][] {{6}, {}, {12}}, parity).isEmpty());
    assertTrue(choose(new int[][] {{6}, {9}, {12}}, new int[][] {{0}, {1}}).isEmpty());
  }

  /** By trying every combination of replicas. */
  private boolean isPossible(int[][] data, int[][] parity, int block, Set<Integer> racks) {
    if (block == data.length) {
      return true;
    }
    for (int node : data[block]) {
      int rack = topology.rackOf(node);
      if (racks.add(rack)) {
        boolean possible = isPossible(data, parity, block + 1, racks);
        racks.remove(rack);
        if (possible) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void findsThemWheneverThereAreSome() {
    Random random = new Random(SEED);
    int found = 0;
    for (int i = 0; i < 5000; i++) {
      int[][] data = new int[3][];
      for (int block = 0; block < 3; block++) {
        data[block] = random.ints(3, 0, RACKS * NODES_PER_RACK).distinct().toArray();
      }
      int[][] parity = {{0}, {3 + random.nextInt(3)}};
      Optional<int[]> keepers = choose(data, parity);
      assertEquals(
          isPossible(data, parity, 0, new HashSet<>(List.of(0, 1))),
          keepers.isPresent(),
          () -> "seed " + SEED + ": " + Arrays.deepToString(data));
      if (keepers.isPresent()) {
        found++;
        Set<Integer> racks = new HashSet<>(List.of(0, 1));
        for (int block = 0; block < 3; block++) {
          int keeper = keepers.get()[block];
          assertTrue(Arrays.stream(data[block]).anyMatch(node -> node == keeper));
          assertTrue(racks.add(topology.rackOf(keeper)), "one block a rack");
        }
      }
    }
    assertTrue(found > 1000 && found < 5000, found + " of 5000");
  }
}
