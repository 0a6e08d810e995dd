package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;
import org.rackweave.telemetry.DropCause;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;

/** DataNode agents and the NameNode's collector on one cluster: measured, mixed, service port. */
class AgentClusterIT {
  private static final long LINK_BYTES_PER_SEC = 50_000_000;

  private static Configuration withAgents(Configuration conf) {
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, LINK_BYTES_PER_SEC);
    return conf;
  }

  private static LinkSnapshot links(RackCluster cluster) {
    ClusterView state = cluster.context().state();
    return state == null ? cluster.context().noLinks() : state.links();
  }

  private static double totalRx(LinkSnapshot links) {
    double sum = 0;
    for (int node = 0; node < links.topology().nodeCount(); node++) {
      sum += links.hostRx(node);
    }
    return sum;
  }

  @Test
  void measuresRealBytesOfEveryDataNode() throws Exception {
    try (RackCluster cluster = RackCluster.start(withAgents(RackCluster.conf()), 2, 2)) {
      RackCluster.await("all measured", () -> links(cluster).measuredCount() == 4);
      for (int node = 0; node < 4; node++) {
        assertEquals(LINK_BYTES_PER_SEC, links(cluster).hostCapacity(node));
      }
      cluster.write("/bytes", 64, 3);
      RackCluster.await("traffic measured", () -> totalRx(links(cluster)) > 100_000);
      for (DropCause cause : DropCause.values()) {
        assertTrue(
            cause == DropCause.UNKNOWN_NODE
                || cluster.context().collector().droppedCount(cause) == 0,
            cause.label());
      }
    }
  }

  @Test
  void derivesTheLoadOfNodesWithoutAnAgent() throws Exception {
    Configuration conf = RackCluster.conf();
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf).numDataNodes(2).racks(RackCluster.racks(1, 1));
    try (RackCluster cluster = RackCluster.start(builder)) {
      cluster
          .mini()
          .startDataNodes(
              withAgents(new Configuration(conf)), 2, true, null, new String[] {"/r0", "/r1"});
      cluster.mini().waitActive();
      RackCluster.await(
          "two measured and two derived",
          () -> links(cluster).measuredCount() == 2 && links(cluster).derivedCount() == 2);
      cluster.write("/mixed", 4, 3);
      assertTrue(cluster.context().metrics().decisionCount() >= 4);
    }
  }

  @Test
  void measuresThroughTheServicePort() throws Exception {
    Configuration conf = withAgents(RackCluster.conf());
    conf.set(DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY, "localhost:0");
    try (RackCluster cluster = RackCluster.start(conf, 1, 1)) {
      RackCluster.await("all measured", () -> links(cluster).measuredCount() == 2);
    }
  }

  @Test
  void countsAStoppedDataNodeAsFullyLoaded() throws Exception {
    Configuration conf = withAgents(RackCluster.conf());
    conf.set(ConfigKeys.STALE_INTERVAL, "3s");
    conf.set(ConfigKeys.COVERAGE_MIN, "0.9");
    try (RackCluster cluster = RackCluster.start(conf, 2, 2)) {
      RackCluster.await("all measured", () -> links(cluster).measuredCount() == 4);
      String stopped = cluster.mini().getDataNodes().get(0).getDatanodeId().getXferAddr();
      cluster.mini().stopDataNode(0);
      RackCluster.await(
          "a missing link",
          () -> {
            LinkSnapshot links = links(cluster);
            for (int node = 0; node < links.topology().nodeCount(); node++) {
              if (links.topology().nodeName(node).equals(stopped)) {
                return links.source(node) == LinkSource.MISSING
                    && links.hostRx(node) == links.hostCapacity(node);
              }
            }
            return false;
          });
      Path file = cluster.write("/too-little-coverage", 2, 2);
      assertEquals(0, cluster.context().metrics().decisionCount());
      DFSTestUtil.readFile(cluster.fs(), file);
    }
  }
}
