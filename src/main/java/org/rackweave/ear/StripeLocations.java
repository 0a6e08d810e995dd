package org.rackweave.ear;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * Where the blocks of a sealed or encoded stripe are now, in the node numbers of one topology. Only
 * replicas that are to stay are listed: none on dead, stale or decommissioning nodes.
 *
 * @param coreRack rack it was formed in, {@link ClusterTopology#NONE} when that is gone
 * @param targets racks it keeps to
 * @param data nodes of each data block, 1 to k blocks; empty for one that is missing
 * @param parity nodes of each parity block; no entries at all before the stripe is encoded
 */
public record StripeLocations(int coreRack, TargetRacks targets, int[][] data, int[][] parity) {
  private static final int[][] NO_BLOCKS = {};

  /** A stripe that is not encoded yet. */
  public static StripeLocations replicated(int coreRack, TargetRacks targets, int[][] data) {
    return new StripeLocations(coreRack, targets, data, NO_BLOCKS);
  }

  /** The same with some of its data blocks only, numbered anew in the order given. */
  public StripeLocations withData(int[] blocks) {
    return new StripeLocations(
        coreRack,
        targets,
        IntStream.of(blocks).mapToObj(block -> data[block]).toArray(int[][]::new),
        parity);
  }

  /** The same as if some nodes had nothing. */
  public StripeLocations without(IntPredicate nodes) {
    return new StripeLocations(coreRack, targets, without(nodes, data), without(nodes, parity));
  }

  private static int[][] without(IntPredicate nodes, int[][] blocks) {
    return Arrays.stream(blocks)
        .map(holders -> IntStream.of(holders).filter(nodes.negate()).toArray())
        .toArray(int[][]::new);
  }

  /** Whether it has been encoded. */
  public boolean isEncoded() {
    return parity.length > 0;
  }

  /** Nodes of data and parity blocks, data first. */
  Stream<int[]> blocks() {
    return Stream.concat(Arrays.stream(data), Arrays.stream(parity));
  }

  int[] nodesOf(int block) {
    return block < data.length ? data[block] : parity[block - data.length];
  }

  /**
   * The rack in which the stripe is encoded with the fewest blocks to fetch: the one it was formed
   * in, unless another target rack has more of its blocks.
   *
   * @return {@link ClusterTopology#NONE} when no target rack has any
   */
  int encodingRack(ClusterTopology topology) {
    int best = coreRack;
    int most = coreRack == ClusterTopology.NONE ? 0 : blocksIn(coreRack, topology);
    for (int rack : racks(topology)) {
      int blocks = targets.contains(rack) ? blocksIn(rack, topology) : 0;
      if (blocks > most) {
        best = rack;
        most = blocks;
      }
    }
    return best;
  }

  private int[] racks(ClusterTopology topology) {
    return Arrays.stream(data)
        .flatMapToInt(IntStream::of)
        .map(topology::rackOf)
        .distinct()
        .sorted()
        .toArray();
  }

  private int blocksIn(int rack, ClusterTopology topology) {
    return (int) Arrays.stream(data).filter(nodes -> isIn(rack, nodes, topology)).count();
  }

  static boolean isIn(int rack, int[] nodes, ClusterTopology topology) {
    return Arrays.stream(nodes).anyMatch(node -> topology.rackOf(node) == rack);
  }
}
