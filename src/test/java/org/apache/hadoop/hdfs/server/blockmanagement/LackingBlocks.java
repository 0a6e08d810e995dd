package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.net.Node;

/** Blocks that lack replicas, and HDFS's own work on them. */
public final class LackingBlocks {
  private static final long FIRST_ID = 1L << 40;
  private static final int BLOCK_BYTES = 1024;
  private static final short REPLICATION = 3;

  private final FSNamesystem namesystem;
  private final BlockManager blocks;
  private final List<BlockInfo> all;

  private LackingBlocks(FSNamesystem namesystem, List<BlockInfo> all) {
    this.namesystem = namesystem;
    this.all = all;
    blocks = namesystem.getBlockManager();
  }

  /** Those that are found to lack replicas. */
  static LackingBlocks found(FSNamesystem namesystem) {
    List<BlockInfo> found = new ArrayList<>();
    LowRedundancyBlocks needed = namesystem.getBlockManager().neededReconstruction;
    for (int priority = 0; priority < LowRedundancyBlocks.LEVEL; priority++) {
      needed.iterator(priority).forEachRemaining(found::add);
    }
    return new LackingBlocks(namesystem, found);
  }

  /**
   * Made up in a NameNode's memory, each with two of three replicas. Nobody has their bytes.
   *
   * @param file whose blocks they are said to be
   * @param count how many
   */
  public static LackingBlocks madeUp(FSNamesystem namesystem, String file, int count)
      throws IOException {
    BlockManager blocks = namesystem.getBlockManager();
    List<BlockInfo> all = new ArrayList<>();
    INodeFile inode = namesystem.getFSDirectory().getINode(file).asFile();
    List<DatanodeDescriptor> nodes =
        List.of(blocks.getDatanodeManager().getHeartbeatManager().getDatanodes());
    namesystem.writeLock();
    try {
      for (int i = 0; i < count; i++) {
        BlockInfo block =
            new BlockInfoContiguous(new Block(FIRST_ID + i, BLOCK_BYTES, 1), REPLICATION);
        block.setBlockCollectionId(inode.getId());
        blocks.addBlockCollection(block, inode);
        addReplicas(nodes, block, i);
        all.add(block);
      }
    } finally {
      namesystem.writeUnlock("test");
    }
    LackingBlocks lacking = new LackingBlocks(namesystem, all);
    lacking.lack();
    return lacking;
  }

  int count() {
    return all.size();
  }

  /** Two, in different racks. */
  private static void addReplicas(List<DatanodeDescriptor> nodes, BlockInfo block, int turn) {
    DatanodeDescriptor first = nodes.get(turn % nodes.size());
    first.getStorageInfos()[0].addBlock(block, block);
    int offset = turn / nodes.size();
    for (int i = 0; i < nodes.size(); i++) {
      DatanodeDescriptor second = nodes.get((offset + i) % nodes.size());
      if (!second.getNetworkLocation().equals(first.getNetworkLocation())) {
        second.getStorageInfos()[0].addBlock(block, block);
        return;
      }
    }
    throw new AssertionError("all of " + nodes + " are in one rack");
  }

  /** Has all of them wait again, and nothing be ordered for them. */
  public void lack() {
    namesystem.writeLock();
    try {
      for (BlockInfo block : all) {
        blocks.pendingReconstruction.remove(block);
        NumberReplicas replicas = blocks.countNodes(block);
        blocks.neededReconstruction.add(
            block,
            replicas.liveReplicas(),
            replicas.readOnlyReplicas(),
            replicas.outOfServiceReplicas(),
            blocks.getExpectedRedundancyNum(block));
      }
      for (DatanodeDescriptor node :
          blocks.getDatanodeManager().getHeartbeatManager().getDatanodes()) {
        node.clearBlockQueues();
      }
    } finally {
      namesystem.writeUnlock("test");
    }
    assertEquals(all.size(), blocks.neededReconstruction.getLowRedundancyBlockCount());
  }

  /**
   * Has HDFS order a copy of each, as its monitor does, so many at a time.
   *
   * @return nanoseconds for which it held the namesystem's lock: altogether, and longest at a time
   */
  public long[] orderAsStock(int batch) {
    long total = 0;
    long longest = 0;
    blocks.neededReconstruction.chooseLowRedundancyBlocks(0, true);
    int ordered = 0;
    for (int done = 0; done < all.size(); done += batch) {
      long[] holds = new long[2];
      ordered += orderBatch(Math.min(batch, all.size() - done), holds);
      total += holds[0] + holds[1];
      longest = Math.max(longest, Math.max(holds[0], holds[1]));
    }
    assertEquals(all.size(), ordered);
    return new long[] {total, longest};
  }

  /** As BlockManager#computeReconstructionWorkForBlocks. */
  private int orderBatch(int size, long[] holds) {
    List<BlockReconstructionWork> works = new ArrayList<>();
    namesystem.writeLock();
    long began = System.nanoTime();
    List<List<BlockInfo>> byPriority =
        blocks.neededReconstruction.chooseLowRedundancyBlocks(size, false);
    synchronized (blocks.neededReconstruction) {
      for (int priority = 0; priority < byPriority.size(); priority++) {
        for (BlockInfo block : byPriority.get(priority)) {
          works.add(blocks.scheduleReconstruction(block, priority));
        }
      }
    }
    holds[0] = System.nanoTime() - began;
    namesystem.writeUnlock("test");
    for (BlockReconstructionWork work : works) {
      Set<Node> excluded = new HashSet<>(work.getContainingNodes());
      work.chooseTargets(
          blocks.getBlockPlacementPolicy(), BlockStoragePolicySuite.createDefaultSuite(), excluded);
    }
    int ordered = 0;
    namesystem.writeLock();
    began = System.nanoTime();
    for (BlockReconstructionWork work : works) {
      synchronized (blocks.neededReconstruction) {
        ordered += blocks.validateReconstructionWork(work) ? 1 : 0;
      }
    }
    holds[1] = System.nanoTime() - began;
    namesystem.writeUnlock("test");
    return ordered;
  }
}
