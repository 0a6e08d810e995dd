package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.RandomPlacement;

/**
 * Nine racks of two nodes, and every set of n - k nodes and of floor((n - k) / c) racks of all
 * there are, against stripes as EAR places them and {@link EncodingPlanner} encodes them, full and
 * short. The cluster test of the same promise has to do with a few sets.
 */
class StripeSurvivalTest {
  private static final int STRIPES = 50;
  private static final int REPLICAS = 3;

  private final ClusterTopology topology = Racks.even(9, 2);

  @ParameterizedTest
  @CsvSource({"rs-6-3, 1, 816, 84", "rs-4-2, 1, 153, 36", "rs-4-2, 2, 153, 9"})
  void survivesEverySetOfNodesAndOfRacksFullOrShort(
      String code, int c, int nodeSets, int rackSets) {
    long seed = System.nanoTime();
    System.out.println(code + " c=" + c + ", seed " + seed);
    StripeRules rules = StripeRules.of(ErasureCode.named(code)).withRackLimit(c);
    Random dice = MixedRandom.of(seed);
    int[] layouts = {0};
    int[] sets = {0, 0};
    for (StripeLocations where : PlacedStripes.place(rules, topology, REPLICAS, STRIPES, dice)) {
      for (int blocks = 1; blocks <= rules.code().dataBlocks(); blocks++) {
        EncodedLayout layout = encoded(rules, firstOf(where, blocks), dice);
        String failed = "seed " + seed + ": " + Arrays.toString(layout.nodes());
        layouts[0]++;
        EncodedLayout.subsets(
            IntStream.range(0, topology.nodeCount()).toArray(),
            rules.nodeFailures(),
            gone -> {
              sets[0]++;
              assertTrue(layout.leftWithout(gone, layout.nodes()) >= layout.needed(), failed);
            });
        EncodedLayout.subsets(
            IntStream.range(0, topology.rackCount()).toArray(),
            rules.rackFailures(),
            gone -> {
              sets[1]++;
              assertTrue(layout.leftWithout(gone, layout.racks()) >= layout.needed(), failed);
            });
      }
    }
    assertEquals(STRIPES * rules.code().dataBlocks(), layouts[0]);
    assertEquals(nodeSets * layouts[0], sets[0], "every set of nodes");
    assertEquals(rackSets * layouts[0], sets[1], "every set of racks");
    System.out.println(
        layouts[0] + " layouts, each " + nodeSets + " sets of nodes, " + rackSets + " of racks");
  }

  /** What the sets are for: one block too many in a rack, and one of them is not survived. */
  @ParameterizedTest
  @CsvSource({"rs-6-3, 1", "rs-4-2, 1", "rs-4-2, 2"})
  void oneBlockMoreThanTheLimitInARackIsFoundOut(String code, int c) {
    long seed = System.nanoTime();
    StripeRules rules = StripeRules.of(ErasureCode.named(code)).withRackLimit(c);
    Random dice = MixedRandom.of(seed);
    StripeLocations where = PlacedStripes.place(rules, topology, REPLICAS, 1, dice).get(0);
    EncodedLayout sound = encoded(rules, where, dice);
    int[] racks = sound.racks().clone();
    int fullest = racks[0];
    int held = (int) IntStream.of(racks).filter(one -> one == fullest).count();
    for (int i = 0; held <= c; i++) {
      held += racks[i] == fullest ? 0 : 1;
      racks[i] = fullest;
    }
    int[] lost = {0};
    EncodedLayout.subsets(
        IntStream.range(0, topology.rackCount()).toArray(),
        rules.rackFailures(),
        gone -> lost[0] += sound.leftWithout(gone, racks) < sound.needed() ? 1 : 0);
    assertTrue(lost[0] > 0, "seed " + seed);
  }

  private static StripeLocations firstOf(StripeLocations where, int blocks) {
    return where.withData(IntStream.range(0, blocks).toArray());
  }

  private EncodedLayout encoded(StripeRules rules, StripeLocations where, Random dice) {
    EncodingAdvice advice =
        new EncodingPlanner(rules, topology)
            .plan(
                where,
                1 << 20,
                new RandomPlacement(topology, 16, topology.nodeCount()),
                (node, local) -> null,
                dice);
    return EncodedLayout.of(assertInstanceOf(EncodingPlan.class, advice), topology);
  }
}
