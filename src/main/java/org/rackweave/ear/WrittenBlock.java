package org.rackweave.ear;

/**
 * A block that is written and is to be encoded.
 *
 * @param id its id
 * @param lengthBytes its length, at least 1
 * @param replication replicas its file wants
 */
public record WrittenBlock(long id, long lengthBytes, int replication) {}
