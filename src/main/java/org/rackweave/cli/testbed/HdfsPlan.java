package org.rackweave.cli.testbed;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.DFCachingGetSpaceUsed;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.TableMapping;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;

/**
 * The HDFS properties that a testbed itself has to set: addresses, directories, sizes, racks, and
 * the speeds of its links. Rackweave's plugin and agents are there when the spec's properties name
 * them, see {@link SiteFragment}; then they run whatever the policy, which can be changed on a
 * running NameNode. Heartbeats come as often as HDFS sends them unless told otherwise.
 *
 * @param spec what was asked for; its own properties have the last word
 * @param addresses where the NameNode can be reached
 * @param layout the hosts
 * @param directory where hosts keep what they store
 */
record HdfsPlan(TestbedSpec spec, AddressBlock addresses, Layout layout, RunDirectory directory) {

  static final int NAMENODE_RPC_PORT = 8020;
  static final int NAMENODE_HTTP_PORT = 9870;

  private static final String EVERY_ADDRESS = "0.0.0.0";
  private static final int BLOCK_BYTES = 8 << 20;

  /**
   * A silent DataNode is dead after ten heartbeats, which are 30 s, and twice this. By default it
   * is five minutes, which no experiment waits for.
   */
  private static final int RECHECK_MS = 1000;

  /** How often a DataNode looks up how much it stores, which costs next to nothing here. */
  private static final int SPACE_REFRESH_MS = 3000;

  /** How a client inside the testbed reaches the cluster. */
  Map<String, String> client() {
    return with(common(addresses.nameNode()));
  }

  /** How this process reaches the NameNode. */
  Map<String, String> control() {
    return with(common(addresses.controlInside()));
  }

  Map<String, String> nameNode(TestbedPolicy policy) {
    Map<String, String> all = common(addresses.nameNode());
    all.put(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY, EVERY_ADDRESS);
    all.put(
        DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
        addresses.nameNode() + ":" + NAMENODE_HTTP_PORT);
    all.put(DFSConfigKeys.DFS_NAMENODE_HTTP_BIND_HOST_KEY, EVERY_ADDRESS);
    all.put(
        DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY,
        directory.storage(layout.nameNode().name()).resolve("name").toUri().toString());
    // Memory is its disk, and a small one.
    all.put(DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_KEY, "0");
    all.put(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, RECHECK_MS + "");
    all.put(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, "0");
    all.put(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY, "false");
    all.put(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        TableMapping.class.getName());
    all.put(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_TABLE_MAPPING_FILE_KEY,
        directory.topologyTable().toString());
    all.put(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, policy.className());
    declareLinksToNameNode(all);
    return with(all);
  }

  /** What an operator declares: how much hosts and racks are linked with. */
  private void declareLinksToNameNode(Map<String, String> all) {
    all.put(ConfigKeys.HOST_BYTES_PER_SEC, String.valueOf(layout.nicBytesPerSec()));
    all.put(ConfigKeys.RACK_BYTES_PER_SEC, String.valueOf(layout.uplinkBytesPerSec()));
  }

  /** The same on a DataNode: its kernel says 10 Gbit/s of every link, whatever its shaper does. */
  private void declareLinkToAgent(Map<String, String> all) {
    all.put(AgentKeys.LINK_BYTES_PER_SEC, String.valueOf(layout.nicBytesPerSec()));
  }

  Map<String, String> dataNode(Host host) {
    Map<String, String> all = common(addresses.nameNode());
    all.put(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, host.name());
    all.put(
        DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
        directory.storage(host.name()).resolve("data").toUri().toString());
    all.put(
        CommonConfigurationKeysPublic.FS_GETSPACEUSED_CLASSNAME,
        DFCachingGetSpaceUsed.class.getName());
    all.put(CommonConfigurationKeysPublic.FS_DU_INTERVAL_KEY, SPACE_REFRESH_MS + "");
    all.put(CommonConfigurationKeysPublic.FS_GETSPACEUSED_JITTER_KEY, "0");
    // By default a DataNode leaves its last GiB alone.
    all.put(
        DFSConfigKeys
            .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY,
        "0");
    all.put(DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_KEY, "-1");
    declareLinkToAgent(all);
    return with(all);
  }

  private Map<String, String> common(String nameNode) {
    Map<String, String> all = new TreeMap<>();
    all.put(
        CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
        "hdfs://" + nameNode + ":" + NAMENODE_RPC_PORT);
    all.put("hadoop.tmp.dir", directory.path().resolve("tmp").toString());
    all.put(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, String.valueOf(BLOCK_BYTES));
    all.put(DFSConfigKeys.DFS_REPLICATION_KEY, "3");
    // An address of the testbed has no name in DNS, and looking for one takes time.
    all.put(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME, "false");
    return all;
  }

  private Map<String, String> with(Map<String, String> properties) {
    properties.putAll(spec.properties());
    return Map.copyOf(properties);
  }

  /** The rack of every host's address, as {@link TableMapping} reads it. */
  String topologyTable() {
    StringBuilder table = new StringBuilder();
    for (Host host : layout.hosts()) {
      table.append(host.address()).append(' ').append(host.location()).append('\n');
    }
    return table.toString();
  }

  /** Names and addresses of all hosts, as {@code jdk.net.hosts.file} has them. */
  String hosts(String machineName) {
    StringBuilder file = new StringBuilder("127.0.0.1 localhost " + machineName + "\n");
    for (Host host : layout.hosts()) {
      file.append(host.address()).append(' ').append(host.name()).append('\n');
    }
    file.append(addresses.controlOutside()).append(" outside\n");
    file.append(addresses.controlInside()).append(" nn-control\n");
    return file.toString();
  }

  /** The site file of HDFS itself. */
  static String hdfsSite(Map<String, String> properties) {
    return siteFile(properties, HdfsPlan::isOfHdfs);
  }

  /** The site file with all other properties, which programs read before they know HDFS. */
  static String coreSite(Map<String, String> properties) {
    return siteFile(properties, key -> !isOfHdfs(key));
  }

  private static boolean isOfHdfs(String key) {
    return key.startsWith("dfs.") || key.startsWith("rackweave.") || key.startsWith("rpc.engine.");
  }

  private static String siteFile(Map<String, String> properties, Predicate<String> belongs) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    new TreeMap<>(properties)
        .forEach(
            (key, value) -> {
              if (belongs.test(key)) {
                xml.append("  <property>\n    <name>").append(escape(key));
                xml.append("</name>\n    <value>").append(escape(value));
                xml.append("</value>\n  </property>\n");
              }
            });
    return xml.append("</configuration>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
