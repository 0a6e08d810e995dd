package org.rackweave.eafr;

/**
 * A replica that a failed server had.
 *
 * @param failed the server
 * @param holders servers of the block's other live replicas; do not modify
 * @param temperature of its file
 */
public record LostReplica(
    long blockId, int failed, int[] holders, long sizeBytes, Temperature temperature) {}
