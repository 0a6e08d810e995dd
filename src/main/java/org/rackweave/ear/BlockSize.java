package org.rackweave.ear;

/**
 * What a block that is to be in a stripe takes.
 *
 * @param bytes its length
 * @param replication replicas that its file wants, at least 1
 * @param isKnown false while it is written: then the length is the most that it can be
 */
record BlockSize(long bytes, int replication, boolean isKnown) {
  static BlockSize expected(long bytes, int replication) {
    return new BlockSize(Math.max(1, bytes), replication, false);
  }

  static BlockSize known(long bytes, int replication) {
    return new BlockSize(bytes, replication, true);
  }

  /**
   * Whether both lengths are between the same powers of two: then the shorter one is more than half
   * of the longer one. A length that is only expected may be far too long, and is like no known
   * one.
   */
  boolean isSimilar(BlockSize other) {
    return isKnown == other.isKnown
        && Long.numberOfLeadingZeros(bytes) == Long.numberOfLeadingZeros(other.bytes);
  }
}
