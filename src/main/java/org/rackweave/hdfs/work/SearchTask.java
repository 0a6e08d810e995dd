package org.rackweave.hdfs.work;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.ErasureCode;

/**
 * Looks which of some blocks the DataNode that has the order stores a replica of. Nothing is read;
 * the answer is the length of each, in {@link WorkResult#readBytes}, 0 for none.
 *
 * @param code of the blocks' stripes
 * @param blocks of any stripes of that code, each on no DataNode; 1 to {@value #BLOCKS_MAX}
 */
public record SearchTask(ErasureCode code, List<LocatedBlock> blocks) implements Task {
  public static final int BLOCKS_MAX = WorkCodec.ENTRIES_MAX;

  /**
   * @throws IllegalArgumentException when there is no block, or too many
   */
  public SearchTask {
    blocks = List.copyOf(blocks);
    if (blocks.isEmpty() || blocks.size() > BLOCKS_MAX) {
      throw new IllegalArgumentException(blocks.size() + " blocks to look for: 1 to " + BLOCKS_MAX);
    }
  }

  @Override
  public long bytesPerSec() {
    return 0;
  }

  @Override
  public int blocksRead() {
    return 0;
  }
}
