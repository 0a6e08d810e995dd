package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.dayu.PlannedCopy;
import org.rackweave.hdfs.dayu.ReconstructionQueue;
import org.rackweave.hdfs.dayu.WaitingBlock;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.namenode.NameNodeBridge;

/** What a planner is told of blocks by a real NameNode, and when it may have them copied. */
class BlockDescriberIT {
  private static final int REPLICAS = 4;

  private static MiniDFSCluster cluster;
  private static int files;

  private BlockManager blocks;
  private BlockInfo block;
  private List<DatanodeDescriptor> holders;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, EarBlockPlacementPolicy.class.getName());
    // HDFS does nothing about any block meanwhile.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(REPLICAS).build();
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @BeforeEach
  void write() throws Exception {
    Path file = new Path("/file" + files++);
    DFSTestUtil.createFile(cluster.getFileSystem(), file, 100, (short) REPLICAS, 1);
    DFSTestUtil.waitReplication(cluster.getFileSystem(), file, (short) REPLICAS);
    ExtendedBlock written = DFSTestUtil.getFirstBlock(cluster.getFileSystem(), file);
    blocks = cluster.getNamesystem().getBlockManager();
    block = blocks.getStoredBlock(written.getLocalBlock());
    holders =
        locked(
            () -> {
              List<DatanodeDescriptor> found = new ArrayList<>();
              for (DatanodeStorageInfo at : blocks.getStorages(block)) {
                found.add(at.getDatanodeDescriptor());
              }
              return found;
            });
    assertEquals(REPLICAS, holders.size());
  }

  private static <T> T locked(Supplier<T> work) {
    FSNamesystem namesystem = cluster.getNamesystem();
    namesystem.writeLock();
    try {
      return work.get();
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  private WaitingBlock describe() {
    return locked(() -> new BlockDescriber(blocks).describe(block, 2, Set.of()));
  }

  /** Says what is to be said of the first holder. */
  private void assertFirst(boolean isStanding, boolean isBarred) {
    WaitingBlock described = describe();
    Set<DatanodeDescriptor> others = new HashSet<>(holders.subList(1, REPLICAS));
    List<DatanodeDescriptor> first = List.of(holders.get(0));
    assertEquals(others, new HashSet<>(described.sources()));
    assertEquals(isStanding ? first : List.of(), described.standing());
    assertEquals(isBarred ? first : List.of(), described.barred());
  }

  @Test
  void liveReplicasAreSources() {
    assertEquals(new HashSet<>(holders), new HashSet<>(describe().sources()));
  }

  /** Its file may be open for long, and HDFS repairs it meanwhile. */
  @Test
  void aBlockThatIsWholeWhileItsFileIsStillWrittenWaitsLikeOthers() {
    for (BlockUCState state : BlockUCState.values()) {
      boolean isWhole = state == BlockUCState.COMMITTED || state == BlockUCState.COMPLETE;
      WaitingBlock described =
          locked(
              () -> {
                if (state == BlockUCState.COMPLETE) {
                  return describe();
                }
                block.convertToBlockUnderConstruction(state, null);
                WaitingBlock now = describe();
                block.convertToCompleteBlock();
                return now;
              });
      assertEquals(isWhole, described != null, state::toString);
    }
  }

  @Test
  void aCorruptReplicaIsNoSource() throws Exception {
    ExtendedBlock named = new ExtendedBlock(cluster.getNamesystem().getBlockPoolId(), block);
    DatanodeDescriptor first = holders.get(0);
    locked(
        () -> {
          try {
            String storage = block.findStorageInfo(first).getStorageID();
            blocks.findAndMarkBlockAsCorrupt(named, first, storage, "test");
            return null;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertFirst(false, true);
  }

  @Test
  void anExcessReplicaIsNoSource() throws Exception {
    for (DataNode dataNode : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, true); // nobody deletes it
    }
    try {
      locked(
          () -> {
            blocks.setReplication((short) REPLICAS, (short) (REPLICAS - 1), block);
            return null;
          });
      List<DatanodeDescriptor> excess =
          holders.stream().filter(node -> blocks.isExcess(node, block)).toList();
      assertEquals(1, excess.size());
      WaitingBlock described = describe();
      assertEquals(excess, described.barred());
      assertEquals(REPLICAS - 1, described.sources().size());
    } finally {
      for (DataNode dataNode : cluster.getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, false);
      }
    }
  }

  @Test
  void aDrainedReplicaIsNoSourceAndStands() {
    holders.get(0).startDecommission();
    assertEquals(REPLICAS, describe().sources().size(), "while it is drained it is read");
    holders.get(0).setDecommissioned();
    try {
      assertFirst(true, false);
    } finally {
      holders.get(0).stopDecommission();
    }
  }

  @Test
  void aReplicaInMaintenanceIsNoSourceAndStands() {
    holders.get(0).startMaintenance();
    holders.get(0).setInMaintenance();
    try {
      assertFirst(true, false);
    } finally {
      holders.get(0).stopMaintenance();
    }
  }

  /** Until HDFS's monitor comes to it, up to five minutes, its blocks stay listed. */
  @Test
  void aReplicaOfAFailedDiskIsNotCountedOn() throws Exception {
    BlockLookup lookup = new NameNodeBlocks(cluster.getNameNode());
    DatanodeDescriptor keeper = holders.get(0);
    BlockLookup.StoredFile file = lookup.file(block.getBlockCollectionId());
    for (DataNode dataNode : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, true); // nobody says otherwise
    }
    try {
      DatanodeStorageInfo disk = locked(() -> block.findStorageInfo(keeper));
      disk.setState(DatanodeStorage.State.FAILED);
      BlockLookup.StoredBlock seen = lookup.blocks(List.of(block.getBlockId())).get(0);
      assertEquals(REPLICAS - 1, seen.replicas().size());
      assertEquals(List.of(keeper), seen.others());
      assertFalse(lookup.shrink(file, Map.of(block.getBlockId(), keeper)));

      disk.setState(DatanodeStorage.State.NORMAL);
      seen = lookup.blocks(List.of(block.getBlockId())).get(0);
      assertEquals(new HashSet<>(holders), new HashSet<>(seen.replicas()));
      assertTrue(lookup.shrink(file, Map.of(block.getBlockId(), keeper)));
    } finally {
      for (DataNode dataNode : cluster.getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, false);
      }
    }
  }

  /** After a failover, until a DataNode has reported anew, it may have less than it had. */
  @Test
  void nothingGoesWhileADataNodeMayHaveLessThanIsKnown() throws Exception {
    BlockLookup lookup = new NameNodeBlocks(cluster.getNameNode());
    Map<Long, DatanodeDescriptor> keepers = Map.of(block.getBlockId(), holders.get(0));
    BlockLookup.StoredFile file = lookup.file(block.getBlockCollectionId());
    for (DataNode dataNode : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, true);
    }
    try {
      for (DatanodeDescriptor holder : holders) {
        DatanodeStorageInfo disk = locked(() -> block.findStorageInfo(holder));
        disk.markStaleAfterFailover();
        assertFalse(lookup.shrink(file, keepers), holder::toString);
        disk.receivedHeartbeat(BlockManagerTestUtil.getStorageReportsForDatanode(holder)[0]);
        disk.receivedBlockReport();
      }
      assertTrue(lookup.shrink(file, keepers));
    } finally {
      for (DataNode dataNode : cluster.getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, false);
      }
    }
  }

  private ReconstructionQueue lacking(int live) {
    ReconstructionQueue queue = NameNodeBridge.of(cluster.getNameNode()).reconstruction();
    locked(() -> blocks.neededReconstruction.add(block, live, 0, 0, REPLICAS));
    queue.rewind();
    return queue;
  }

  @Test
  void whatIsKnownOfABlockIsForgottenWhenItsPriorityHasChanged() {
    WaitingBlock before = describe();
    ReconstructionQueue queue = lacking(2);
    try {
      assertSame(before, queue.next(10, Map.of(before.id(), before)).blocks().get(0));
      locked(() -> blocks.neededReconstruction.remove(block, 2));
      queue = lacking(1);
      WaitingBlock now = queue.next(10, Map.of(before.id(), before)).blocks().get(0);
      assertNotSame(before, now);
      assertEquals(0, now.priority());
    } finally {
      locked(() -> blocks.neededReconstruction.remove(block, 0));
    }
  }

  @Test
  void nothingIsOrderedInAnothersTermNorInSafeMode() throws Exception {
    NameNode nameNode = cluster.getNameNode();
    ReconstructionQueue queue = NameNodeBridge.of(nameNode).reconstruction();
    PlannedCopy copy =
        new PlannedCopy(block.getBlockId(), 100, 2, 0, holders.get(0), holders.get(1), 1);
    long term = nameNode.getLastHATransitionTime();
    assertEquals(1, queue.schedule(List.of(copy), term).size(), "it is its turn");
    assertEquals(List.of(), queue.schedule(List.of(copy), term + 1));
    nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    try {
      assertEquals(List.of(), queue.schedule(List.of(copy), term));
    } finally {
      nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    }
  }
}
