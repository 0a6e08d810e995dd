package org.rackweave.hdfs.dayu;

/**
 * A copy that is whole. What was measured of links still holds its bytes for a while.
 *
 * @param copy as it was last known
 * @param atMs when that was noticed
 */
record ArrivedCopy(RunningCopy copy, long atMs) {}
