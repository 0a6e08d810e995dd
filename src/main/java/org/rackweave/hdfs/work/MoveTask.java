package org.rackweave.hdfs.work;

import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.ErasureCode;

/**
 * Moves the one replica of a block of an encoded stripe to the DataNode that has the order. It is
 * deleted where it was once HDFS has heard of the new one.
 *
 * @param code of the stripe
 * @param from the block with the DataNode that has it
 * @param to the same block with the place it goes to
 * @param bytesPerSec is HDFS's business, which has a limit of its own for moves; not negative
 */
public record MoveTask(ErasureCode code, LocatedBlock from, LocatedBlock to, long bytesPerSec)
    implements Task {

  /**
   * @throws IllegalArgumentException when the two are not of one block, or a block is on none or
   *     several DataNodes
   */
  public MoveTask {
    StripeUnit.requireOnePlace(from);
    StripeUnit.requireOnePlace(to);
    if (!from.getBlock().equals(to.getBlock())) {
      throw new IllegalArgumentException(from.getBlock() + " cannot become " + to.getBlock());
    }
    Task.requireRate(bytesPerSec);
  }

  @Override
  public int blocksRead() {
    return 1;
  }
}
