package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolProxy;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.security.UserGroupInformation;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookMetrics;

/**
 * Hadoop's RPC engine, with an agent on the heartbeats of DataNodes. Set as {@value #KEY} on
 * DataNodes; on a NameNode it does nothing.
 *
 * <p>Hadoop keeps one engine for a protocol in a process, chosen by the first user, so each proxy
 * is decided by the configuration it is made with.
 */
public class HeartbeatRpcEngine extends ProtobufRpcEngine2 {
  /** Configuration key that names this class. */
  public static final String KEY =
      "rpc.engine.org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB";

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if an agent setting is out of range; the DataNode's service
   *     for that NameNode then ends, and with the last one the DataNode
   */
  @Override
  public <T> ProtocolProxy<T> getProxy(
      Class<T> protocol,
      long clientVersion,
      InetSocketAddress address,
      UserGroupInformation user,
      Configuration conf,
      SocketFactory factory,
      int rpcTimeout,
      RetryPolicy connectionRetryPolicy,
      AtomicBoolean fallbackToSimpleAuth,
      AlignmentContext alignmentContext)
      throws IOException {
    AgentConfig config = isOn(protocol, conf) ? AgentConfig.from(conf) : null;
    ProtocolProxy<T> stock =
        super.getProxy(
            protocol,
            clientVersion,
            address,
            user,
            conf,
            factory,
            rpcTimeout,
            connectionRetryPolicy,
            fallbackToSimpleAuth,
            alignmentContext);
    if (config == null) {
      return stock;
    }
    return HookGuard.call(Hook.AGENT_START, stock, () -> withAgent(protocol, stock, config, conf));
  }

  private boolean isOn(Class<?> protocol, Configuration conf) {
    return protocol == DatanodeProtocolPB.class
        && getClass().getName().equals(conf.getTrimmed(KEY));
  }

  private <T> ProtocolProxy<T> withAgent(
      Class<T> protocol, ProtocolProxy<T> stock, AgentConfig config, Configuration conf)
      throws IOException {
    RpcInvocationHandler hadoop =
        (RpcInvocationHandler) Proxy.getInvocationHandler(stock.getProxy());
    HookMetrics.publish();
    AgentMetrics metrics = AgentMetrics.ofThisProcess();
    HeartbeatAgent agent = HeartbeatAgent.of(host(), config, conf, metrics);
    Object proxy =
        Proxy.newProxyInstance(
            protocol.getClassLoader(),
            new Class<?>[] {protocol},
            new HeartbeatHandler(hadoop, agent, metrics, config.questionsMax()));
    return new ProtocolProxy<>(protocol, protocol.cast(proxy), false);
  }

  /** The host whose network interfaces are counted. */
  HostFiles host() {
    return HostFiles.ofThisHost();
  }
}
