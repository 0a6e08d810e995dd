package org.rackweave.eafr;

/** What stands in the way of another factor. */
public enum FileKind {
  REPLICATED,
  /** Its redundancy is its code's. */
  ERASURE_CODED,
  /** HDFS keeps as many replicas as the snapshot asks for. */
  IN_SNAPSHOT,
  /** Not closed yet. */
  BEING_WRITTEN
}
