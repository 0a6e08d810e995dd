package org.rackweave.sim.encoding;

import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.rackweave.ear.StripeRules;
import org.rackweave.graph.GroupedMatching;
import org.rackweave.model.ClusterTopology;

/**
 * How stripes are encoded that nobody placed for it: the paper's RR (sections II and V). The task's
 * node reads each block from its nearest replica. One replica of as many blocks as possible is kept
 * such that nodes are distinct and no rack has more than c; the others have to be relocated. Parity
 * and relocated blocks go to random nodes with room.
 *
 * <p>Which replicas HDFS-RAID keeps, the paper does not say. The largest set, which a maximum
 * matching finds, is the best for RR: keeping others relocates more.
 */
public final class RandomEncoding implements EncodingChoice {
  private final StripeRules rules;
  private final ClusterTopology topology;
  private final SplittableRandom random;

  public RandomEncoding(StripeRules rules, ClusterTopology topology, SplittableRandom random) {
    this.rules = rules;
    this.topology = topology;
    this.random = random;
  }

  @Override
  public EncodingSteps choose(ReplicatedStripe stripe, int taskNode) {
    int[][] data = stripe.data();
    int parity = rules.code().parityBlocks();
    GroupedMatching kept = new GroupedMatching(data.length + parity, rules.rackLimit());
    int[] numbers = new int[data.length];
    for (int block = 0; block < data.length; block++) {
      int[] racks = IntStream.of(data[block]).map(topology::rackOf).toArray();
      numbers[block] = kept.add(data[block], racks, racks.length);
      if (kept.matchOf(numbers[block]) == GroupedMatching.NONE) {
        kept.remove(numbers[block]);
        numbers[block] = GroupedMatching.NONE;
      }
    }
    int[] parityTargets = new int[parity];
    for (int i = 0; i < parity; i++) {
      parityTargets[i] = takeRoom(kept);
    }
    int[] homes = new int[data.length];
    for (int block = 0; block < data.length; block++) {
      homes[block] =
          numbers[block] == GroupedMatching.NONE ? takeRoom(kept) : kept.matchOf(numbers[block]);
    }
    // Room found later may have changed which replica is kept, so all are read off at the end.
    int[] keepers = new int[data.length];
    for (int block = 0; block < data.length; block++) {
      boolean stays = numbers[block] != GroupedMatching.NONE;
      homes[block] = stays ? kept.matchOf(numbers[block]) : homes[block];
      keepers[block] = stays ? homes[block] : any(data[block]);
    }
    return new EncodingSteps(taskNode, sources(data, taskNode), parityTargets, keepers, homes);
  }

  /** Takes a node on which one more block finds room beside the rest, each as likely. */
  private int takeRoom(GroupedMatching kept) {
    int[] fitting =
        IntStream.range(0, topology.nodeCount())
            .filter(node -> kept.fits(node, topology.rackOf(node)))
            .toArray();
    if (fitting.length == 0) {
      throw new IllegalStateException(
          "no node has room for a block of a stripe of "
              + rules.code().name()
              + " with at most "
              + rules.rackLimit()
              + " in a rack");
    }
    int node = any(fitting);
    kept.add(new int[] {node}, new int[] {topology.rackOf(node)}, 1);
    return node;
  }

  private int[] sources(int[][] data, int reader) {
    int[] sources = new int[data.length];
    for (int block = 0; block < data.length; block++) {
      int[] local = only(data[block], node -> node == reader);
      int[] near = only(data[block], node -> topology.rackOf(node) == topology.rackOf(reader));
      sources[block] = any(local.length > 0 ? local : near.length > 0 ? near : data[block]);
    }
    return sources;
  }

  private static int[] only(int[] nodes, IntPredicate wanted) {
    return IntStream.of(nodes).filter(wanted).toArray();
  }

  private int any(int[] nodes) {
    return nodes[random.nextInt(nodes.length)];
  }
}
