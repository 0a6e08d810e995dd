package org.rackweave.placement;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * Stock HDFS's spread, drawn at random: the paper's RR ("random replication"), and what EAR redraws
 * from.
 *
 * <p><b>Goals.</b> Every node of the racks in question has the same chance.
 *
 * <p><b>Constraints.</b> Those of {@link Draft}; an admissible node is found whenever there is one,
 * unless the bound on refused candidates is reached first.
 *
 * <p><b>Algorithm.</b> For each slot up to {@code drawsMax} nodes are drawn, with replacement. When
 * none was taken, the racks that may be entered are walked through once, from a node drawn among
 * theirs. Example: in a cluster of two racks where nine of the ten nodes of the second are full, 16
 * draws miss the last one with a chance of 19 %; the walk then finds it.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class RandomPlacement implements ReplicaChooser {
  private final ClusterTopology topology;
  private final int drawsMax;
  private final int candidatesMax;

  /**
   * @param drawsMax draws for a slot before all nodes are tried in turn, at least 0
   * @param candidatesMax candidates that admission may refuse before we give up, at least 1
   */
  public RandomPlacement(ClusterTopology topology, int drawsMax, int candidatesMax) {
    this.topology = topology;
    this.drawsMax = drawsMax;
    this.candidatesMax = candidatesMax;
  }

  @Override
  public PlacementDecision choose(
      PlacementRequest request, Admission admission, RandomGenerator random) {
    return new RandomDraft(request, admission, random).fillAll(FallbackReason.NOT_ENOUGH_NODES);
  }

  private final class RandomDraft extends Draft {
    private final RandomGenerator random;

    RandomDraft(PlacementRequest request, Admission admission, RandomGenerator random) {
      super(RandomPlacement.this.topology, request, admission, candidatesMax);
      this.random = random;
    }

    /** Nodes of a rack have consecutive numbers, so leaving one rack out is a jump. */
    @Override
    protected boolean takeOutside(int avoided, int replicas) {
      int gapAt = avoided == NONE ? topology.nodeCount() : topology.firstNode(avoided);
      int gap = avoided == NONE ? 0 : topology.rackSize(avoided);
      int nodes = topology.nodeCount() - gap;
      for (int draw = 0; draw < drawsMax && nodes > 0 && !limitReached(); draw++) {
        int drawn = random.nextInt(nodes);
        if (tryNode(drawn < gapAt ? drawn : drawn + gap)) {
          return true;
        }
      }
      return walkOutside(avoided);
    }

    private boolean walkOutside(int avoided) {
      int reachable = 0;
      for (int rack = 0; rack < topology.rackCount(); rack++) {
        reachable += rack != avoided && mayEnter(rack) ? topology.rackSize(rack) : 0;
      }
      if (reachable == 0) {
        return false;
      }
      int rack = 0;
      for (int skip = random.nextInt(reachable); ; rack++) {
        int size = rack != avoided && mayEnter(rack) ? topology.rackSize(rack) : 0;
        if (skip < size) {
          break;
        }
        skip -= size;
      }
      for (int i = 0; i < topology.rackCount() && !limitReached(); i++) {
        if (rack != avoided && mayEnter(rack) && walk(rack)) {
          return true;
        }
        rack = rack + 1 == topology.rackCount() ? 0 : rack + 1;
      }
      return false;
    }

    @Override
    protected boolean takeIn(int rack) {
      if (!mayEnter(rack)) {
        return false;
      }
      int size = topology.rackSize(rack);
      for (int draw = 0; draw < Math.min(drawsMax, size) && !limitReached(); draw++) {
        if (tryNode(topology.firstNode(rack) + random.nextInt(size))) {
          return true;
        }
      }
      return walk(rack);
    }

    private boolean walk(int rack) {
      int size = topology.rackSize(rack);
      int first = topology.firstNode(rack);
      int start = random.nextInt(size);
      for (int i = 0; i < size && !limitReached(); i++) {
        if (tryNode(first + (start + i < size ? start + i : start + i - size))) {
          return true;
        }
      }
      return false;
    }

    private boolean tryNode(int node) {
      return !isChosen(node) && !isRefused(node) && take(node, false);
    }
  }
}
