package org.rackweave.hdfs.copies;

/** How a scheduled copy stands, as far as a NameNode knows. */
public enum CopyState {
  /** HDFS expects the replica. */
  UNDER_WAY,
  /** HDFS expects a replica that will not come: its source or its target is dead. */
  BROKEN,
  /** The replica is there. */
  ARRIVED,
  /** HDFS no longer expects it: the block was deleted, or it took too long. */
  GIVEN_UP,
  /** It was ended for another of the same block. */
  CANCELLED
}
