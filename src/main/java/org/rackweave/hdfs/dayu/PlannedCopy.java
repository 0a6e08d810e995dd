package org.rackweave.hdfs.dayu;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.copies.PendingCopies;

/**
 * A copy that a plan wants made.
 *
 * @param blockId of the block
 * @param sizeBytes its length
 * @param priority HDFS's queue it waits in
 * @param storageType ordinal of the type that the new replica needs
 * @param source where it is read
 * @param target where it is written
 * @param bytesPerSec how fast
 */
public record PlannedCopy(
    long blockId,
    long sizeBytes,
    int priority,
    int storageType,
    DatanodeDescriptor source,
    DatanodeDescriptor target,
    double bytesPerSec)
    implements PendingCopies.Copy {}
