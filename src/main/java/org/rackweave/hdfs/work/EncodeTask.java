package org.rackweave.hdfs.work;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.ErasureCode;

/**
 * Makes the parity blocks of one stripe and puts them where they belong.
 *
 * @param code of the stripe
 * @param data 1 to k blocks in order, each with the one DataNode to read it from
 * @param parity n - k blocks in order, each with the one DataNode and storage to write it to
 * @param bytesPerSec most that is read in a second; 0 as fast as it goes
 */
public record EncodeTask(
    ErasureCode code, List<LocatedBlock> data, List<LocatedBlock> parity, long bytesPerSec)
    implements Task {

  /**
   * @throws IllegalArgumentException when this is no stripe of the code, or a block is to be on
   *     none or several DataNodes
   */
  public EncodeTask {
    data = List.copyOf(data);
    parity = List.copyOf(parity);
    if (data.isEmpty() || data.size() > code.dataBlocks()) {
      throw new IllegalArgumentException(
          data.size() + " data blocks: " + code.name() + " has 1 to " + code.dataBlocks());
    }
    if (parity.size() != code.parityBlocks()) {
      throw new IllegalArgumentException(
          parity.size() + " parity blocks: " + code.name() + " has " + code.parityBlocks());
    }
    data.forEach(StripeUnit::requireOnePlace);
    parity.forEach(StripeUnit::requireOnePlace);
    Task.requireRate(bytesPerSec);
  }

  @Override
  public int blocksRead() {
    return data.size();
  }
}
