package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;

/** Bridge: replicas that one NameNode expects because it has had them made. */
final class ExpectedReplicas {
  private final BlockManager blockManager;

  ExpectedReplicas(BlockManager blockManager) {
    this.blockManager = blockManager;
  }

  /** The storage of a DataNode on which a replica is expected, or {@code null}. */
  DatanodeStorageInfo on(BlockInfo block, DatanodeDescriptor target) {
    List<DatanodeStorageInfo> targets = blockManager.pendingReconstruction.getTargets(block);
    return targets == null
        ? null
        : targets.stream()
            .filter(storage -> storage.getDatanodeDescriptor() == target)
            .findFirst()
            .orElse(null);
  }

  /**
   * Goes on expecting a replica that is expected, from now for as long as from its beginning.
   *
   * @param block {@code null} when there is no such block any more
   */
  void expectOn(BlockInfo block, DatanodeDescriptor target) {
    DatanodeStorageInfo storage = block == null ? null : on(block, target);
    if (storage != null) {
      blockManager.pendingReconstruction.increment(block, storage); // sets the time of it only
    }
  }

  /**
   * Expects a replica no longer, so that the block waits for one again if it is short of any. To be
   * called under the namesystem's write lock.
   *
   * @param block {@code null} when there is no such block any more
   */
  void release(BlockInfo block, DatanodeDescriptor target) {
    DatanodeStorageInfo storage = block == null ? null : on(block, target);
    if (storage == null) {
      return;
    }
    blockManager.pendingReconstruction.decrement(block, storage);
    DatanodeStorageInfo.decrementBlocksScheduled(storage);
    NumberReplicas replicas = blockManager.countNodes(block);
    int pending = blockManager.pendingReconstruction.getNumReplicas(block);
    if (blockManager.isNeededReconstruction(block, replicas, pending)) {
      blockManager.neededReconstruction.add(
          block,
          replicas.liveReplicas() + pending,
          replicas.readOnlyReplicas(),
          replicas.outOfServiceReplicas(),
          blockManager.getExpectedRedundancyNum(block));
    }
  }
}
