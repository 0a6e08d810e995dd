package org.rackweave.cli.bench;

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.namenode.HeartbeatInterceptor;

/**
 * One heartbeat of a DataNode with four disks on a real NameNode: bytes in, decoded, handled,
 * answer encoded. Stock against the same with a report on the heartbeat and Rackweave's interceptor
 * in front. Reports are read by another thread of the NameNode; a second row has its work added.
 */
final class HeartbeatBench {
  private static final int PORTION = 100;

  private final Configuration conf;
  private final Stopwatch stopwatch;

  HeartbeatBench(Configuration conf, Stopwatch stopwatch) {
    this.conf = conf;
    this.stopwatch = stopwatch;
  }

  void run(int nodes, Consumer<BenchRow> rows) throws Exception {
    try (SimulatedCluster cluster = SimulatedCluster.start(conf, nodes)) {
      BlockingService hdfs = cluster.datanodeProtocol();
      HeartbeatInterceptor interceptor =
          new HeartbeatInterceptor(hdfs, cluster.context(), null, null, null);
      Heartbeats ours = new Heartbeats(cluster, interceptor, true, PORTION);
      rows.accept(row("heartbeat", cluster, hdfs, ours));
      Heartbeats read = new HeartbeatsThatAreRead(cluster, interceptor);
      rows.accept(row("heartbeat-and-reading", cluster, hdfs, read));
    }
  }

  private BenchRow row(String name, SimulatedCluster cluster, BlockingService hdfs, Heartbeats ours)
      throws Exception {
    Heartbeats stock = new Heartbeats(cluster, hdfs, false, PORTION);
    return BenchRow.of(name, cluster.size(), stopwatch.compare(stock, ours, PORTION));
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
