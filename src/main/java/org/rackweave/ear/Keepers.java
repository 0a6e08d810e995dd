package org.rackweave.ear;

import java.util.Optional;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * Chooses of an encoded stripe the replica of each data block that stays: on distinct nodes that
 * hold no parity of it, with at most c blocks in a rack.
 */
public final class Keepers {
  private Keepers() {}

  /**
   * @param where all of the stripe's blocks, parity on one node each
   * @param random so that no rack keeps more than its share
   * @return a node of each data block, empty when the stripe cannot keep to its code's limits with
   *     the replicas there are
   */
  public static Optional<int[]> choose(
      StripeRules rules, ClusterTopology topology, StripeLocations where, RandomGenerator random) {
    int dataBlocks = where.data().length;
    StripeLayout layout =
        new StripeLayout(rules, topology, where.targets(), dataBlocks + where.parity().length);
    for (int[] nodes : where.parity()) {
      if (layout.add(nodes) == StripeLayout.NONE) {
        return Optional.empty();
      }
    }
    int[] numbers = new int[dataBlocks];
    for (int block = 0; block < dataBlocks; block++) {
      numbers[block] = layout.add(EncodingPlanner.shuffled(where.data()[block], random));
      if (numbers[block] == StripeLayout.NONE) {
        return Optional.empty();
      }
    }
    int[] keepers = new int[dataBlocks];
    for (int block = 0; block < dataBlocks; block++) {
      keepers[block] = layout.keeperOf(numbers[block]);
    }
    return Optional.of(keepers);
  }
}
