package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.rackweave.hdfs.LogThrottle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DataNode's proxy to its NameNode. Every call goes to Hadoop's own handler, and its answer or
 * exception comes back as it is; heartbeats only get a report on their way.
 */
final class HeartbeatHandler implements RpcInvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatHandler.class);

  private final RpcInvocationHandler hadoop;
  private final HeartbeatAgent agent;
  private final AgentMetrics metrics;
  private final LogThrottle failureLog;
  private final NameNodeLine line;
  private boolean isLineKnown;

  HeartbeatHandler(
      RpcInvocationHandler hadoop,
      HeartbeatAgent agent,
      AgentMetrics metrics,
      LogThrottle failureLog) {
    this.hadoop = hadoop;
    this.agent = agent;
    this.metrics = metrics;
    this.failureLog = failureLog;
    line = new NameNodeLine(hadoop);
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
    try {
      return agent.report(heartbeat);
    } catch (Throwable t) {
      failed("Making a report failed; the heartbeat goes out without one", t);
      return heartbeat;
    }
  }

  private HeartbeatResponseProto follow(
      HeartbeatRequestProto heartbeat, HeartbeatResponseProto reply) {
    if (!isLineKnown) {
      isLineKnown = true;
      NameNodeLines.add(heartbeat.getRegistration().getDatanodeID().getDatanodeUuid(), line);
    }
    try {
      return agent.follow(heartbeat, reply, line.blockPool());
    } catch (Throwable t) {
      failed("Following the NameNode's reply failed; the heartbeat itself is not affected", t);
      return reply;
    }
  }

  private void failed(String what, Throwable cause) {
    metrics.failed();
    if (failureLog.shouldLog()) {
      LOG.warn(what, cause);
    }
  }

  @Override
  public ConnectionId getConnectionId() {
    return hadoop.getConnectionId();
  }

  @Override
  public void close() throws IOException {
    NameNodeLines.remove(line);
    try {
      agent.close();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Ending the agent failed", e);
    } finally {
      hadoop.close();
    }
  }
}
