package org.rackweave.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.Bridge;
import org.rackweave.hdfs.erasure.ErasureConfig;

/**
 * Lets the agent count the DataNode's own traffic, where several DataNodes share a network
 * interface, and do what the NameNode orders, which is encoding. Set in {@code
 * dfs.datanode.plugins}; not needed elsewhere, except that it makes a bad agent setting stop the
 * DataNode before it serves anything.
 */
public final class RackweaveDataNodePlugin implements ServicePlugin, Configurable {
  private Configuration conf;
  private OwnTraffic traffic;

  /**
   * @throws IllegalArgumentException if a setting is out of range, which stops the DataNode
   */
  @Override
  public void setConf(Configuration conf) {
    AgentConfig.from(conf);
    ErasureConfig.from(conf);
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void start(Object service) {
    if (!(service instanceof DataNode dataNode)) {
      throw new IllegalArgumentException(
          getClass().getName() + " belongs in dfs.datanode.plugins, not in " + service.getClass());
    }
    traffic = Bridge.to(OwnTraffic.Access.class).of(dataNode);
    StartedDataNodes.add(traffic);
  }

  @Override
  public void stop() {
    if (traffic != null) {
      StartedDataNodes.remove(traffic);
      traffic.detach();
      traffic = null;
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
