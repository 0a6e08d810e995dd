package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.roles.SleepLookup;

/** Bridge: replicas of servers that sleep, and their maintenance, in the memory of one NameNode. */
public final class NameNodeSleep implements SleepLookup {
  /** Where HDFS queues blocks none of whose replicas can be read. */
  private static final int[] URGENT = {
    LowRedundancyBlocks.QUEUE_HIGHEST_PRIORITY, LowRedundancyBlocks.QUEUE_WITH_CORRUPT_BLOCKS
  };

  private final Namesystem namesystem;
  private final BlockManager blockManager;
  private final DatanodeManager datanodes;

  public NameNodeSleep(NameNode nameNode) {
    namesystem = nameNode.getNamesystem();
    blockManager = nameNode.getNamesystem().getBlockManager();
    datanodes = blockManager.getDatanodeManager();
  }

  @Override
  public Look look(
      DatanodeDescriptor server, int from, int count, Predicate<DatanodeDescriptor> awake) {
    namesystem.readLock();
    try {
      Iterator<BlockInfo> blocks = server.getBlockIterator(from);
      for (int looked = 0; looked < count; looked++) {
        if (!blocks.hasNext()) {
          return Look.ALL_AWAKE;
        }
        Look look = look(blocks.next(), server, awake);
        if (look != Look.MORE) {
          return look;
        }
      }
      return blocks.hasNext() ? Look.MORE : Look.ALL_AWAKE;
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  private Look look(
      BlockInfo block, DatanodeDescriptor server, Predicate<DatanodeDescriptor> awake) {
    if (block.isDeleted() || blockManager.getBlockCollection(block) == null) {
      return Look.MORE; // nobody's any more
    }
    if (block.isStriped()) {
      return Look.ERASURE_CODED;
    }
    if (!block.isComplete()) {
      return Look.WRITTEN;
    }
    if (blockManager.isReplicaCorrupt(block, server)) {
      return Look.MORE;
    }
    int missing = Math.max(1, blockManager.getMinMaintenanceStorageNum(block));
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (node != server
          && storage.getState() == DatanodeStorage.State.NORMAL
          && node.isAlive()
          && node.isInService()
          && !isStale(node)
          && !storage.areBlockContentsStale()
          && !blockManager.isReplicaCorrupt(block, node)
          && !blockManager.isExcess(node, block)
          && awake.test(node)) {
        missing--;
      }
    }
    return missing > 0 ? Look.NEEDED : Look.MORE;
  }

  @Override
  public Urgent urgent(int from, int count) {
    List<AsleepBlock> asleep = new ArrayList<>();
    int at = 0;
    namesystem.readLock();
    try {
      synchronized (blockManager.neededReconstruction) {
        for (int queue : URGENT) {
          Iterator<BlockInfo> blocks = blockManager.neededReconstruction.iterator(queue);
          while (blocks.hasNext() && at < from + count) {
            BlockInfo block = blocks.next();
            if (at++ >= from) {
              describe(block, asleep);
            }
          }
        }
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return new Urgent(asleep, Math.max(0, at - from));
  }

  private void describe(BlockInfo block, List<AsleepBlock> asleep) {
    if (block.isDeleted() || block.isStriped()) {
      return;
    }
    List<DatanodeDescriptor> holders = new ArrayList<>();
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (blockManager.isReplicaCorrupt(block, node)) {
        continue;
      }
      if (!node.isMaintenance()) {
        return; // it can be read, or will be drained
      }
      holders.add(node);
    }
    if (!holders.isEmpty()) {
      asleep.add(new AsleepBlock(block.getBlockId(), holders));
    }
  }

  @Override
  public boolean isStale(DatanodeDescriptor server) {
    return server.isStale(datanodes.getStaleInterval());
  }

  @Override
  public void beginMaintenance(DatanodeDescriptor server, long expiryMs) {
    namesystem.writeLock();
    try {
      if (server.isInService() || server.isMaintenance()) {
        datanodes.getDatanodeAdminManager().startMaintenance(server, expiryMs);
      }
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
  }

  @Override
  public void endMaintenance(DatanodeDescriptor server) {
    DatanodeAdminManager admin = datanodes.getDatanodeAdminManager();
    HostConfigManager rules = datanodes.getHostConfigManager();
    namesystem.writeLock();
    try {
      long operatorsMs = rules.getMaintenanceExpirationTimeInMS(server);
      if (server.maintenanceNotExpired(operatorsMs)) {
        admin.startMaintenance(server, operatorsMs);
        return;
      }
      admin.stopMaintenance(server);
      if (rules.isExcluded(server)) {
        admin.startDecommission(server);
      }
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
  }
}
