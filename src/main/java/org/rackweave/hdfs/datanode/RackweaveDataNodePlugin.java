package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ServicePlugin;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.Bridge;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.erasure.ErasureConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the agent count the DataNode's own traffic, where several DataNodes share a network
 * interface, and do what the NameNode orders, which is encoding; and decodes for clients. Set in
 * {@code dfs.datanode.plugins}; not needed elsewhere, except that it makes a bad agent setting stop
 * the DataNode before it serves anything.
 */
public final class RackweaveDataNodePlugin implements ServicePlugin, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(RackweaveDataNodePlugin.class);

  /** Some port that the system may choose. */
  private static final int UNPRIVILEGED_PORT = 65535;

  private Configuration conf;
  private OwnTraffic traffic;
  private DecodeServer decoding;

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
    AgentConfig config = AgentConfig.from(conf);
    config.decodeAddress().ifPresent(address -> listen(dataNode, address, config));
  }

  /** A DataNode that cannot decode for clients is as good as any other in all else. */
  private void listen(DataNode dataNode, InetSocketAddress address, AgentConfig config) {
    Optional<String> whyNot = whyNot(address.getPort());
    if (whyNot.isPresent()) {
      LOG.error("Not decoding for clients at {}: {}", address, whyNot.get());
      return;
    }
    decoding =
        new DecodeServer(
            dataNode,
            address,
            whyNot(UNPRIVILEGED_PORT).isEmpty(),
            config,
            CoderSelection.of(ErasureConfig.from(conf)));
  }

  private Optional<String> whyNot(int port) {
    return DecodeServer.whyNot(UserGroupInformation.isSecurityEnabled(), conf, port);
  }

  @Override
  public void stop() {
    if (traffic != null) {
      StartedDataNodes.remove(traffic);
      traffic.detach();
      traffic = null;
    }
    if (decoding != null) {
      decoding.close();
      decoding = null;
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
