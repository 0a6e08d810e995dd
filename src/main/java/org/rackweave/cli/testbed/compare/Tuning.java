package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.cli.testbed.SiteFragment;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.ConfigKeys;

/** With which settings a policy is compared. */
enum Tuning {
  /** Its file in {@code conf/}, switched to active and nothing else. */
  SHIPPED(Map.of()),

  /**
   * The same with what suits the short blocks of a testbed: heartbeats every second, after which a
   * silent DataNode is dead in 14 s, and a picture of the links ten times a second.
   */
  TUNED(
      Map.of(
          DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "1",
          DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, "2000",
          DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN,
          ConfigKeys.SNAPSHOT_INTERVAL, "100ms"));

  /** What of it goes for HDFS itself. */
  static final Map<String, String> HEARTBEATS =
      Map.of(
          DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
          TUNED.properties.get(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY),
          DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
          TUNED.properties.get(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY));

  private final Map<String, String> properties;

  Tuning(Map<String, String> properties) {
    this.properties = properties;
  }

  /** As written on the command line, in tables and in figures. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What ships for a policy, then what an experiment cannot do without, then what is tuned, then
   * what the user wants.
   *
   * @param policy whose file it is; nothing ships for stock HDFS
   * @param needed by the experiment, such as a path
   * @param tuned for the experiment, beside what is whatever the experiment
   */
  Map<String, String> settings(
      TestbedPolicy policy,
      Map<String, String> needed,
      Map<String, String> tuned,
      CompareOptions options)
      throws IOException {
    Map<String, String> all = new TreeMap<>();
    if (policy != TestbedPolicy.STOCK) {
      all.putAll(SiteFragment.active(policy));
    }
    all.putAll(needed);
    if (this == TUNED) {
      all.putAll(policy == TestbedPolicy.STOCK ? HEARTBEATS : properties);
      all.putAll(tuned);
    }
    all.putAll(options.properties());
    return all;
  }
}
