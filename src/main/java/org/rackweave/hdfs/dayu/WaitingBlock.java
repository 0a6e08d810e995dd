package org.rackweave.hdfs.dayu;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * A block that has fewer replicas than it should, or in too few racks.
 *
 * @param id its number
 * @param sizeBytes its length
 * @param priority HDFS's queue, 0 for the most urgent
 * @param replicas how many it should have
 * @param storageType ordinal of the type that the next replica needs, or {@link #NO_TYPE}
 * @param sources DataNodes it can be read from
 * @param standing others that have it, or will have it
 * @param barred others that must not get it
 */
public record WaitingBlock(
    long id,
    long sizeBytes,
    int priority,
    int replicas,
    int storageType,
    List<DatanodeDescriptor> sources,
    List<DatanodeDescriptor> standing,
    List<DatanodeDescriptor> barred) {

  /** The storage policy leaves no type. */
  public static final int NO_TYPE = -1;

  private static final int STRIPED = -2;

  /** A striped block: stock makes its replicas again, and nobody plans for it. */
  public static WaitingBlock striped(long id, long sizeBytes, int priority) {
    return new WaitingBlock(id, sizeBytes, priority, 0, STRIPED, List.of(), List.of(), List.of());
  }

  boolean isStriped() {
    return storageType == STRIPED;
  }
}
