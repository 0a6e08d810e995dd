package org.rackweave.ear;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/** Where the blocks of an encoded stripe stand: the keepers and parity of a plan, one node each. */
record EncodedLayout(int[] nodes, int[] racks, int needed) {

  static EncodedLayout of(EncodingPlan plan, ClusterTopology topology) {
    int[] nodes =
        IntStream.concat(IntStream.of(plan.keepers()), IntStream.of(plan.parityTargets()))
            .toArray();
    int[] racks = Arrays.stream(nodes).map(topology::rackOf).toArray();
    return new EncodedLayout(nodes, racks, plan.keepers().length);
  }

  /** Blocks left when some nodes fail, or all nodes of some racks. */
  int leftWithout(int[] failed, int[] places) {
    return (int)
        Arrays.stream(places)
            .filter(place -> Arrays.stream(failed).noneMatch(gone -> gone == place))
            .count();
  }

  /** Every set of so many nodes of the stripe, the worst there are. */
  void forEachNodeFailure(int failures, Consumer<int[]> check) {
    subsets(Arrays.stream(nodes).distinct().toArray(), failures, check);
  }

  void forEachRackFailure(int failures, Consumer<int[]> check) {
    subsets(Arrays.stream(racks).distinct().toArray(), failures, check);
  }

  static void subsets(int[] of, int size, Consumer<int[]> check) {
    int[] at = IntStream.range(0, Math.min(size, of.length)).toArray();
    int[] chosen = new int[at.length];
    while (true) {
      Arrays.setAll(chosen, i -> of[at[i]]);
      check.accept(chosen);
      int last = at.length - 1;
      while (last >= 0 && at[last] == of.length - at.length + last) {
        last--;
      }
      if (last < 0) {
        return;
      }
      at[last]++;
      for (int i = last + 1; i < at.length; i++) {
        at[i] = at[i - 1] + 1;
      }
    }
  }
}
