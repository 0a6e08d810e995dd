package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.function.Function;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.eafr.WaitingCopies;

/** Bridge: copies that wait for their sources, in the memory of one NameNode. */
public final class NameNodeCopies implements WaitingCopies {
  private final BlockManager blockManager;
  private final SourceQueue queue;

  public NameNodeCopies(BlockManager blockManager, SourceQueue queue) {
    this.blockManager = blockManager;
    this.queue = queue;
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
    queue.offer(
        source,
        copy -> {
          DatanodeDescriptor other = sender.apply(copy.targets);
          if (other != null) {
            queue.add(other, copy);
          }
          return other != null;
        });
  }
}
