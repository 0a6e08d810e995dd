package org.rackweave.cli.demo;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.rackweave.cli.experiment.Side;
import org.rackweave.cli.testbed.SiteFragment;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.datanode.HeartbeatRpcEngine;
import org.rackweave.hdfs.namenode.PolicyAdvice;

/** What each side of the demo of all features is configured with. */
final class SideProperties {
  private SideProperties() {}

  /** What its NameNode and DataNodes are configured with, beside what both sides are. */
  static Map<String, String> of(Side side, AllFeaturesSettings settings) throws IOException {
    Map<String, String> properties = new TreeMap<>();
    // HDFS takes a DataNode for dead after ten heartbeats and twice this.
    properties.put(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, "500");
    if (side == Side.STOCK) {
      properties.put(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
      properties.put(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, "");
      properties.put(HeartbeatRpcEngine.KEY, ProtobufRpcEngine2.class.getName());
      return properties;
    }
    properties.putAll(SiteFragment.active(TestbedPolicy.RACKWEAVE));
    properties.put(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.RACKWEAVE);
    properties.putAll(minutesAsSeconds());
    properties.put(ConfigKeys.PAPER, "ear.rack-limit=" + settings.rackLimit());
    properties.put(ConfigKeys.EAFR_RESERVE_BYTES, "0");
    return properties;
  }

  /** Has who reads get blocks decoded whose DataNode is gone, as HDFS's own clients do stripes. */
  static void configureReader(Side side, Configuration conf) {
    if (side == Side.RACKWEAVE) {
      conf.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DegradedReadFileSystem");
    }
  }

  /**
   * The demo lasts a minute and a half, in which nothing would be a day, an hour or minutes old.
   */
  static Map<String, String> minutesAsSeconds() {
    return new TreeMap<>(
        Map.of(
            ConfigKeys.EAR_SEAL_AGE, "3s",
            ConfigKeys.EAR_SEARCH_INTERVAL, "1s",
            ConfigKeys.EAFR_INTERVAL, "4s",
            ConfigKeys.EAFR_AGE_MIN, "0",
            ConfigKeys.EAFR_COOL_DOWN, "0",
            ConfigKeys.DAYU_TIMESLOT, "2s",
            ConfigKeys.DAYU_CLAIM, "3s",
            ConfigKeys.DAYU_BRAKE_GRACE, "0"));
  }
}
