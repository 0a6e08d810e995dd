package org.rackweave.hdfs.dayu;

import java.util.BitSet;

/**
 * Which blocks a DataNode had a replica of when HDFS took it for dead; HDFS itself forgets that. A
 * Bloom filter of two bytes a replica: it knows every block it was told of, and takes one in some
 * four hundred others for one of them. Filled by one thread, then read by any.
 */
public final class BlockBloomFilter {
  private static final int BITS_EACH = 16;
  private static final int HASHES = 4;
  private static final long ODD = 0x9E3779B97F4A7C15L;

  private final BitSet bits;
  private final int size;

  /**
   * @param replicas that will be added, from 0
   */
  public BlockBloomFilter(int replicas) {
    size = (int) Math.min(Integer.MAX_VALUE, BITS_EACH * Math.max(1L, replicas));
    bits = new BitSet(size);
  }

  /** Adds a block by its number. */
  public void add(long block) {
    for (int i = 0; i < HASHES; i++) {
      bits.set(place(block, i));
    }
  }

  /** Whether a block was added; may be wrong only in saying so. */
  boolean mayHold(long block) {
    for (int i = 0; i < HASHES; i++) {
      if (!bits.get(place(block, i))) {
        return false;
      }
    }
    return true;
  }

  /** Numbers of blocks follow one another: all bits of each have to count. */
  private int place(long block, int i) {
    long mixed = (block + (i + 1) * ODD) * ODD;
    mixed = (mixed ^ mixed >>> 29) * ODD;
    return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, size);
  }
}
