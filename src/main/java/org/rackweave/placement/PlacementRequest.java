package org.rackweave.placement;

import static org.rackweave.model.ClusterTopology.NONE;

/**
 * A request for replicas of one block.
 *
 * @param replicas how many more replicas are wanted, at least 1
 * @param writer node the bytes come from, {@link org.rackweave.model.ClusterTopology#NONE} when it
 *     is not a DataNode
 * @param writerRack rack the bytes come from, {@code NONE} when unknown
 * @param existing nodes that hold a replica already, in HDFS's order; do not modify
 * @param newBlock whether the block is being written (no replica exists yet)
 * @param localAllowed whether the writer's own node may be chosen first
 * @param forbiddenRack rack that must not be used, or {@code NONE}
 * @param maxPerRack most replicas of the block in one rack, counting existing ones
 * @param domainFactor how many distinct fault domains the replicas should span; 0 where only racks
 *     matter
 * @param sizeBytes expected size of the block
 */
public record PlacementRequest(
    int replicas,
    int writer,
    int writerRack,
    int[] existing,
    boolean newBlock,
    boolean localAllowed,
    int forbiddenRack,
    int maxPerRack,
    int domainFactor,
    long sizeBytes) {

  private static final int[] NO_NODES = {};

  /** A block that is being written by a client on the given node of the given rack. */
  public static PlacementRequest newBlock(
      int replicas, int writer, int writerRack, int maxPerRack, long sizeBytes) {
    return new PlacementRequest(
        replicas, writer, writerRack, NO_NODES, true, true, NONE, maxPerRack, 0, sizeBytes);
  }
}
