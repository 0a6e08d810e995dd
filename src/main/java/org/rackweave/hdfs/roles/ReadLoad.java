package org.rackweave.hdfs.roles;

/**
 * Reads of a DataNode, by what its agent tells.
 *
 * @param reads under way and waiting, a moving average
 * @param places how many it can serve at a time, at least 1
 */
public record ReadLoad(int reads, int places) {}
