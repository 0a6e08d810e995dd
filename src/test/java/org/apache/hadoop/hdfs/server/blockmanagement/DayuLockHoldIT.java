package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.dayu.CopyOutcome;
import org.rackweave.hdfs.dayu.PlannedCopy;
import org.rackweave.hdfs.dayu.ReconstructionQueue;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;
import org.rackweave.hdfs.dayu.WaitingBlock;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.hdfs.namenode.PolicyAdvice;
import org.rackweave.hdfs.namenode.RackCluster;

/**
 * How long the namesystem's lock is held to have replicas of the same blocks made, by stock HDFS
 * and by Dayu, in turns. The times are printed; what is asserted is that both do the same work, no
 * more blocks under one hold than stock.
 */
class DayuLockHoldIT {
  private static final int BLOCKS = 600;
  private static final int BLOCK_BYTES = 1024;
  private static final int WARM_UPS = 20;
  private static final int ROUNDS = 41;

  private BlockManager blocks;
  private ReconstructionQueue queue;
  private LackingBlocks low;

  @Test
  void holdsTheLockForNoMoreBlocksThanStockAndForAboutAsLong() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.DAYU);
    conf.set(ConfigKeys.MODE, "off"); // nobody recovers beside what is measured
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 100_000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION, 1000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 10_000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 10_000);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    try (RackCluster cluster = RackCluster.start(conf, 2, 2, 2)) {
      FSNamesystem namesystem = cluster.mini().getNamesystem();
      blocks = namesystem.getBlockManager();
      DFSTestUtil.createFile(
          cluster.fs(),
          new Path("/a"),
          BLOCK_BYTES,
          (long) BLOCKS * BLOCK_BYTES,
          BLOCK_BYTES,
          (short) 3,
          1);
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(datanode, true);
      }
      DatanodeDescriptor dead = cluster.descriptor(0);
      cluster.mini().stopDataNode(0);
      DFSTestUtil.setDatanodeDead(dead);
      blocks.getDatanodeManager().getHeartbeatManager().heartbeatCheck();
      queue = NameNodeBridge.of(cluster.mini().getNameNode()).reconstruction();
      low = LackingBlocks.found(namesystem);
      assertTrue(low.count() > 100, low.count() + " blocks");
      assertEquals(1000, queue.batchSize(), "of " + 5 * 1000);
      measure(cluster.mini().getNameNode().getLastHATransitionTime());
    }
  }

  private void measure(long term) {
    long[] stock = new long[ROUNDS];
    long[] stockLongest = new long[ROUNDS];
    long[] read = new long[ROUNDS];
    long[] write = new long[ROUNDS];
    long[] look = new long[ROUNDS];
    long[] replace = new long[ROUNDS];
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      long[] holds = low.orderAsStock(low.count());
      low.lack();
      long[] ours = ours(term);
      low.lack();
      if (round >= 0) {
        stock[round] = holds[0];
        stockLongest[round] = holds[1];
        read[round] = ours[0];
        write[round] = ours[1];
        look[round] = ours[2];
        replace[round] = ours[3];
      }
    }
    System.out.printf(
        "lock held for %d blocks, median us: stock write %d (longest of two %d);"
            + " Dayu write %d, read %d; of copies under way read %d, to replace them write %d%n",
        low.count(),
        median(stock),
        median(stockLongest),
        median(write),
        median(read),
        median(look),
        median(replace));
  }

  private static long median(long[] nanos) {
    Arrays.sort(nanos);
    return nanos[nanos.length / 2] / 1000;
  }

  private long[] ours(long term) {
    queue.rewind();
    long began = System.nanoTime();
    ReconstructionQueue.Batch batch = queue.next(queue.batchSize(), Map.of());
    long read = System.nanoTime() - began;
    assertEquals(low.count(), batch.blocks().size());
    List<PlannedCopy> copies = new ArrayList<>();
    List<DatanodeDescriptor> nodes =
        blocks.getDatanodeManager().getHeartbeatManager().getLiveDatanodeCount() > 0
            ? List.of(blocks.getDatanodeManager().getHeartbeatManager().getDatanodes())
            : List.of();
    for (WaitingBlock block : batch.blocks()) {
      Set<String> racks = new HashSet<>();
      block.sources().forEach(source -> racks.add(source.getNetworkLocation()));
      DatanodeDescriptor target =
          nodes.stream()
              .filter(DatanodeDescriptor::isAlive)
              .filter(node -> !block.sources().contains(node))
              .filter(node -> racks.size() > 1 || !racks.contains(node.getNetworkLocation()))
              .filter(node -> count(block, node) < 2)
              .findFirst()
              .orElseThrow();
      copies.add(
          new PlannedCopy(
              block.id(),
              block.sizeBytes(),
              block.priority(),
              block.storageType(),
              block.sources().get(0),
              target,
              1e6));
    }
    began = System.nanoTime();
    List<CopyOutcome> outcomes = queue.schedule(copies, term);
    long write = System.nanoTime() - began;
    assertEquals(low.count(), outcomes.stream().filter(CopyOutcome.SCHEDULED::equals).count());
    began = System.nanoTime();
    List<WaitingBlock> underWay = queue.blocksOf(copies);
    long look = System.nanoTime() - began;
    assertEquals(low.count(), underWay.size());
    List<Replacement> others = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      others.add(new Replacement(copies.get(i), fromAnother(copies.get(i), underWay.get(i))));
    }
    began = System.nanoTime();
    outcomes = queue.replace(others, term);
    long replace = System.nanoTime() - began;
    assertEquals(low.count(), outcomes.stream().filter(CopyOutcome.SCHEDULED::equals).count());
    return new long[] {read, write, look, replace};
  }

  private static PlannedCopy fromAnother(PlannedCopy copy, WaitingBlock block) {
    DatanodeDescriptor other =
        block.sources().stream().filter(node -> node != copy.source()).findFirst().orElseThrow();
    return new PlannedCopy(
        copy.blockId(),
        copy.sizeBytes(),
        copy.priority(),
        copy.storageType(),
        other,
        copy.target(),
        copy.bytesPerSec());
  }

  private static long count(WaitingBlock block, DatanodeDescriptor node) {
    return block.sources().stream()
        .filter(source -> source.getNetworkLocation().equals(node.getNetworkLocation()))
        .count();
  }
}
