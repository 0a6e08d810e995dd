package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.copies.PendingCopies;
import org.rackweave.model.Parts;

/** Bridge: replicas that one NameNode expects because it has had them made. */
abstract class NameNodePendingCopies implements PendingCopies {
  /** Stock's own figure grows with the cluster; no hold of the lock needs to. */
  private static final int BATCH_MAX = 1000;

  final NameNode nameNode;
  final BlockManager blockManager;
  final TimedLock lock;

  NameNodePendingCopies(NameNode nameNode) {
    this.nameNode = nameNode;
    lock = new TimedLock(nameNode.getNamesystem());
    blockManager = nameNode.getNamesystem().getBlockManager();
  }

  @Override
  public final int batchSize() {
    long stock =
        (long) blockManager.getDatanodeManager().getHeartbeatManager().getLiveDatanodeCount()
            * blockManager.getBlocksReplWorkMultiplier();
    return (int) Math.max(1, Math.min(stock, BATCH_MAX));
  }

  /** Is equal to a stored block. */
  static BlockInfo likeIt(Block block) {
    return new BlockInfoContiguous(block, (short) 1);
  }

  /** A copy's block, {@code null} when there is no such block any more. */
  final BlockInfo blockOf(Copy copy) {
    BlockInfo block = blockManager.getStoredBlock(new Block(copy.blockId()));
    return block == null || block.isDeleted() ? null : block;
  }

  /** The storage of a DataNode that has a replica, or {@code null}. */
  final DatanodeStorageInfo holding(BlockInfo block, DatanodeDescriptor node) {
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      if (storage.getDatanodeDescriptor() == node) {
        return storage;
      }
    }
    return null;
  }

  /** The storage of a DataNode on which a replica is expected, or {@code null}. */
  final DatanodeStorageInfo expectedOn(BlockInfo block, DatanodeDescriptor target) {
    List<DatanodeStorageInfo> targets = blockManager.pendingReconstruction.getTargets(block);
    return targets == null
        ? null
        : targets.stream()
            .filter(storage -> storage.getDatanodeDescriptor() == target)
            .findFirst()
            .orElse(null);
  }

  @Override
  public final List<CopyState> states(List<? extends Copy> copies) {
    CopyState[] states = new CopyState[copies.size()];
    for (int i = 0; i < states.length; i++) {
      // HDFS's list of what it expects has a lock of its own, and most are expected still.
      Copy copy = copies.get(i);
      BlockInfo likeIt = likeIt(new Block(copy.blockId()));
      states[i] = expectedOn(likeIt, copy.target()) == null ? null : expectedState(copy);
    }
    List<Integer> unknown =
        IntStream.range(0, states.length).filter(i -> states[i] == null).boxed().toList();
    for (List<Integer> part : Parts.of(unknown, batchSize())) {
      lock.read(
          () -> {
            part.forEach(i -> states[i] = state(copies.get(i)));
            return null;
          });
    }
    return Arrays.asList(states);
  }

  private static boolean isBroken(Copy copy) {
    return !copy.source().isAlive() || !copy.target().isAlive();
  }

  private static CopyState expectedState(Copy copy) {
    return isBroken(copy) ? CopyState.BROKEN : CopyState.UNDER_WAY;
  }

  private CopyState state(Copy copy) {
    BlockInfo block = blockOf(copy);
    if (block == null) {
      return CopyState.GIVEN_UP;
    }
    if (expectedOn(block, copy.target()) != null) {
      return expectedState(copy);
    }
    return holding(block, copy.target()) == null ? CopyState.GIVEN_UP : CopyState.ARRIVED;
  }

  @Override
  public final void release(List<? extends Copy> broken, long term) {
    for (List<? extends Copy> part : Parts.of(broken, batchSize())) {
      lock.write(
          () -> {
            if (ActiveTerm.mayCopy(nameNode, term)) {
              part.stream().filter(NameNodePendingCopies::isBroken).forEach(this::release);
            }
            return null;
          });
    }
  }

  /**
   * Expects a copy no longer, so that its block waits for a replica again if it is short of any. To
   * be called under the namesystem's write lock.
   */
  void release(Copy copy) {
    BlockInfo block = blockOf(copy);
    DatanodeStorageInfo storage = block == null ? null : expectedOn(block, copy.target());
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
