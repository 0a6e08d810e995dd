package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.dayu.WaitingBlock;

/** What a planner needs to know of blocks; for callers that hold the namesystem's lock. */
final class BlockDescriber {
  private final BlockManager blockManager;

  BlockDescriber(BlockManager blockManager) {
    this.blockManager = blockManager;
  }

  /**
   * A block that waits for a replica, {@code null} for one that is not ours.
   *
   * @param lost DataNodes that are to be taken for some that have not got it and will not
   */
  WaitingBlock describe(BlockInfo block, int priority, Set<DatanodeDescriptor> lost) {
    BlockCollection file = blockManager.getBlockCollection(block);
    if (block.isStriped() || file == null || !block.isCompleteOrCommitted()) {
      return null; // left to stock, which is not held back for striped blocks
    }
    List<DatanodeDescriptor> sources = new ArrayList<>();
    List<DatanodeDescriptor> standing = new ArrayList<>();
    List<DatanodeDescriptor> barred = new ArrayList<>();
    List<DatanodeStorageInfo> counted = new ArrayList<>();
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (lost.contains(node)) {
        continue;
      }
      if (isUnwanted(block, node)) {
        barred.add(node);
      } else {
        (isReadable(storage) ? sources : standing).add(node);
        counted.add(storage);
      }
    }
    List<DatanodeStorageInfo> pending = blockManager.pendingReconstruction.getTargets(block);
    if (pending != null) {
      for (DatanodeStorageInfo storage : pending) {
        if (!lost.contains(storage.getDatanodeDescriptor())) {
          standing.add(storage.getDatanodeDescriptor());
          counted.add(storage);
        }
      }
    }
    return new WaitingBlock(
        block.getBlockId(),
        block.getNumBytes(),
        priority,
        block.getReplication(),
        storageType(block, file, counted),
        sources,
        standing,
        barred);
  }

  /** As HDFS queues a block with so many replicas left. */
  int priorityWithout(BlockInfo block, Set<DatanodeDescriptor> lost) {
    int left = 0;
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      left += !lost.contains(storage.getDatanodeDescriptor()) && isReadable(storage) ? 1 : 0;
    }
    if (left <= 1) {
      return LowRedundancyBlocks.QUEUE_HIGHEST_PRIORITY;
    }
    return left * 3 < block.getReplication()
        ? LowRedundancyBlocks.QUEUE_VERY_LOW_REDUNDANCY
        : LowRedundancyBlocks.QUEUE_LOW_REDUNDANCY;
  }

  /** Whether a replica is none that HDFS counts on. */
  boolean isUnwanted(BlockInfo block, DatanodeDescriptor node) {
    return blockManager.isReplicaCorrupt(block, node) || blockManager.isExcess(node, block);
  }

  /**
   * Whether a replica that is wanted can be read; those of drained nodes are stock's last resort.
   */
  static boolean isReadable(DatanodeStorageInfo storage) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return storage.getState() == DatanodeStorage.State.NORMAL
        && storage.getStorageType() != StorageType.PROVIDED
        && node.isAlive()
        && !node.isDecommissioned()
        && !node.isInMaintenance();
  }

  /** Of the replica that is to be made. */
  private int storageType(
      BlockInfo block, BlockCollection file, List<DatanodeStorageInfo> counted) {
    StorageTypeQuota quota =
        StorageTypeQuota.of(
            blockManager.getStoragePolicy(file.getStoragePolicyID()), counted.size() + 1, counted);
    return Arrays.stream(StorageTypeQuota.types())
        .filter(quota::wants)
        .mapToInt(StorageType::ordinal)
        .findFirst()
        .orElse(WaitingBlock.NO_TYPE);
  }
}
