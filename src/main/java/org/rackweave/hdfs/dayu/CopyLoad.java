package org.rackweave.hdfs.dayu;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What a copy takes of links.
 *
 * @param from its source
 * @param to its target
 * @param sent bytes per second that its source sent of late
 * @param received bytes per second that its target received
 */
record CopyLoad(DatanodeDescriptor from, DatanodeDescriptor to, double sent, double received) {}
