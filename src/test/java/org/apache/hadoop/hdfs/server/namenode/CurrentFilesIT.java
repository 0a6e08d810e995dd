package org.apache.hadoop.hdfs.server.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.EarBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.rackweave.hdfs.eafr.FactorChange;
import org.rackweave.hdfs.eafr.FileLookup;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.ReplicaMark;
import org.rackweave.hdfs.namenode.NameNodeBridge;

/** What is changed by inode: the very file, by the very NameNode, or nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CurrentFilesIT {
  private static final int BYTES = 1000;

  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private int directories;

  @BeforeAll
  void start() throws Exception {
    Configuration conf = new Configuration();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, EarBlockPlacementPolicy.class.getName());
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    cluster =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(2)
            .build();
    cluster.transitionToActive(0);
    cluster.waitActive(0);
    fs = (DistributedFileSystem) HATestUtil.configureFailoverFs(cluster, conf);
  }

  @AfterAll
  void stop() throws IOException {
    fs.close();
    cluster.shutdown();
  }

  private NameNode active() {
    return cluster.getNameNode(cluster.getNameNode(0).isActiveState() ? 0 : 1);
  }

  private long write(Path file, int replication) throws Exception {
    DFSTestUtil.createFile(fs, file, BYTES, (short) replication, 1);
    DFSTestUtil.waitReplication(fs, file, (short) Math.min(2, replication));
    return fs.getClient().getFileInfo(file.toString()).getFileId();
  }

  private int factor(Path file) throws IOException {
    return fs.getFileStatus(file).getReplication();
  }

  private Path directory() throws IOException {
    Path directory = new Path("/directory" + directories++);
    fs.mkdirs(directory);
    return directory;
  }

  /**
   * A file with this factor that only a snapshot holds; another, of two replicas, is at its path.
   */
  private long heldBySnapshotOnly(Path file, int replication) throws Exception {
    long held = write(file, replication);
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "held");
    fs.delete(file, false);
    assertTrue(held != write(file, 2));
    return held;
  }

  private static BlockLookup blocks(NameNode nameNode) {
    return NameNodeBridge.of(nameNode).blocks();
  }

  @Test
  void aDemotedNameNodeThatTriedToRaiseGoesOnReplayingOverQuota() throws Exception {
    Path directory = directory();
    Path file = new Path(directory, "file");
    long id = write(file, 1);
    fs.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, BYTES);
    NameNode before = active();
    int demoted = before == cluster.getNameNode(0) ? 0 : 1;
    cluster.transitionToStandby(demoted);
    cluster.transitionToActive(1 - demoted);

    assertThrows(StandbyException.class, () -> blocks(before).raise(id, 2));
    assertTrue(before.getNamesystem().getFSDirectory().shouldSkipQuotaChecks());

    assertTrue(blocks(active()).raise(id, 2));
    assertFalse(active().getNamesystem().getFSDirectory().shouldSkipQuotaChecks());
    HATestUtil.waitForStandbyToCatchUp(active(), before);
    assertFalse(ExitUtil.terminateCalled(), "the standby cannot replay what is over quota");
    assertEquals(2, blocks(before).file(id).replication());
  }

  @Test
  void raisingWhatOnlyASnapshotHoldsLeavesTheFileAtItsPathAlone() throws Exception {
    Path file = new Path(directory(), "file");
    long held = heldBySnapshotOnly(file, 1);

    assertFalse(blocks(active()).raise(held, 5));

    assertEquals(2, factor(file));
    StoredFile found = blocks(active()).file(held);
    assertFalse(found.isCurrent());
    assertEquals(List.of(1, 1), List.of(found.replication(), found.heldReplication()));
  }

  /** HDFS then has no way to it but the snapshot's, and says a name without a directory. */
  @Test
  void aFileThatWasRenamedAndDeletedIsNotFoundWhileASnapshotHoldsIt() throws Exception {
    Path file = new Path(directory(), "file");
    long id = write(file, 2);
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "held");
    Path renamed = new Path(file.getParent(), "renamed");
    fs.rename(file, renamed, Options.Rename.NONE);
    fs.delete(renamed, false);
    assertFalse(blocks(active()).file(id).isCurrent());
    assertNull(CurrentFiles.change(active(), id, inode -> inode));
  }

  @Test
  void shrinkingWhatOnlyASnapshotHoldsLeavesTheFileAtItsPathAlone() throws Exception {
    Path file = new Path(directory(), "file");
    long id = write(file, 2);
    StoredFile seen = blocks(active()).file(id);
    Map<Long, DatanodeDescriptor> keepers = keepers(id);
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "held");
    fs.delete(file, false);
    write(file, 2);

    assertFalse(blocks(active()).shrink(seen, keepers));

    assertEquals(2, factor(file));
    DFSTestUtil.waitReplication(fs, file, (short) 2);
  }

  @Test
  void aSnapshotThatIsYoungerThanTheDecisionKeepsTheReplicas() throws Exception {
    Path file = new Path(directory(), "file");
    long id = write(file, 2);
    StoredFile seen = blocks(active()).file(id);
    Map<Long, DatanodeDescriptor> keepers = keepers(id);
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "held");

    assertFalse(blocks(active()).shrink(seen, keepers));

    assertEquals(2, factor(file));
    assertEquals(2, blocks(active()).blocks(seen.blockIds()).get(0).replicas().size());
  }

  @Test
  void whatIsRenamedAfterItWasLookedUpIsShrunkWhereItIsNow() throws Exception {
    Path file = new Path(directory(), "file");
    Path renamed = new Path(file.getParent(), "renamed");
    long id = write(file, 2);
    StoredFile seen = blocks(active()).file(id);
    Map<Long, DatanodeDescriptor> keepers = keepers(id);
    fs.rename(file, renamed, Options.Rename.NONE);
    write(file, 2);

    assertTrue(blocks(active()).shrink(seen, keepers));

    assertEquals(List.of(2, 1), List.of(factor(file), factor(renamed)));
  }

  @Test
  void whatOnlyASnapshotHoldsIsNotMarked() throws Exception {
    Path file = new Path(directory(), "file");
    long held = heldBySnapshotOnly(file, 2);
    assertFalse(blocks(active()).mark(held, ReplicaMark.KEEP));
    assertTrue(fs.getXAttrs(file).isEmpty());
  }

  /** Or parity of a stripe that is given up would go while the file has one replica. */
  @Test
  void aMarkForOneReplicaEndsWhenItsOwnerWantsMore() throws Exception {
    Path file = new Path(directory(), "file");
    long id = write(file, 1);
    BlockLookup blocks = blocks(active());
    for (ReplicaMark mark : List.of(ReplicaMark.KEEP, ReplicaMark.NONE, ReplicaMark.ONE)) {
      assertTrue(blocks.mark(id, mark));
      assertEquals(mark, blocks.file(id).mark());
    }
    fs.setReplication(file, (short) 2);
    assertEquals(ReplicaMark.NONE, blocks.file(id).mark());
    DFSTestUtil.waitReplication(fs, file, (short) 2);
    assertTrue(blocks.shrink(blocks.file(id), keepers(id)));
    assertEquals(1, factor(file));
    assertEquals(ReplicaMark.NONE, blocks.file(id).mark());
  }

  private Map<Long, DatanodeDescriptor> keepers(long fileId) throws Exception {
    // After a failover HDFS sheds nothing before DataNodes have reported anew.
    cluster.triggerHeartbeats();
    cluster.triggerBlockReports();
    Map<Long, DatanodeDescriptor> keepers = new HashMap<>();
    INodeFile file = active().getNamesystem().getFSDirectory().getInode(fileId).asFile();
    for (BlockInfo block : file.getBlocks()) {
      keepers.put(block.getBlockId(), block.getDatanode(0));
    }
    return keepers;
  }

  @Test
  void aFileRenamedOutOfASnapshottedDirectoryIsFoundAndChangedWhereItIs() throws Exception {
    Path file = new Path(directory(), "file");
    Path elsewhere = new Path(directory(), "renamed");
    long id = write(file, 1);
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "held");
    fs.rename(file, elsewhere, Options.Rename.NONE);
    write(file, 1);

    assertEquals(elsewhere.toString(), blocks(active()).file(id).path());
    FileLookup files = NameNodeBridge.of(active()).files();
    assertEquals(elsewhere.toString(), files.files(List.of(id)).get(0).path());
    assertTrue(blocks(active()).raise(id, 2));
    assertEquals(List.of(1, 2), List.of(factor(file), factor(elsewhere)));
  }

  @Test
  void aMarkedFactorOfWhatOnlyASnapshotHoldsIsNotChanged() throws Exception {
    Path file = new Path(directory(), "file");
    long held = heldBySnapshotOnly(file, 2);

    assertEquals(
        FactorChange.Result.GONE,
        NameNodeBridge.of(active()).factors().change(held, 2, 3, null, new byte[] {1}));
    assertEquals(2, factor(file));
    assertTrue(fs.getXAttrs(file).isEmpty());
  }
}
