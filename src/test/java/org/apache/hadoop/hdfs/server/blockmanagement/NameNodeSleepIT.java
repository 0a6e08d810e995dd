package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.roles.SleepLookup;
import org.rackweave.hdfs.roles.SleepLookup.Look;

/** Which replicas of other servers let one sleep. */
class NameNodeSleepIT {
  @Test
  void staleSilentCorruptAndExcessReplicasLetNobodySleep() throws Exception {
    Path file = new Path("/file");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new Configuration()).numDataNodes(2).build()) {
      cluster.waitActive();
      DFSTestUtil.createFile(cluster.getFileSystem(), file, 100, (short) 2, 1);
      DFSTestUtil.waitReplication(cluster.getFileSystem(), file, (short) 2);
      ExtendedBlock block = DFSTestUtil.getFirstBlock(cluster.getFileSystem(), file);
      BlockManager manager = cluster.getNamesystem().getBlockManager();
      BlockInfo stored = manager.getStoredBlock(block.getLocalBlock());
      DatanodeDescriptor sleeper = stored.getDatanode(0);
      DatanodeStorageInfo other = stored.getStorageInfo(1);
      SleepLookup lookup = new NameNodeSleep(cluster.getNameNode());
      cluster.getDataNodes().forEach(dataNode -> dataNode.setHeartbeatsDisabledForTests(true));

      assertEquals(Look.ALL_AWAKE, lookup.look(sleeper, 0, 10, node -> true));
      assertEquals(Look.NEEDED, lookup.look(sleeper, 0, 10, node -> false));

      other.markStaleAfterFailover();
      assertEquals(Look.NEEDED, lookup.look(sleeper, 0, 10, node -> true), "stale");
      other.receivedHeartbeat(
          BlockManagerTestUtil.getStorageReportsForDatanode(other.getDatanodeDescriptor())[0]);
      other.receivedBlockReport();
      assertEquals(Look.ALL_AWAKE, lookup.look(sleeper, 0, 10, node -> true));

      long heardMs = other.getDatanodeDescriptor().getLastUpdateMonotonic();
      other.getDatanodeDescriptor().setLastUpdateMonotonic(heardMs - 600_000);
      assertEquals(Look.NEEDED, lookup.look(sleeper, 0, 10, node -> true), "silent");
      other.getDatanodeDescriptor().setLastUpdateMonotonic(heardMs);

      cluster.getNamesystem().writeLock();
      try {
        manager.findAndMarkBlockAsCorrupt(
            block, other.getDatanodeDescriptor(), other.getStorageID(), "test");
      } finally {
        cluster.getNamesystem().writeUnlock("test");
      }
      assertEquals(Look.NEEDED, lookup.look(sleeper, 0, 10, node -> true), "corrupt");

      cluster.getFileSystem().delete(file, false);
      DFSTestUtil.createFile(cluster.getFileSystem(), file, 100, (short) 2, 1);
      DFSTestUtil.waitReplication(cluster.getFileSystem(), file, (short) 2);
      BlockInfo surplus =
          manager.getStoredBlock(
              DFSTestUtil.getFirstBlock(cluster.getFileSystem(), file).getLocalBlock());
      cluster.getFileSystem().setReplication(file, (short) 1);
      DatanodeDescriptor first = surplus.getDatanode(0);
      DatanodeDescriptor kept = manager.isExcess(first, surplus) ? surplus.getDatanode(1) : first;
      assertEquals(Look.NEEDED, lookup.look(kept, 0, 10, node -> true), "excess");
    }
  }
}
