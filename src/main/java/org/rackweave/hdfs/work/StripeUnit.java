package org.rackweave.hdfs.work;

import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.ErasureCode;

/**
 * One block of a stripe.
 *
 * @param number its place, data first, then parity, from 0
 * @param block with the one DataNode it is read from or written to
 */
public record StripeUnit(int number, LocatedBlock block) {

  /**
   * @throws IllegalArgumentException when the code has no such place, or the block is on none or
   *     several DataNodes
   */
  void requireIn(ErasureCode code) {
    if (number < 0 || number >= code.blocks()) {
      throw new IllegalArgumentException(
          code.name() + " has no block " + number + ", only 0 to " + (code.blocks() - 1));
    }
    requireOnePlace(block);
  }

  static void requireOnePlace(LocatedBlock block) {
    if (block.getLocations().length != 1) {
      throw new IllegalArgumentException(
          block.getBlock() + " on " + block.getLocations().length + " DataNodes and not on one");
    }
  }
}
