package org.rackweave.ear;

import java.util.Arrays;
import org.rackweave.graph.GroupedMatching;
import org.rackweave.model.ClusterTopology;

/**
 * Where the replicas of a stripe's blocks stand, and one of each that could be kept: on distinct
 * nodes, at most c in a rack, in target racks only. This is the paper's flow graph (block, node,
 * rack) kept incrementally.
 *
 * <p>Room for the n - k parity blocks needs no edges of its own. When the target racks hold n
 * blocks in all (each the smaller of c and its nodes), then k kept blocks leave room for the other
 * n - k, whichever replicas are kept: a rack that keeps d of them has room and nodes for exactly d
 * fewer.
 *
 * <p>Single-threaded.
 */
final class StripeLayout {
  static final int NONE = GroupedMatching.NONE;

  private final ClusterTopology topology;
  private final TargetRacks targets;
  private final GroupedMatching matching;

  /** Where candidates are handed over, so that asking allocates nothing. */
  private int[] nodes = new int[4];

  private int[] racks = new int[4];
  private int count;

  /**
   * @param blocksMax most blocks at a time
   */
  StripeLayout(StripeRules rules, ClusterTopology topology, TargetRacks targets, int blocksMax) {
    this.topology = topology;
    this.targets = targets;
    matching = new GroupedMatching(blocksMax, rules.rackLimit());
  }

  TargetRacks targets() {
    return targets;
  }

  /** Whether one more block could keep a replica, with replicas on these nodes. */
  boolean fits(int... replicas) {
    gather(replicas);
    return matching.fits(nodes, racks, count);
  }

  /** Whether one more block could keep a replica on this node, or on that one. */
  boolean fits(int oneNode, int otherNode) {
    count = 0;
    gather(oneNode);
    gather(otherNode);
    return matching.fits(nodes, racks, count);
  }

  /** Whether some node of a rack would let one more block keep its replica there. */
  boolean hasRoom(int rack) {
    return targets.contains(rack) && matching.hasRoom(rack);
  }

  /**
   * Adds a block.
   *
   * @return its number, the lowest not in use, or {@link #NONE} when not every block could keep a
   *     replica then; nothing has changed in that case
   */
  int add(int... replicas) {
    gather(replicas);
    int block = matching.add(nodes, racks, count);
    if (matching.matchOf(block) != NONE) {
      return block;
    }
    matching.remove(block);
    return NONE;
  }

  void remove(int block) {
    matching.remove(block);
  }

  /** The replica to keep of a block. */
  int keeperOf(int block) {
    return matching.matchOf(block);
  }

  private void gather(int[] replicas) {
    count = 0;
    for (int node : replicas) {
      gather(node);
    }
  }

  private void gather(int node) {
    int rack = topology.rackOf(node);
    if (!targets.contains(rack)) {
      return;
    }
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * count);
      racks = Arrays.copyOf(racks, 2 * count);
    }
    nodes[count] = node;
    racks[count++] = rack;
  }
}
