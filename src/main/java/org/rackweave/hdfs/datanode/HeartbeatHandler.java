package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * A DataNode's proxy to its NameNode. Every call goes to Hadoop's own handler, and its answer or
 * exception comes back as it is; heartbeats only get a report on their way.
 */
final class HeartbeatHandler implements RpcInvocationHandler {
  private final RpcInvocationHandler hadoop;
  private final HeartbeatAgent agent;
  private final AgentMetrics metrics;
  private final NameNodeChannel line;
  private boolean isLineKnown;

  /**
   * @param questionsMax that may wait for the NameNode's answer
   */
  HeartbeatHandler(
      RpcInvocationHandler hadoop, HeartbeatAgent agent, AgentMetrics metrics, int questionsMax) {
    this.hadoop = hadoop;
    this.agent = agent;
    this.metrics = metrics;
    line = new NameNodeChannel(hadoop, questionsMax);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    if (args == null
        || args.length != 2
        || !(args[1] instanceof HeartbeatRequestProto heartbeat)
        || !method.getName().equals("sendHeartbeat")) {
      Object response = hadoop.invoke(proxy, method, args);
      if (response instanceof VersionResponseProto version) {
        line.heard(version);
      }
      return response;
    }
    Object response = hadoop.invoke(proxy, method, new Object[] {args[0], withReport(heartbeat)});
    if (response instanceof HeartbeatResponseProto reply) {
      return follow(heartbeat, reply);
    }
    return response;
  }

  private Message withReport(HeartbeatRequestProto heartbeat) {
    return or(HookGuard.call(Hook.AGENT_REPORT, null, () -> agent.report(heartbeat)), heartbeat);
  }

  private HeartbeatResponseProto follow(
      HeartbeatRequestProto heartbeat, HeartbeatResponseProto reply) {
    if (!isLineKnown) {
      isLineKnown =
          HookGuard.run(
              Hook.AGENT_REPLY,
              () ->
                  NameNodeChannels.add(
                      heartbeat.getRegistration().getDatanodeID().getDatanodeUuid(), line));
    }
    return or(
        HookGuard.call(
            Hook.AGENT_REPLY, null, () -> agent.follow(heartbeat, reply, line.blockPool())),
        reply);
  }

  private <T> T or(T ours, T stocks) {
    if (ours == null) {
      metrics.failed();
    }
    return ours == null ? stocks : ours;
  }

  @Override
  public ConnectionId getConnectionId() {
    return hadoop.getConnectionId();
  }

  @Override
  public void close() throws IOException {
    NameNodeChannels.remove(line);
    HookGuard.run(Hook.AGENT_CLOSE, agent::close);
    hadoop.close();
  }
}
