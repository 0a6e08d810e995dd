package org.rackweave.ear;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * Where the blocks of a sealed or encoded stripe are now, in the node numbers of one topology.
 * Replicas that are to stay are told from those on nodes that are about to leave: these can be
 * read, and the host system copies them, but nothing stays there. What cannot be read is not
 * listed.
 *
 * @param coreRack rack it was formed in, {@link ClusterTopology#NONE} when that is gone
 * @param targets racks it keeps to
 * @param data nodes of each data block, 1 to k blocks; empty for one that has none to stay
 * @param parity nodes of each parity block; no entries at all before the stripe is encoded
 * @param leaving nodes of each block, data first, that are decommissioned or in maintenance, or are
 *     about to be; no entries at all when there are none
 */
public record StripeLocations(
    int coreRack, TargetRacks targets, int[][] data, int[][] parity, int[][] leaving) {
  private static final int[][] NO_BLOCKS = {};

  private static final int[] NO_NODES = {};

  /** Where no node is about to leave. */
  public StripeLocations(int coreRack, TargetRacks targets, int[][] data, int[][] parity) {
    this(coreRack, targets, data, parity, NO_BLOCKS);
  }

  /** A stripe that is not encoded yet, where no node is about to leave. */
  public static StripeLocations replicated(int coreRack, TargetRacks targets, int[][] data) {
    return new StripeLocations(coreRack, targets, data, NO_BLOCKS);
  }

  /** A stripe that is not encoded yet. */
  public static StripeLocations replicated(
      int coreRack, TargetRacks targets, int[][] data, int[][] leaving) {
    return new StripeLocations(coreRack, targets, data, NO_BLOCKS, leaving);
  }

  /** The same with some of its data blocks only, numbered anew in the order given. */
  public StripeLocations withData(int[] blocks) {
    return new StripeLocations(
        coreRack,
        targets,
        IntStream.of(blocks).mapToObj(block -> data[block]).toArray(int[][]::new),
        parity,
        IntStream.concat(
                IntStream.of(blocks), IntStream.range(data.length, data.length + parity.length))
            .mapToObj(this::leavingOf)
            .toArray(int[][]::new));
  }

  /** The same as if some nodes had nothing. */
  public StripeLocations without(IntPredicate nodes) {
    return new StripeLocations(
        coreRack, targets, without(nodes, data), without(nodes, parity), without(nodes, leaving));
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

  private int[] leavingOf(int block) {
    return leaving.length == 0 ? NO_NODES : leaving[block];
  }

  /** Nodes from which a block can be read, those first on which it is to stay. */
  public int[] readable(int block) {
    return leavingOf(block).length == 0
        ? nodesOf(block)
        : IntStream.concat(IntStream.of(nodesOf(block)), IntStream.of(leavingOf(block))).toArray();
  }

  /** Whether a block can be read nowhere. */
  public boolean isMissing(int block) {
    return nodesOf(block).length == 0 && leavingOf(block).length == 0;
  }

  int blockCount() {
    return data.length + parity.length;
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
    return IntStream.range(0, data.length)
        .flatMap(block -> IntStream.of(readable(block)))
        .map(topology::rackOf)
        .distinct()
        .sorted()
        .toArray();
  }

  private int blocksIn(int rack, ClusterTopology topology) {
    return (int)
        IntStream.range(0, data.length)
            .filter(block -> isIn(rack, readable(block), topology))
            .count();
  }

  static boolean isIn(int rack, int[] nodes, ClusterTopology topology) {
    return Arrays.stream(nodes).anyMatch(node -> topology.rackOf(node) == rack);
  }
}
