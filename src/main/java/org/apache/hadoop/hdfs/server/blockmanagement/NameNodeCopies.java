package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor.BlockTargetPair;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.eafr.WaitingCopies;

/** Bridge: copies that wait for their sources, in the memory of one NameNode. */
public final class NameNodeCopies implements WaitingCopies {
  private final BlockManager blockManager;

  public NameNodeCopies(BlockManager blockManager) {
    this.blockManager = blockManager;
  }

  @Override
  public boolean arePlacedByEafr() {
    return blockManager.getBlockPlacementPolicy() instanceof RackweaveBlockPlacementPolicy policy
        && policy.serves(Feature.HEAT);
  }

  @Override
  public boolean canSend(DatanodeDescriptor source, int coming) {
    return source.isAlive()
        && source.isInService()
        && !source.isStale(blockManager.getDatanodeManager().getStaleInterval())
        && source.getNumberOfBlocksToBeReplicated()
                + source.getNumberOfBlocksToBeErasureCoded()
                + coming
            < blockManager.getMaxReplicationStreams();
  }

  @Override
  public void redirect(
      DatanodeDescriptor source, Function<DatanodeStorageInfo[], DatanodeDescriptor> sender) {
    List<BlockTargetPair> waiting = source.getReplicationCommand(Integer.MAX_VALUE);
    if (waiting == null) {
      return;
    }
    for (BlockTargetPair copy : waiting) {
      DatanodeDescriptor other = sender.apply(copy.targets);
      (other == null ? source : other).addBlockToBeReplicated(copy.block, copy.targets);
    }
  }
}
