package org.rackweave.sim.policy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sinbad.Spread;

class SpreadPolicyTest {
  private final SmallCluster small = new SmallCluster(4, 5);
  private final ClusterTopology topology = small.topology;
  private final Rules rules = new Rules(small.cluster, small.loop);

  private PlacementPolicy random(Spread spread, long seed) {
    return new SpreadPolicy(topology, rules, spread, new RandomChoice(new SplittableRandom(seed)));
  }

  private static BlockRequest from(int writer, int replicas) {
    return new BlockRequest(writer, 10, replicas, new BitSet());
  }

  private long racksOf(int[] nodes) {
    return Arrays.stream(nodes).map(topology::rackOf).distinct().count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void stockKeepsHdfsRulesWhoeverWrites(long seed) {
    PlacementPolicy stock = random(Spread.TWO_RACK, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      int writer = random.nextInt(-1, topology.nodeCount());
      int[] nodes = stock.place(from(writer, 3));
      assertEquals(3, Arrays.stream(nodes).distinct().count());
      assertEquals(2, racksOf(nodes));
      if (writer >= 0) {
        assertEquals(writer, nodes[0]);
        assertEquals(topology.rackOf(nodes[1]), topology.rackOf(nodes[2]));
      }
    }
  }

  @Test
  void distinctRacksAreDistinctAsLongAsThereAreSome() {
    PlacementPolicy distinct = random(Spread.DISTINCT_RACKS, 3);
    assertEquals(3, racksOf(distinct.place(from(0, 3))));
    assertEquals(4, racksOf(distinct.place(from(0, 6))));
  }

  @Test
  void whatIsDeclaredDeadFullOrExcludedIsNeverChosen() {
    small.cluster.failRack(1, 0);
    small.loop.runUntil(SimTime.ofMs(700_000));
    small.cluster.store(3, 995);
    BitSet excluded = new BitSet();
    excluded.set(4);
    PlacementPolicy stock = random(Spread.TWO_RACK, 5);
    for (int i = 0; i < 500; i++) {
      int[] nodes = stock.place(new BlockRequest(3, 10, 3, excluded));
      assertEquals(3, nodes.length);
      for (int node : nodes) {
        assertFalse(topology.rackOf(node) == 1 || node == 3 || node == 4, "node " + node);
      }
    }
  }

  @Test
  void aNodeThatHasJustGoneIsStillOffered() {
    small.cluster.fail(0, 0);
    assertEquals(0, random(Spread.TWO_RACK, 5).place(from(0, 3))[0]);
  }

  @Test
  void fewerNodesThanReplicasGiveAllTheyAre() {
    SmallCluster two = new SmallCluster(2, 1);
    PlacementPolicy stock =
        new SpreadPolicy(
            two.topology,
            new Rules(two.cluster, two.loop),
            Spread.TWO_RACK,
            new RandomChoice(new SplittableRandom(1)));
    assertArrayEquals(new int[] {0, 1}, stock.place(from(0, 3)));
  }

  @Test
  void theLeastLoadedNodesAreChosenAndTiesAreSpread() {
    for (int node = 0; node < topology.nodeCount(); node++) {
      small.cluster.writing(node, node == 7 || node == 12 ? 0 : 2);
    }
    PlacementPolicy least =
        new SpreadPolicy(
            topology,
            rules,
            Spread.DISTINCT_RACKS,
            new LeastLoadedChoice(small.cluster, new SplittableRandom(1)));
    int[] nodes = least.place(from(ClusterTopology.NONE, 2));
    Arrays.sort(nodes);
    assertArrayEquals(new int[] {7, 12}, nodes);
    BitSet seen = new BitSet();
    for (int i = 0; i < 200; i++) {
      seen.set(least.place(from(0, 2))[1]);
    }
    assertTrue(seen.get(7) && seen.get(12));
    assertEquals(2, seen.cardinality());
  }
}
