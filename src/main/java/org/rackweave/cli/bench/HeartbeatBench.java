package org.rackweave.cli.bench;

import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.namenode.HeartbeatInterceptor;

/**
 * One heartbeat of a DataNode with four disks on a real NameNode: bytes in, decoded, handled,
 * answer encoded. Stock against the same with a report on the heartbeat and Rackweave's interceptor
 * in front. Reports are read by another thread of the NameNode; a second row has its work added.
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
      HeartbeatInterceptor interceptor =
          new HeartbeatInterceptor(hdfs, cluster.context(), null, null, null);
      return List.of(
          row("heartbeat", cluster, hdfs, new Heartbeats(cluster, interceptor, true, PORTION)),
          row(
              "heartbeat-and-reading",
              cluster,
              hdfs,
              new HeartbeatsThatAreRead(cluster, interceptor)));
    }
  }

  private BenchRow row(String name, SimulatedCluster cluster, BlockingService hdfs, Heartbeats ours)
      throws Exception {
    Heartbeats stock = new Heartbeats(cluster, hdfs, false, PORTION);
    BenchRow row = BenchRow.of(name, cluster.size(), stopwatch.compare(stock, ours, PORTION));
    out.println(row.line());
    return row;
  }

  /** Heartbeats with reports that are read by the same thread. */
  private static final class HeartbeatsThatAreRead extends Heartbeats {
    HeartbeatsThatAreRead(SimulatedCluster cluster, BlockingService service) {
      super(cluster, service, true, PORTION);
    }

    @Override
    public void run(int operations) throws Exception {
      super.run(operations);
      cluster().context().readReports(Time.monotonicNow());
    }
  }
}
