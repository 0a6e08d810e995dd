package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.placement.FallbackReason;

/** Writes to DataNodes that registered after the latest snapshot. */
class LateDataNodesIT {
  /** Everything on, and a snapshot of the time at which one DataNode had registered. */
  @Test
  void aWriteGetsItsReplicasWhoseSecondDataNodeIsNew() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAR);
    conf.set(ConfiguredRules.CODES, "/=rs-3-2");
    conf.set(RemovedKeys.EAR_RANKING, "sinbad");
    conf.set(ConfiguredRules.HEAT, "/=adapt max=6");
    conf.setBoolean(RemovedKeys.DAYU_ENABLED, true);
    conf.set(ConfigKeys.SNAPSHOT_INTERVAL, "60s");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY, 2);
    try (RackCluster cluster = RackCluster.start(conf, 1)) {
      cluster.context().topologyChanged();
      cluster.context().refresh(Time.monotonicNow());
      cluster.mini().startDataNodes(conf, 1, true, null, new String[] {"/r1"});
      cluster.mini().waitActive();
      cluster.write("/first", 2, 2);
      PlacementMetrics metrics = cluster.context().metrics();
      long stocks =
          metrics.fallbackCount(FallbackReason.NOT_ENOUGH_NODES)
              + metrics.fallbackCount(FallbackReason.UNKNOWN_NODE);
      assertTrue(stocks >= 2, "blocks that stock placed: " + stocks);
      assertEquals(0, metrics.fallbackCount(FallbackReason.ERROR));
    }
  }
}
