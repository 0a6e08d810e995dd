package org.rackweave.sim.workload;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * What a failed node held, without storing what all the others hold: at Dayu's scale a cluster has
 * three hundred million chunks, of which one recovery touches a quarter of a million (section 2.2).
 *
 * <p>The two surviving replicas of each chunk lie where random placement leaves them. In two racks,
 * as HDFS has it, two of three replicas share a rack, and the failed node's was each of them
 * equally often. What other nodes have in common with the failed one then follows the bell curve
 * the paper shows (figure 1e).
 */
public final class LostChunks {

  private static final double ALONE = 1.0 / 3;

  private final ClusterTopology topology;
  private final int failed;
  private final int count;
  private final Distribution sizeBytes;
  private final Layout layout;
  private final long seed;

  /** How the replicas of a chunk stand in racks. */
  public enum Layout {
    /** Two share a rack, the third stands in another; as HDFS places. */
    TWO_RACKS,
    /**
     * Each in a rack of its own; as Dayu's rule for destinations keeps them, which are "not in the
     * same rack of its sources" (section 4.1).
     */
    DISTINCT_RACKS
  }

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
   * @param topology at least two racks and three nodes; three racks for distinct ones
   * @param failed the failed node
   * @param count how many chunks it held; the paper has 250,000
   * @param sizeBytes of a chunk; most of the paper's have 64 MB
   */
  public LostChunks(
      ClusterTopology topology,
      int failed,
      int count,
      Distribution sizeBytes,
      Layout layout,
      SplittableRandom random) {
    if (layout == Layout.DISTINCT_RACKS && topology.rackCount() < 3) {
      throw new IllegalArgumentException("replicas in distinct racks need three racks");
    }
    if (topology.rackCount() < 2 || topology.nodeCount() < 3) {
      throw new IllegalArgumentException("replicas in two racks need two racks and three nodes");
    }
    this.topology = topology;
    this.failed = failed;
    this.count = count;
    this.sizeBytes = sizeBytes;
    this.layout = layout;
    this.seed = random.nextLong();
    int home = topology.rackOf(failed);
    paired =
        IntStream.range(0, topology.nodeCount())
            .filter(node -> topology.rackOf(node) != home)
            .filter(node -> topology.rackSize(topology.rackOf(node)) > 1)
            .toArray();
    if (layout == Layout.TWO_RACKS && paired.length == 0 && topology.rackSize(home) == 1) {
      throw new IllegalArgumentException("no rack has two nodes left to share");
    }
  }

  /** The chunks, by number; every call gives the same. */
  public Stream<Lost> chunks() {
    Drawing drawing = drawing();
    return Streamed.until(() -> drawing.drawn < count ? drawing.next() : null);
  }

  /** The chunks one by one; every call begins with the first. */
  public Drawing drawing() {
    return new Drawing(new SplittableRandom(seed));
  }

  /** How many chunks the node held. */
  public int count() {
    return count;
  }

  /** Gives chunks as long as it is asked, more of the same kind once all have been given. */
  public final class Drawing {
    private final SplittableRandom random;
    private long drawn;

    private Drawing(SplittableRandom random) {
      this.random = random;
    }

    public Lost next() {
      long bytes = Math.max(1, Math.round(sizeBytes.draw(random)));
      return layout == Layout.TWO_RACKS
          ? inTwoRacks(drawn++, bytes, random)
          : inDistinctRacks(drawn++, bytes, random);
    }
  }

  private Lost inDistinctRacks(long chunk, long bytes, SplittableRandom random) {
    int first = elsewhere(random);
    int second = elsewhere(random);
    while (topology.rackOf(second) == topology.rackOf(first)) {
      second = elsewhere(random);
    }
    return new Lost(chunk, bytes, first, second);
  }

  private Lost inTwoRacks(long chunk, long bytes, SplittableRandom random) {
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
