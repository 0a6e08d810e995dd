package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.eafr.ReplicaMoves;
import org.rackweave.model.Parts;

/** Bridge: replicas that move, in the memory of one NameNode. */
public final class NameNodeMoves extends NameNodePendingCopies implements ReplicaMoves {
  public NameNodeMoves(NameNode nameNode) {
    super(nameNode);
  }

  @Override
  public List<SettledBlock> settled(List<Long> blockIds) {
    return lock.read(() -> blockIds.stream().map(this::settledBlock).toList());
  }

  private SettledBlock settledBlock(long id) {
    BlockInfo block = stored(id);
    List<DatanodeInfo> holders = block == null ? null : settledHolders(block);
    return holders == null
        ? null
        : new SettledBlock(
            id, block.getNumBytes(), holders.stream().map(DatanodeDescriptor.class::cast).toList());
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
    return lock.write(
        () ->
            ActiveTerm.mayCopy(nameNode, term)
                ? moves.stream().map(this::order).toList()
                : List.of());
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
    if (holders == null || !holders.contains(move.source()) || holders.contains(move.target())) {
      return Order.UNSETTLED;
    }
    DatanodeStorageInfo target = target(move, block, holders);
    if (target == null) {
      return Order.TARGET_REFUSED;
    }
    if (move.source().getNumberOfBlocksToBeReplicated() >= streams()) {
      return Order.SOURCE_BUSY;
    }
    DatanodeStorageInfo[] targets = {target};
    move.source().addBlockToBeReplicated(block, targets);
    DatanodeStorageInfo.incrementBlocksScheduled(targets);
    blockManager.pendingReconstruction.increment(block, targets);
    return Order.ORDERED;
  }

  /** The storage for which HDFS would delete the old replica, or {@code null}. */
  private DatanodeStorageInfo target(Move move, BlockInfo block, List<DatanodeInfo> holders) {
    DatanodeDescriptor to = move.target();
    DatanodeManager datanodes = blockManager.getDatanodeManager();
    if (!to.isAlive() || !to.isInService() || to.isStale(datanodes.getStaleInterval())) {
      return null;
    }
    List<DatanodeInfo> all = new ArrayList<>(holders);
    all.add(to);
    if (!blockManager.getBlockPlacementPolicy().isMovable(all, move.source(), to)) {
      return null; // a rack less
    }
    // Of another type the new replica would be the one that is surplus.
    DatanodeStorageInfo storage =
        to.chooseStorage4Block(
            holding(block, move.source()).getStorageType(),
            move.sizeBytes(),
            /* minBlocksForWrite= */ 1);
    return storage == null || storage.areBlockContentsStale() ? null : storage;
  }

  @Override
  public List<Move> completed(List<Move> arrived) {
    List<Move> completed = new ArrayList<>();
    for (List<Move> part : Parts.of(arrived, batchSize())) {
      completed.addAll(lock.read(() -> part.stream().filter(this::isCompleted).toList()));
    }
    return completed;
  }

  private boolean isCompleted(Move move) {
    BlockInfo block = blockOf(move);
    return block != null && !isLeaving(block, move.target()) && isLeaving(block, move.source());
  }

  private boolean isLeaving(BlockInfo block, DatanodeDescriptor node) {
    return holding(block, node) == null || blockManager.isExcess(node, block);
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
