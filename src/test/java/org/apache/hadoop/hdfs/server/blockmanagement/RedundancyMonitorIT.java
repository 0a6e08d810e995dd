package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.namenode.RackCluster;

/** Who asks a placement policy, in a running NameNode. */
class RedundancyMonitorIT {
  private static final Queue<Asked> ASKED = new ConcurrentLinkedQueue<>();

  private record Asked(Thread by, boolean isNewBlock, boolean isMonitor) {}

  /** Stock placement that notes who asks. */
  public static final class Noting extends BlockPlacementPolicyDefault {
    @Override
    public DatanodeStorageInfo[] chooseTarget(
        String path,
        int replicas,
        Node writer,
        List<DatanodeStorageInfo> chosen,
        boolean returnChosen,
        Set<Node> excluded,
        long blockSizeBytes,
        BlockStoragePolicy storagePolicy,
        EnumSet<AddBlockFlag> flags) {
      ASKED.add(new Asked(Thread.currentThread(), flags != null, RedundancyMonitor.isCurrent()));
      return super.chooseTarget(
          path,
          replicas,
          writer,
          chosen,
          returnChosen,
          excluded,
          blockSizeBytes,
          storagePolicy,
          flags);
    }
  }

  @Test
  void onlyTheThreadThatCopiesLostReplicasIsTheMonitor() throws Exception {
    Configuration conf = RackCluster.stockConf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, Noting.class.getName());
    try (RackCluster cluster = RackCluster.start(conf, 1, 1)) {
      Path file = cluster.write("/file", 1, 1);
      cluster.fs().setReplication(file, (short) 2);
      RackCluster.await("a copy", () -> ASKED.stream().anyMatch(asked -> !asked.isNewBlock()));
      Thread monitor = cluster.mini().getNamesystem().getBlockManager().getRedundancyThread();
      assertTrue(ASKED.stream().anyMatch(Asked::isNewBlock));
      for (Asked asked : ASKED) {
        assertEquals(asked.by() == monitor, asked.isMonitor(), asked.by().getName());
        assertEquals(!asked.isNewBlock(), asked.isMonitor(), asked.by().getName());
      }
    }
  }

  @Test
  void oneThatStandsInIsTheMonitorForAsLong() throws Exception {
    assertFalse(RedundancyMonitor.isCurrent());
    assertTrue(RedundancyMonitor.standIn(RedundancyMonitor::isCurrent));
    assertFalse(RedundancyMonitor.isCurrent());
  }
}
