package org.rackweave.hdfs.dayu;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What a copy takes of links.
 *
 * @param from its source
 * @param to its target
 * @param bytesPerSec of late
 */
record CopyLoad(DatanodeDescriptor from, DatanodeDescriptor to, double bytesPerSec) {}
