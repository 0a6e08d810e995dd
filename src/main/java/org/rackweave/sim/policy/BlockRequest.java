package org.rackweave.sim.policy;

import java.util.BitSet;

/**
 * A block to be written.
 *
 * @param writer node of the client, {@link org.rackweave.model.ClusterTopology#NONE} for one
 *     outside
 * @param sizeBytes of the block
 * @param replicas wanted, at least 1
 * @param excluded nodes the client could not reach; do not modify
 */
public record BlockRequest(int writer, long sizeBytes, int replicas, BitSet excluded) {}
