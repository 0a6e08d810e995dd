package org.rackweave.hdfs.work;

import org.rackweave.ear.ErasureCode;

/**
 * Reads a parity block back from the DataNode that stores it.
 *
 * @param code of the stripe
 * @param parity the block, with the one DataNode to read it from
 * @param proof what it has to be
 * @param bytesPerSec most that is read in a second; 0 as fast as it goes
 */
public record VerifyTask(ErasureCode code, StripeUnit parity, StripeProof proof, long bytesPerSec)
    implements Task {

  /**
   * @throws IllegalArgumentException when this is no parity of the code, or the block is on none or
   *     several DataNodes
   */
  public VerifyTask {
    parity.requireIn(code);
    if (parity.number() < code.dataBlocks()) {
      throw new IllegalArgumentException("block " + parity.number() + " is no parity");
    }
    Task.requireOf(code, proof);
    Task.requireRate(bytesPerSec);
  }

  @Override
  public int blocksRead() {
    return 1;
  }
}
