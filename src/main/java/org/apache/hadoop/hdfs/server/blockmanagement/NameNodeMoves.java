package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.eafr.ReplicaMoves;

/** Bridge: replicas that move, in the memory of one NameNode. */
public final class NameNodeMoves implements ReplicaMoves {
  private final NameNode nameNode;
  private final Namesystem namesystem;
  private final BlockManager blockManager;
  private final ExpectedReplicas expected;

  public NameNodeMoves(NameNode nameNode) {
    this.nameNode = nameNode;
    namesystem = nameNode.getNamesystem();
    blockManager = nameNode.getNamesystem().getBlockManager();
    expected = new ExpectedReplicas(blockManager);
  }

  @Override
  public List<SettledBlock> settled(List<Long> blockIds) {
    List<SettledBlock> found = new ArrayList<>(blockIds.size());
    namesystem.readLock();
    try {
      for (long id : blockIds) {
        BlockInfo block = stored(id);
        List<DatanodeInfo> holders = block == null ? null : settledHolders(block);
        found.add(
            holders == null
                ? null
                : new SettledBlock(
                    id,
                    block.getNumBytes(),
                    holders.stream().map(DatanodeDescriptor.class::cast).toList()));
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return found;
  }

  /** A block that can be moved at all, or {@code null}. */
  private BlockInfo stored(long id) {
    BlockInfo block = blockManager.getStoredBlock(new Block(id));
    return block == null || block.isDeleted() || block.isStriped() || !block.isComplete()
        ? null
        : block;
  }

  /**
   * Who has a block, {@code null} unless there are as many as wanted, all sound, known for certain,
   * and none on its way: only then is the next one surplus at once, and one that leaves not missed.
   */
  private List<DatanodeInfo> settledHolders(BlockInfo block) {
    List<DatanodeInfo> holders = new ArrayList<>();
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (storage.getState() != DatanodeStorage.State.NORMAL
          || storage.areBlockContentsStale()
          || !node.isAlive()
          || !node.isInService()
          || blockManager.isReplicaCorrupt(block, node)
          || blockManager.isExcess(node, block)) {
        return null;
      }
      holders.add(node);
    }
    return holders.size() == block.getReplication()
            && blockManager.pendingReconstruction.getNumReplicas(block) == 0
            && !blockManager.neededReconstruction.contains(block)
        ? holders
        : null;
  }

  @Override
  public List<Order> order(List<Move> moves, long term) {
    List<Order> orders = new ArrayList<>(moves.size());
    namesystem.writeLock();
    try {
      if (!ActiveTerm.mayCopy(nameNode, term)) {
        return List.of();
      }
      for (Move move : moves) {
        orders.add(order(move));
      }
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
    return orders;
  }

  private Order order(Move move) {
    BlockInfo block = stored(move.blockId());
    BlockCollection file = block == null ? null : blockManager.getBlockCollection(block);
    if (file == null || file.getId() != move.fileId()) {
      return Order.GONE;
    }
    if (file.isUnderConstruction() || block.getReplication() != move.factor()) {
      return Order.CHANGED;
    }
    List<DatanodeInfo> holders = settledHolders(block);
    if (holders == null || !holders.contains(move.from()) || holders.contains(move.to())) {
      return Order.UNSETTLED;
    }
    DatanodeStorageInfo target = target(move, block, holders);
    if (target == null) {
      return Order.TARGET_REFUSED;
    }
    if (move.from().getNumberOfBlocksToBeReplicated() >= streams()) {
      return Order.SOURCE_BUSY;
    }
    DatanodeStorageInfo[] targets = {target};
    move.from().addBlockToBeReplicated(block, targets);
    DatanodeStorageInfo.incrementBlocksScheduled(targets);
    blockManager.pendingReconstruction.increment(block, targets);
    return Order.ORDERED;
  }

  /** The storage for which HDFS would delete the old replica, or {@code null}. */
  private DatanodeStorageInfo target(Move move, BlockInfo block, List<DatanodeInfo> holders) {
    DatanodeDescriptor to = move.to();
    DatanodeManager datanodes = blockManager.getDatanodeManager();
    if (!to.isAlive() || !to.isInService() || to.isStale(datanodes.getStaleInterval())) {
      return null;
    }
    List<DatanodeInfo> all = new ArrayList<>(holders);
    all.add(to);
    if (!blockManager.getBlockPlacementPolicy().isMovable(all, move.from(), to)) {
      return null; // a rack less
    }
    // Of another type the new replica would be the one that is surplus.
    DatanodeStorageInfo storage =
        to.chooseStorage4Block(
            on(block, move.from()).getStorageType(), move.sizeBytes(), /* minBlocksForWrite= */ 1);
    return storage == null || storage.areBlockContentsStale() ? null : storage;
  }

  private DatanodeStorageInfo on(BlockInfo block, DatanodeDescriptor holder) {
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      if (storage.getDatanodeDescriptor() == holder) {
        return storage;
      }
    }
    return null;
  }

  @Override
  public List<Fate> fates(List<Move> moves) {
    List<Fate> fates = new ArrayList<>(moves.size());
    namesystem.readLock();
    try {
      for (Move move : moves) {
        fates.add(fate(move));
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return fates;
  }

  private Fate fate(Move move) {
    BlockInfo block = stored(move.blockId());
    if (block == null) {
      return Fate.FAILED;
    }
    if (expected.on(block, move.to()) != null) {
      return move.from().isAlive() && move.to().isAlive() ? Fate.UNDER_WAY : Fate.BROKEN;
    }
    if (on(block, move.to()) == null || blockManager.isExcess(move.to(), block)) {
      return Fate.FAILED;
    }
    return on(block, move.from()) == null || blockManager.isExcess(move.from(), block)
        ? Fate.MOVED
        : Fate.KEPT;
  }

  @Override
  public void release(List<Move> broken, long term) {
    namesystem.writeLock();
    try {
      if (ActiveTerm.mayCopy(nameNode, term)) {
        for (Move move : broken) {
          if (!move.from().isAlive() || !move.to().isAlive()) {
            expected.release(stored(move.blockId()), move.to());
          }
        }
      }
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
  }

  @Override
  public int streams() {
    return blockManager.getMaxReplicationStreams();
  }

  @Override
  public int streamsHardLimit() {
    return blockManager.getReplicationStreamsHardLimit();
  }
}
