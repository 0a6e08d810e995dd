package org.rackweave.cli.demo.cluster;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetworkTopology;
import org.rackweave.cli.demo.DemoSettings;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.datanode.HeartbeatRpcEngine;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.namenode.PlacementContexts;
import org.rackweave.hdfs.namenode.RackweaveNameNodePlugin;

/** All there is to switching Rackweave on, in one place. */
public final class RackweaveWiring {

  private RackweaveWiring() {}

  /** The NameNode's properties; it begins with stock placement. */
  static void addToNameNode(Configuration conf, DemoSettings settings) {
    conf.set(ConfigKeys.MODE, "active");
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, RackweaveNameNodePlugin.class.getName());
    conf.setLong(ConfigKeys.HOST_BYTES_PER_SEC, settings.linkBytesPerSec());
  }

  /** A DataNode's properties: its agent counts what this DataNode received, and nothing else. */
  static void addToDataNode(Configuration conf, DemoSettings settings, String address) {
    conf.set(HeartbeatRpcEngine.KEY, HeartbeatRpcEngine.class.getName());
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "datanode");
    conf.set(AgentKeys.DECODE_ADDRESS, address + ":0");
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, settings.linkBytesPerSec());
  }

  /** What Rackweave knows and counts in {@code nameNode}. */
  static PlacementContext contextOf(NameNode nameNode) {
    NetworkTopology topology =
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology();
    PlacementContext context = PlacementContexts.find(topology);
    if (context == null) {
      throw new IllegalStateException("Rackweave's plugin has not started in the NameNode");
    }
    return context;
  }
}
