package org.rackweave.sim.workload;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * What a failed node held, without storing what all the others hold: at Dayu's scale a cluster has
 * three hundred million chunks, of which one recovery touches a quarter of a million (section 2.2).
 *
 * <p>The two surviving replicas of each chunk lie where random placement leaves them: of three
 * replicas two share a rack, and the failed node's was each of them equally often. What other nodes
 * have in common with the failed one then follows the bell curve the paper shows (figure 1e).
 */
public final class LostChunks {

  private static final double ALONE = 1.0 / 3;

  private final ClusterTopology topology;
  private final int failed;
  private final int count;
  private final Distribution sizeBytes;
  private final long seed;

  /** Nodes of other racks that have a neighbour to share a rack with. */
  private final int[] paired;

  /**
   * A chunk that lost a replica.
   *
   * @param chunk its number, from 0
   * @param sizeBytes at least 1
   * @param holderA a node with a surviving replica
   * @param holderB another one
   */
  public record Lost(long chunk, long sizeBytes, int holderA, int holderB) {}

  /**
   * @param topology at least two racks and three nodes
   * @param failed the failed node
   * @param count how many chunks it held; the paper has 250,000
   * @param sizeBytes of a chunk; most of the paper's have 64 MB
   */
  public LostChunks(
      ClusterTopology topology,
      int failed,
      int count,
      Distribution sizeBytes,
      SplittableRandom random) {
    if (topology.rackCount() < 2 || topology.nodeCount() < 3) {
      throw new IllegalArgumentException("replicas in two racks need two racks and three nodes");
    }
    this.topology = topology;
    this.failed = failed;
    this.count = count;
    this.sizeBytes = sizeBytes;
    this.seed = random.nextLong();
    int home = topology.rackOf(failed);
    paired =
        IntStream.range(0, topology.nodeCount())
            .filter(node -> topology.rackOf(node) != home)
            .filter(node -> topology.rackSize(topology.rackOf(node)) > 1)
            .toArray();
    if (paired.length == 0 && topology.rackSize(home) == 1) {
      throw new IllegalArgumentException("no rack has two nodes left to share");
    }
  }

  /** The chunks, by number; every call gives the same. */
  public Stream<Lost> chunks() {
    SplittableRandom random = new SplittableRandom(seed);
    long[] number = {0};
    return Streamed.until(() -> number[0] < count ? lost(number[0]++, random) : null);
  }

  private Lost lost(long chunk, SplittableRandom random) {
    long bytes = Math.max(1, Math.round(sizeBytes.draw(random)));
    boolean hasNeighbour = topology.rackSize(topology.rackOf(failed)) > 1;
    boolean alone = !hasNeighbour || paired.length > 0 && random.nextDouble() < ALONE;
    if (alone) {
      int first = paired[random.nextInt(paired.length)];
      return new Lost(chunk, bytes, first, neighbour(first, random));
    }
    return new Lost(chunk, bytes, neighbour(failed, random), elsewhere(random));
  }

  private int neighbour(int node, SplittableRandom random) {
    int rack = topology.rackOf(node);
    int other = topology.firstNode(rack) + random.nextInt(topology.rackSize(rack) - 1);
    return other < node ? other : other + 1;
  }

  private int elsewhere(SplittableRandom random) {
    int home = topology.rackOf(failed);
    int other = random.nextInt(topology.nodeCount() - topology.rackSize(home));
    return other < topology.firstNode(home) ? other : other + topology.rackSize(home);
  }
}
