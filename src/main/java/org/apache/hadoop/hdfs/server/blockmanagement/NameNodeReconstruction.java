package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor.BlockTargetPair;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.dayu.BlockBloomFilter;
import org.rackweave.hdfs.dayu.CopyOutcome;
import org.rackweave.hdfs.dayu.PlannedCopy;
import org.rackweave.hdfs.dayu.ReconstructionQueue;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;
import org.rackweave.hdfs.dayu.WaitingBlock;
import org.rackweave.model.Parts;

/** Bridge: blocks that wait for replicas in the memory of one NameNode. */
public final class NameNodeReconstruction extends NameNodePendingCopies
    implements ReconstructionQueue {
  /** Blocks counted one by one, some milliseconds in which HDFS cannot change its queues. */
  private static final int WALKED_MAX = 100_000;

  private final LowRedundancyBlocks needed;
  private final BlockDescriber describer;
  private final CopyOrders orders;

  public NameNodeReconstruction(NameNode nameNode, SourceQueue queue) {
    super(nameNode);
    orders = new CopyOrders(queue);
    needed = blockManager.neededReconstruction;
    describer = new BlockDescriber(blockManager);
  }

  @Override
  public int waitingCount() {
    return needed.getLowRedundancyBlockCount();
  }

  @Override
  public int[] waitingByPriority() {
    int[] blocks = new int[LowRedundancyBlocks.QUEUE_WITH_CORRUPT_BLOCKS];
    synchronized (needed) {
      int highest =
          (int)
              (needed.getHighestPriorityReplicatedBlockCount()
                  + needed.getHighestPriorityECBlockCount());
      blocks[LowRedundancyBlocks.QUEUE_HIGHEST_PRIORITY] = highest;
      countOthers(blocks, Math.max(0, needed.getLowRedundancyBlockCount() - highest));
    }
    return blocks;
  }

  /** HDFS has no figure of each of them: walks through them side by side, but for the longest. */
  private void countOthers(int[] blocks, int inAll) {
    List<Iterator<BlockInfo>> queues = new ArrayList<>();
    for (int priority = 0; priority < blocks.length; priority++) {
      queues.add(needed.iterator(priority));
    }
    int longest = LowRedundancyBlocks.QUEUE_LOW_REDUNDANCY;
    int left = inAll;
    int walked = 0;
    int moved;
    do {
      moved = 0;
      for (int priority = 1; priority < blocks.length; priority++) {
        if (queues.get(priority).hasNext()) {
          queues.get(priority).next();
          blocks[priority]++;
          left--;
          moved++;
          longest = priority;
        }
      }
      walked += moved;
    } while (moved > 1 && walked < WALKED_MAX);
    blocks[longest] += Math.max(0, left);
  }

  @Override
  public boolean isPopulated() {
    return blockManager.isPopulatingReplQueues();
  }

  @Override
  public boolean isStaleTarget(DatanodeDescriptor node) {
    DatanodeManager datanodes = blockManager.getDatanodeManager();
    return datanodes.shouldAvoidStaleDataNodesForWrite()
        && node.isStale(datanodes.getStaleInterval());
  }

  @Override
  public Dead noticeDead(int replicasMax) {
    DatanodeManager datanodes = blockManager.getDatanodeManager();
    for (DatanodeDescriptor node : datanodes.getHeartbeatManager().getDatanodes()) {
      if (node.isInService() && datanodes.isDatanodeDead(node)) {
        Dead dead = describeDead(node, replicasMax);
        removeDead(node);
        return dead;
      }
    }
    return null;
  }

  private Dead describeDead(DatanodeDescriptor node, int replicasMax) {
    int count = node.numBlocks();
    if (count > replicasMax) {
      return new Dead(node, null, 0);
    }
    BlockBloomFilter replicas = new BlockBloomFilter(count);
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      lock.read(
          () -> {
            storage.getBlockIterator().forEachRemaining(block -> replicas.add(block.getBlockId()));
            return null;
          });
    }
    return new Dead(node, replicas, count);
  }

  /** How long that takes is stock's affair. */
  private void removeDead(DatanodeDescriptor node) {
    nameNode.getNamesystem().writeLock();
    try {
      blockManager.getDatanodeManager().removeDeadDatanode(node, true); // which looks again
    } finally {
      nameNode.getNamesystem().writeUnlock(LockHolder.NAME);
    }
  }

  @Override
  public Object holdingPolicy(boolean any) {
    return blockManager.getBlockPlacementPolicy() instanceof RackweaveBlockPlacementPolicy policy
            && (any || policy.serves(Feature.RECOVERY))
        ? policy
        : null;
  }

  @Override
  public void rewind() {
    needed.chooseLowRedundancyBlocks(0, true);
  }

  @Override
  public Batch next(int max, Map<Long, WaitingBlock> known) {
    // Has a lock of its own, which is enough for it.
    List<List<BlockInfo>> byPriority = needed.chooseLowRedundancyBlocks(max, false);
    List<WaitingBlock> blocks = new ArrayList<>(max);
    List<BlockInfo> unknown = new ArrayList<>();
    List<Integer> priorities = new ArrayList<>();
    int looked = 0;
    for (int priority = 0; priority < byPriority.size(); priority++) {
      for (BlockInfo block : byPriority.get(priority)) {
        looked++;
        WaitingBlock before = known.get(block.getBlockId());
        if (before != null && before.priority() == priority) {
          blocks.add(before);
        } else {
          unknown.add(block);
          priorities.add(priority);
        }
      }
    }
    if (!unknown.isEmpty()) {
      blocks.addAll(lock.read(() -> describeAll(unknown, priorities)));
    }
    return new Batch(blocks, looked);
  }

  private List<WaitingBlock> describeAll(List<BlockInfo> blocks, List<Integer> priorities) {
    return IntStream.range(0, blocks.size())
        .mapToObj(
            i ->
                blocks.get(i).isStriped()
                    ? WaitingBlock.striped(
                        blocks.get(i).getBlockId(), blocks.get(i).getNumBytes(), priorities.get(i))
                    : describer.describe(blocks.get(i), priorities.get(i), Set.of()))
        .filter(Objects::nonNull)
        .toList();
  }

  @Override
  public List<WaitingBlock> blocksWithout(long[] ids, Set<DatanodeDescriptor> lost) {
    return lock.read(
        () ->
            LongStream.of(ids)
                .mapToObj(id -> blockManager.getStoredBlock(new Block(id)))
                .filter(block -> block != null && !block.isDeleted())
                .map(
                    block ->
                        describer.describe(block, describer.priorityWithout(block, lost), lost))
                .filter(Objects::nonNull)
                .toList());
  }

  @Override
  public List<CopyOutcome> schedule(List<PlannedCopy> copies, long term) {
    return ofEach(copies, term, this::schedule);
  }

  /** Does something about each under the write lock; empty when it is another's turn. */
  private <T> List<CopyOutcome> ofEach(List<T> all, long term, Function<T, CopyOutcome> work) {
    return lock.write(
        () -> {
          if (!ActiveTerm.mayCopy(nameNode, term)) {
            return List.of();
          }
          synchronized (needed) {
            return all.stream().map(work).toList();
          }
        });
  }

  private CopyOutcome schedule(PlannedCopy copy) {
    BlockInfo block = blockManager.getStoredBlock(new Block(copy.blockId()));
    if (block == null || block.isDeleted() || !block.isCompleteOrCommitted() || block.isStriped()) {
      return CopyOutcome.GONE;
    }
    if (!needed.contains(block)) {
      return CopyOutcome.NOT_NEEDED;
    }
    List<DatanodeDescriptor> containing = new ArrayList<>();
    List<DatanodeStorageInfo> counted = new ArrayList<>();
    boolean isSourceGood = false;
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      containing.add(node);
      if (!describer.isUnwanted(block, node)) {
        isSourceGood |= node == copy.source() && BlockDescriber.isReadable(storage);
        if (node.isInService()) {
          counted.add(storage);
        }
      }
    }
    if (!isSourceGood) {
      return refused(copy, block, CopyOutcome.SOURCE_GONE);
    }
    return schedule(copy, block, containing, counted);
  }

  /** One that has enough replicas was not refused: it does not wait any more. */
  private CopyOutcome refused(PlannedCopy copy, BlockInfo block, CopyOutcome why) {
    NumberReplicas replicas = blockManager.countNodes(block);
    int pending = blockManager.pendingReconstruction.getNumReplicas(block);
    if (blockManager.hasEnoughEffectiveReplicas(block, replicas, pending)) {
      needed.remove(block, copy.priority());
      return CopyOutcome.NOT_NEEDED;
    }
    return why;
  }

  private CopyOutcome schedule(
      PlannedCopy copy,
      BlockInfo block,
      List<DatanodeDescriptor> containing,
      List<DatanodeStorageInfo> counted) {
    List<DatanodeStorageInfo> live = List.copyOf(counted);
    List<DatanodeStorageInfo> pending = blockManager.pendingReconstruction.getTargets(block);
    if (pending != null) {
      pending.forEach(storage -> containing.add(storage.getDatanodeDescriptor()));
      counted.addAll(pending);
    }
    DatanodeStorageInfo target =
        containing.contains(copy.target()) ? null : storageOn(copy, block, counted);
    if (target == null) {
      return refused(copy, block, CopyOutcome.TARGET_REFUSED);
    }
    ReplicationWork work =
        new ReplicationWork(
            block,
            blockManager.getBlockCollection(block),
            new DatanodeDescriptor[] {copy.source()},
            containing,
            live,
            1,
            copy.priority());
    // The work counts itself among those without targets until it has chosen them.
    copy.source().decrementPendingReplicationWithoutTargets();
    work.setTargets(new DatanodeStorageInfo[] {target});
    if (!blockManager.validateReconstructionWork(work)) {
      return refused(copy, block, CopyOutcome.TARGET_REFUSED);
    }
    orders.keep(copy.source(), copy.blockId(), copy.target(), copy.priority());
    return CopyOutcome.SCHEDULED;
  }

  /** A storage that takes the block by HDFS's own rules, or {@code null}. */
  private DatanodeStorageInfo storageOn(
      PlannedCopy copy, BlockInfo block, List<DatanodeStorageInfo> counted) {
    if (!(blockManager.getBlockPlacementPolicy() instanceof RackweaveBlockPlacementPolicy policy)) {
      return null;
    }
    DatanodeDescriptor target = copy.target();
    int lacking = Math.max(1, block.getReplication() - counted.size());
    int maxPerRack = policy.getMaxNodesPerRack(counted.size(), lacking)[1];
    return target.isAlive()
            && policy.isGoodDatanode(
                target, maxPerRack, policy.considersLoad(), counted, policy.avoidsStaleNodes())
        ? policy.chooseStorage4Block(
            target,
            block.getNumBytes(),
            new ArrayList<>(),
            StorageType.values()[copy.storageType()])
        : null;
  }

  @Override
  public long pendingTimeoutMs() {
    return blockManager.pendingReconstruction.getTimeout();
  }

  @Override
  public void expectOn(List<PlannedCopy> copies) {
    for (List<PlannedCopy> part : Parts.of(copies, batchSize())) {
      lock.read(
          () -> {
            part.forEach(this::expectOn);
            return null;
          });
    }
  }

  private void expectOn(PlannedCopy copy) {
    BlockInfo block = blockManager.getStoredBlock(new Block(copy.blockId()));
    DatanodeStorageInfo storage = block == null ? null : expectedOn(block, copy.target());
    if (storage != null) {
      blockManager.pendingReconstruction.increment(block, storage); // sets the time of it only
    }
  }

  @Override
  public List<WaitingBlock> blocksOf(List<PlannedCopy> copies) {
    return lock.read(
        () -> copies.stream().map(this::describeWithout).filter(Objects::nonNull).toList());
  }

  /** A copy's block as if the copy were not. */
  private WaitingBlock describeWithout(PlannedCopy copy) {
    BlockInfo block = blockOf(copy);
    return block == null ? null : describer.describe(block, copy.priority(), Set.of(copy.target()));
  }

  @Override
  public List<CopyOutcome> replace(List<Replacement> replacements, long term) {
    return ofEach(
        replacements,
        term,
        replacement -> {
          release(replacement.ended());
          return replacement.isWithdrawal()
              ? CopyOutcome.WITHDRAWN
              : schedule(replacement.instead());
        });
  }

  /** With its order, if its source has not been given that. */
  @Override
  void release(Copy copy) {
    super.release(copy);
    orders.takeBack(copy.source(), copy.blockId(), copy.target());
  }

  @Override
  public int ordersWaiting(DatanodeDescriptor source) {
    return orders.waiting(source);
  }

  @Override
  public int ordersWaiting() {
    return orders.waiting();
  }

  @Override
  public DatanodeCommandProto nextOrders(DatanodeDescriptor source, int most) {
    List<BlockTargetPair> next =
        orders.next(source, most).stream()
            .filter(
                order ->
                    expectedOn(likeIt(order.block), order.targets[0].getDatanodeDescriptor())
                        != null)
            .toList();
    return next.isEmpty()
        ? null
        : PBHelper.convert(
            (DatanodeCommand)
                new BlockCommand(
                    DatanodeProtocol.DNA_TRANSFER, blockManager.getBlockPoolId(), next));
  }

  @Override
  public void handOverOrders() {
    orders.handOver();
  }

  @Override
  public void forgetOrders() {
    orders.forget();
  }

  /**
   * Striped ones by themselves: others before them would reserve the DataNodes that they need,
   * whether anything came of it or not.
   */
  @Override
  public int leaveToStock(List<WaitingBlock> blocks) {
    return leaveToStock(blocks, true) + leaveToStock(blocks, false);
  }

  private int leaveToStock(List<WaitingBlock> blocks, boolean areStriped) {
    List<List<BlockInfo>> byPriority = new ArrayList<>();
    for (int priority = 0; priority < LowRedundancyBlocks.LEVEL; priority++) {
      byPriority.add(new ArrayList<>());
    }
    int found =
        lock.read(
            () -> {
              int count = 0;
              for (WaitingBlock block : blocks) {
                BlockInfo stored = blockManager.getStoredBlock(new Block(block.id()));
                if (stored != null && stored.isStriped() == areStriped && needed.contains(stored)) {
                  byPriority.get(block.priority()).add(stored);
                  count++;
                }
              }
              return count;
            });
    return found == 0 ? 0 : blockManager.computeReconstructionWorkForBlocks(byPriority);
  }

  @Override
  public long longestHoldNanos() {
    return lock.longestNanos();
  }
}
