package org.rackweave.sim.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.SmallCluster;

/**
 * RR's encoding (EAR, sections II-B and V): any stripe of any replicas, thousands of small ones.
 */
class RandomEncodingTest {
  private static final int RACKS = 7;
  private static final int NODES_PER_RACK = 2;
  private static final int CASES = 2000;

  private final ClusterTopology topology = new SmallCluster(RACKS, NODES_PER_RACK).topology;

  @Test
  void keepsTheRackLimitAndMovesNoMoreThanItMust() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      int limit = 1 + dice.nextInt(2);
      StripeRules rules = StripeRules.of(new ErasureCode(4, 2)).withRackLimit(limit);
      int[][] data = new int[4][];
      for (int block = 0; block < data.length; block++) {
        data[block] = replicas(dice);
      }
      int taskNode = dice.nextInt(topology.nodeCount());
      EncodingSteps steps =
          new RandomEncoding(rules, topology, dice)
              .choose(ReplicatedStripe.ofConsecutive(data), taskNode);
      String failed = "seed " + seed;
      assertSound(steps, limit, failed);
      int moved = 0;
      for (int block = 0; block < data.length; block++) {
        assertTrue(has(data[block], steps.keepers()[block]), failed);
        assertTrue(has(data[block], steps.sources()[block]), failed);
        assertNearest(data[block], taskNode, steps.sources()[block], failed);
        moved += steps.homes()[block] == steps.keepers()[block] ? 0 : 1;
      }
      assertEquals(data.length - mostKept(data, 0, new int[data.length], limit), moved, failed);
    }
  }

  private int[] replicas(SplittableRandom dice) {
    // Four racks of the seven, so that blocks crowd.
    int first = dice.nextInt(4 * NODES_PER_RACK);
    int second;
    do {
      second = dice.nextInt(4 * NODES_PER_RACK);
    } while (topology.rackOf(second) == topology.rackOf(first));
    return new int[] {first, second};
  }

  private void assertSound(EncodingSteps steps, int limit, String failed) {
    Set<Integer> nodes = new HashSet<>();
    Map<Integer, Integer> inRack = new HashMap<>();
    IntStream.concat(Arrays.stream(steps.homes()), Arrays.stream(steps.parityTargets()))
        .forEach(
            node -> {
              assertTrue(nodes.add(node), failed);
              inRack.merge(topology.rackOf(node), 1, Integer::sum);
            });
    inRack.values().forEach(blocks -> assertTrue(blocks <= limit, failed));
  }

  private void assertNearest(int[] replicas, int reader, int source, String failed) {
    if (has(replicas, reader)) {
      assertEquals(reader, source, failed);
    } else {
      int rack = topology.rackOf(reader);
      boolean isNear = Arrays.stream(replicas).anyMatch(node -> topology.rackOf(node) == rack);
      assertEquals(isNear, topology.rackOf(source) == rack, failed);
    }
  }

  private static boolean has(int[] nodes, int wanted) {
    return Arrays.stream(nodes).anyMatch(node -> node == wanted);
  }

  /** The dumb way: every choice of one replica or none for each block. */
  private int mostKept(int[][] data, int block, int[] chosen, int limit) {
    if (block == data.length) {
      return 0;
    }
    chosen[block] = -1;
    int most = mostKept(data, block + 1, chosen, limit);
    for (int node : data[block]) {
      if (mayKeep(node, chosen, block, limit)) {
        chosen[block] = node;
        most = Math.max(most, 1 + mostKept(data, block + 1, chosen, limit));
      }
    }
    return most;
  }

  private boolean mayKeep(int node, int[] chosen, int count, int limit) {
    int inRack = 0;
    for (int i = 0; i < count; i++) {
      if (chosen[i] == node) {
        return false;
      }
      inRack += chosen[i] >= 0 && topology.rackOf(chosen[i]) == topology.rackOf(node) ? 1 : 0;
    }
    return inRack < limit;
  }
}
