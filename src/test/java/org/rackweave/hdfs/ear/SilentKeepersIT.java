package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.EarBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.hdfs.namenode.RackCluster;

/** DataNodes whose heartbeats stop after they have been chosen to keep what others give up. */
class SilentKeepersIT {
  private static final int[] FOUR_RACKS = {1, 1, 1, 1};
  private static final long STALE_MS = 3_000;

  private static RackCluster cluster;
  private static BlockLookup lookup;

  private DatanodeDescriptor silent;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RackCluster.conf();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, EarBlockPlacementPolicy.class.getName());
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY, STALE_MS);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY, true);
    // Else HDFS may write to the silent one when another is busy.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    cluster = RackCluster.start(conf, FOUR_RACKS);
    lookup = NameNodeBridge.of(cluster.mini().getNameNode()).blocks();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void letSpeak() {
    if (silent != null) {
      setSilent(silent, false);
    }
  }

  private ExtendedBlock block(Path file) throws IOException {
    return DFSTestUtil.getFirstBlock(cluster.fs(), file);
  }

  private DatanodeDescriptor holder(ExtendedBlock block) {
    return lookup.blocks(List.of(block.getBlockId())).get(0).replicas().get(0);
  }

  private boolean shrink(Path file, Map<Long, DatanodeDescriptor> keepers) throws IOException {
    long inode = cluster.fs().getClient().getFileInfo(file.toUri().getPath()).getFileId();
    return lookup.shrink(lookup.file(inode), keepers);
  }

  /**
   * Stops or resumes a DataNode's heartbeats until HDFS takes it for stale, or no more. HDFS writes
   * to stale DataNodes until its monitor has counted them.
   */
  private void setSilent(DatanodeDescriptor datanode, boolean isSilent) {
    for (DataNode one : cluster.mini().getDataNodes()) {
      if (one.getDatanodeUuid().equals(datanode.getDatanodeUuid())) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(one, isSilent);
      }
    }
    DatanodeManager manager = cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
    RackCluster.await(
        "stale or not",
        () ->
            datanode.isStale(STALE_MS) == isSilent
                && manager.getNumStaleNodes() == (isSilent ? 1 : 0));
    silent = isSilent ? datanode : null;
  }

  private int replicasOnDisks(ExtendedBlock block) {
    return (int)
        IntStream.range(0, FOUR_RACKS.length).filter(node -> isOnDiskOf(node, block)).count();
  }

  private boolean isOnDiskOf(int node, ExtendedBlock block) {
    File file = cluster.mini().getBlockFile(node, block);
    return file != null && file.length() == block.getNumBytes();
  }

  /** Until all that is to be deleted now is, and more: HDFS deletes in order. */
  private void awaitDeletions() throws IOException {
    Path last = cluster.write("/last", 1, 3);
    ExtendedBlock block = block(last);
    cluster.fs().delete(last, false);
    RackCluster.await("the last file is deleted", () -> replicasOnDisks(block) == 0);
  }

  @Test
  void liveReplicasStayWhenTheirKeeperHasFallenSilent() throws Exception {
    Path file = cluster.write("/file", 1, 3);
    ExtendedBlock block = block(file);
    DatanodeDescriptor keeper = holder(block);
    Map<Long, DatanodeDescriptor> keepers = Map.of(block.getBlockId(), keeper);
    setSilent(keeper, true);

    boolean isShrunk = shrink(file, keepers);
    awaitDeletions();
    assertEquals(3, replicasOnDisks(block));
    assertFalse(isShrunk);

    setSilent(keeper, false);
    assertTrue(shrink(file, keepers));
    RackCluster.await("one replica is left", () -> replicasOnDisks(block) == 1);
  }

  @Test
  void liveReplicasStayWhenAnotherOfTheirStripeHasFallenSilent() throws Exception {
    Path file = cluster.write("/other", 1, 3);
    Path parity = cluster.write("/parity", 1, 1);
    ExtendedBlock block = block(file);
    ExtendedBlock parityBlock = block(parity);
    DatanodeDescriptor other = holder(parityBlock);
    DatanodeDescriptor keeper =
        lookup.blocks(List.of(block.getBlockId())).get(0).replicas().stream()
            .filter(node -> node != other)
            .findFirst()
            .orElseThrow();
    setSilent(other, true);

    boolean isShrunk =
        shrink(file, Map.of(block.getBlockId(), keeper, parityBlock.getBlockId(), other));
    awaitDeletions();
    assertEquals(3, replicasOnDisks(block));
    assertFalse(isShrunk);
  }

  /** It may have been moved since the choice, or found corrupt. */
  @Test
  void liveReplicasStayWhenTheirKeeperHasNoSoundOne() throws Exception {
    Path file = cluster.write("/moved", 1, 3);
    LocatedBlock located = DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0);
    ExtendedBlock block = located.getBlock();
    List<DatanodeDescriptor> holders = lookup.blocks(List.of(block.getBlockId())).get(0).replicas();
    DatanodeDescriptor without =
        IntStream.range(0, FOUR_RACKS.length)
            .mapToObj(cluster::descriptor)
            .filter(node -> !holders.contains(node))
            .findFirst()
            .orElseThrow();
    assertFalse(shrink(file, Map.of(block.getBlockId(), without)));
    awaitDeletions();
    assertEquals(3, replicasOnDisks(block));

    DatanodeInfoWithStorage corrupt = located.getLocations()[0];
    LocatedBlock unsound = new LocatedBlock(block, new DatanodeInfoWithStorage[] {corrupt});
    cluster.mini().getNameNodeRpc().reportBadBlocks(new LocatedBlock[] {unsound});
    DatanodeDescriptor keeper =
        holders.stream()
            .filter(node -> node.getDatanodeUuid().equals(corrupt.getDatanodeUuid()))
            .findFirst()
            .orElseThrow();
    assertFalse(shrink(file, Map.of(block.getBlockId(), keeper)));
  }
}
