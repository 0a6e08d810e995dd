package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.durability.ReplicaLookup;
import org.rackweave.hdfs.ear.StripeWalk;

/** Bridge: where the blocks in the memory of one NameNode are. */
public final class NameNodeReplicas implements ReplicaLookup {
  private final BlockManager blockManager;
  private final BlockDescriber describer;
  private final TimedLock lock;

  public NameNodeReplicas(NameNode nameNode) {
    blockManager = nameNode.getNamesystem().getBlockManager();
    describer = new BlockDescriber(blockManager);
    lock = new TimedLock(nameNode.getNamesystem());
  }

  @Override
  public long blockCount() {
    return blockManager.getTotalBlocks();
  }

  /** A storage at a time, as stock's monitor of decommissioning does it. */
  @Override
  public long[] idsOn(Collection<DatanodeDescriptor> nodes, int every) {
    LongStream.Builder ids = LongStream.builder();
    for (DatanodeDescriptor node : nodes) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        lock.read(
            () -> {
              storage
                  .getBlockIterator()
                  .forEachRemaining(
                      block -> {
                        if (isInSample(block.getBlockId(), every)) {
                          ids.add(block.getBlockId());
                        }
                      });
              return null;
            });
      }
    }
    return ids.build().sorted().distinct().toArray();
  }

  private static boolean isInSample(long id, int every) {
    long mixed = (id ^ id >>> 31) * 0x9E3779B97F4A7C15L;
    return Math.floorMod(mixed >>> 17, every) == 0;
  }

  @Override
  public long[] ids(int most, RandomGenerator random) {
    return blockCount() <= most ? all() : drawn(most, random);
  }

  /**
   * With an iterator that goes on after changes, as stock has it for its own look at all blocks.
   */
  private long[] all() {
    LongStream.Builder ids = LongStream.builder();
    Iterator<BlockInfo> blocks = blockManager.blocksMap.getBlocks().iterator();
    boolean hasMore;
    do {
      hasMore =
          lock.read(
              () -> {
                for (int looked = 0; looked < AT_A_TIME && blocks.hasNext(); looked++) {
                  ids.add(blocks.next().getBlockId());
                }
                return blocks.hasNext();
              });
    } while (hasMore);
    return ids.build().toArray();
  }

  /** HDFS numbers blocks one after another, and block groups by themselves. */
  private long[] drawn(int most, RandomGenerator random) {
    BlockIdManager given = blockManager.getBlockIdManager();
    long blocks =
        given.getLastAllocatedContiguousBlockId()
            - SequentialBlockIdGenerator.LAST_RESERVED_BLOCK_ID;
    long groups =
        (given.getLastAllocatedStripedBlockId() - Long.MIN_VALUE)
            / HdfsServerConstants.MAX_BLOCKS_IN_GROUP;
    return random
        .longs(most, 1, blocks + groups + 1)
        .map(
            number ->
                number <= blocks
                    ? SequentialBlockIdGenerator.LAST_RESERVED_BLOCK_ID + number
                    : Long.MIN_VALUE + (number - blocks) * HdfsServerConstants.MAX_BLOCKS_IN_GROUP)
        .sorted()
        .distinct()
        .toArray();
  }

  @Override
  public List<Held> look(long[] ids, Set<DatanodeDescriptor> without) {
    return lock.read(
        () ->
            LongStream.of(ids)
                .mapToObj(id -> held(blockManager.getStoredBlock(new Block(id)), without))
                .filter(Objects::nonNull)
                .toList());
  }

  private Held held(BlockInfo block, Set<DatanodeDescriptor> without) {
    BlockCollection file =
        block == null || block.isDeleted() || !block.isCompleteOrCommitted()
            ? null
            : blockManager.getBlockCollection(block);
    if (file == null) {
      return null;
    }
    BlockInfoStriped group = block.isStriped() ? (BlockInfoStriped) block : null;
    Map<Integer, List<DatanodeDescriptor>> pieces = new TreeMap<>();
    List<DatanodeInfo> places = new ArrayList<>();
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (storage.getStorageType() == StorageType.PROVIDED) {
        return null;
      }
      if (canBeCountedOn(storage)
          && !without.contains(node)
          && !describer.isUnwanted(block, node)) {
        int piece = group == null ? 0 : group.getStorageBlockIndex(storage);
        pieces.computeIfAbsent(piece, any -> new ArrayList<>(3)).add(node);
        places.add(node);
      }
    }
    int wanted = blockManager.getExpectedRedundancyNum(block);
    BlockPlacementPolicy policy =
        group == null
            ? blockManager.getBlockPlacementPolicy()
            : blockManager.getStriptedBlockPlacementPolicy();
    return new Held(
        block.getBlockId(),
        group != null,
        file instanceof INodeFile inode && InodeMark.of(inode, StripeWalk.PARITY_MARK) != null,
        wanted,
        group == null ? 1 : group.getRealDataBlockNum(),
        List.copyOf(pieces.values()),
        without.isEmpty()
            || policy
                .verifyBlockPlacement(places.toArray(DatanodeInfo[]::new), wanted)
                .isPlacementPolicySatisfied());
  }

  /** Also one that leaves service: what it has can be read until it goes. */
  private boolean canBeCountedOn(DatanodeStorageInfo storage) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return storage.getState() == DatanodeStorage.State.NORMAL
        && node.isAlive()
        && !node.isStale(blockManager.getDatanodeManager().getStaleInterval());
  }
}
