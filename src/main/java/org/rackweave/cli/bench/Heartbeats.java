package org.rackweave.cli.bench;

import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ReportingHeartbeat;

/**
 * Heartbeats of one DataNode after the other, as they come off the wire: decoded, handled, the
 * answer encoded.
 */
class Heartbeats implements Stopwatch.Work {
  private static final MethodDescriptor METHOD =
      DatanodeProtocolService.getDescriptor().findMethodByName("sendHeartbeat");

  private final SimulatedCluster cluster;
  private final BlockingService service;
  private final boolean reporting;
  private final byte[][] wire;
  private final Message prototype;
  private int nextDatanode;

  /**
   * @param reporting whether agents' reports are on them
   * @param portion heartbeats between two calls of {@link #prepare}
   */
  Heartbeats(SimulatedCluster cluster, BlockingService service, boolean reporting, int portion) {
    this.cluster = cluster;
    this.service = service;
    prototype = service.getRequestPrototype(METHOD);
    this.reporting = reporting;
    wire = new byte[portion][];
  }

  final SimulatedCluster cluster() {
    return cluster;
  }

  @Override
  public void prepare() throws Exception {
    prepare(nextDatanode);
    nextDatanode = (nextDatanode + wire.length) % cluster.size();
  }

  /** Has the next heartbeats come from some DataNodes, beginning with a given one. */
  final void prepare(int first) {
    cluster.context().readReports(Time.monotonicNow());
    for (int i = 0; i < wire.length; i++) {
      SimulatedDatanode datanode = cluster.datanode((first + i) % cluster.size());
      HeartbeatRequestProto heartbeat = datanode.heartbeat();
      wire[i] =
          (reporting ? new ReportingHeartbeat(heartbeat, datanode.nextReport()) : heartbeat)
              .toByteArray();
    }
  }

  @Override
  public void run(int operations) throws Exception {
    for (int i = 0; i < operations; i++) {
      Message heartbeat = prototype.getParserForType().parseFrom(wire[i % wire.length]);
      HeartbeatResponseProto answer =
          (HeartbeatResponseProto) service.callBlockingMethod(METHOD, null, heartbeat);
      answered(i % wire.length, answer);
      if (answer.toByteArray().length == 0) {
        throw new IllegalStateException("a heartbeat without an answer");
      }
    }
  }

  /** Sees the answer to one of the portion's heartbeats; must be quick. */
  void answered(int heartbeat, HeartbeatResponseProto answer) {}
}
