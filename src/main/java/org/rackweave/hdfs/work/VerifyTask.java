package org.rackweave.hdfs.work;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.ErasureCode;

/**
 * Reads a parity block back from the DataNode that stores it, and asks DataNodes that have not been
 * read from to encode whether its proof is of the data.
 *
 * @param code of the stripe
 * @param data blocks of the stripe, in order, each with one DataNode that stores it
 * @param parity the block, with the one DataNode to read it from
 * @param proof what it has to be
 * @param bytesPerSec most that is read in a second; 0 as fast as it goes
 */
public record VerifyTask(
    ErasureCode code,
    List<LocatedBlock> data,
    StripeUnit parity,
    StripeProof proof,
    long bytesPerSec)
    implements Task {

  /**
   * @throws IllegalArgumentException when this is no parity of the code, a block is on none or
   *     several DataNodes, or there are other data blocks than the proof is of
   */
  public VerifyTask {
    parity.requireIn(code);
    if (parity.number() < code.dataBlocks()) {
      throw new IllegalArgumentException("block " + parity.number() + " is no parity");
    }
    data = List.copyOf(data);
    data.forEach(StripeUnit::requireOnePlace);
    Task.requireOf(code, proof);
    if (data.size() != proof.lengths().size()) {
      throw new IllegalArgumentException("a proof of another number of data blocks");
    }
    Task.requireRate(bytesPerSec);
  }

  @Override
  public int blocksRead() {
    return 1;
  }
}
