package org.rackweave.cli.bench;

import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ReportingHeartbeat;
import org.rackweave.hdfs.namenode.HeartbeatTap;

/**
 * One heartbeat of a DataNode with four disks on a real NameNode: bytes in, decoded, handled,
 * answer encoded. Stock against the same with a report on the heartbeat and Rackweave's tap in
 * front. Reports are read by another thread of the NameNode; a second row has its work added.
 */
final class HeartbeatBench {
  private static final int MAX_DATA_LENGTH = 64 << 20;
  private static final int PORTION = 100;

  private final Configuration conf;
  private final Stopwatch stopwatch;
  private final PrintStream out;

  HeartbeatBench(Configuration conf, Stopwatch stopwatch, PrintStream out) {
    this.conf = conf;
    this.stopwatch = stopwatch;
    this.out = out;
  }

  List<BenchRow> run(int nodes) throws Exception {
    try (SimulatedCluster cluster = SimulatedCluster.start(conf, nodes)) {
      BlockingService hdfs =
          DatanodeProtocolService.newReflectiveBlockingService(
              new DatanodeProtocolServerSideTranslatorPB(
                  cluster.nameNode().getRpcServer(), MAX_DATA_LENGTH));
      HeartbeatTap tap = new HeartbeatTap(hdfs, cluster.context(), null, null, null);
      return List.of(
          row("heartbeat", cluster, hdfs, new Heartbeats(cluster, tap, true)),
          row("heartbeat-and-reading", cluster, hdfs, new HeartbeatsThatAreRead(cluster, tap)));
    }
  }

  private BenchRow row(String name, SimulatedCluster cluster, BlockingService hdfs, Heartbeats ours)
      throws Exception {
    Heartbeats stock = new Heartbeats(cluster, hdfs, false);
    BenchRow row = BenchRow.of(name, cluster.size(), stopwatch.compare(stock, ours, PORTION));
    out.println(row.line());
    return row;
  }

  /** Heartbeats of one DataNode after the other, as they come off the wire. */
  private static class Heartbeats implements Stopwatch.Work {
    private static final MethodDescriptor METHOD =
        DatanodeProtocolService.getDescriptor().findMethodByName("sendHeartbeat");

    final SimulatedCluster cluster;
    private final BlockingService service;
    private final boolean reporting;
    private final byte[][] wire = new byte[PORTION][];
    private final Message prototype;
    private int nextDatanode;

    Heartbeats(SimulatedCluster cluster, BlockingService service, boolean reporting) {
      this.cluster = cluster;
      this.service = service;
      prototype = service.getRequestPrototype(METHOD);
      this.reporting = reporting;
    }

    @Override
    public void prepare() {
      cluster.context().readReports(Time.monotonicNow());
      for (int i = 0; i < PORTION; i++) {
        SimulatedDatanode datanode = cluster.datanode(nextDatanode);
        nextDatanode = (nextDatanode + 1) % cluster.size();
        HeartbeatRequestProto heartbeat = datanode.heartbeat();
        wire[i] =
            (reporting ? new ReportingHeartbeat(heartbeat, datanode.nextReport()) : heartbeat)
                .toByteArray();
      }
    }

    @Override
    public void run(int operations) throws Exception {
      for (int i = 0; i < operations; i++) {
        Message heartbeat = prototype.getParserForType().parseFrom(wire[i % PORTION]);
        byte[] answer = service.callBlockingMethod(METHOD, null, heartbeat).toByteArray();
        if (answer.length == 0) {
          throw new IllegalStateException("a heartbeat without an answer");
        }
      }
    }
  }

  /** The same, with the reports read by the same thread. */
  private static final class HeartbeatsThatAreRead extends Heartbeats {
    HeartbeatsThatAreRead(SimulatedCluster cluster, BlockingService service) {
      super(cluster, service, true);
    }

    @Override
    public void run(int operations) throws Exception {
      super.run(operations);
      cluster.context().readReports(Time.monotonicNow());
    }
  }
}
