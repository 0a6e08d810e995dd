package org.rackweave.cli.demo.cluster;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MetricsRecordImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.rackweave.cli.experiment.LinkWindow;

/**
 * Measures what every DataNode receives, window by window, by the metrics that it publishes and not
 * by what Rackweave's agents report, so that a wrong agent would show.
 */
public final class LinkMonitor implements Closeable {

  private static final long WINDOW_MS = 1000;
  private static final String BYTES_WRITTEN = "BytesWritten";

  private final List<DataNode> nodes;
  private final LongFunction<Set<Integer>> hotRacksAt;
  private final List<LinkWindow> windows = new ArrayList<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final long beganNs = System.nanoTime();
  private final ScheduledFuture<?> ticking;
  private long previousMs;
  private long[] previousBytes;

  /**
   * Begins to measure at once.
   *
   * @param hotRacksAt the racks with background load, by milliseconds from now
   */
  public LinkMonitor(EmbeddedCluster cluster, LongFunction<Set<Integer>> hotRacksAt) {
    this.nodes = cluster.dataNodes();
    this.hotRacksAt = hotRacksAt;
    this.previousBytes = receivedBytes();
    ticking =
        clock.scheduleAtFixedRate(this::closeWindow, WINDOW_MS, WINDOW_MS, TimeUnit.MILLISECONDS);
  }

  private long[] receivedBytes() {
    return nodes.stream().mapToLong(LinkMonitor::receivedBytes).toArray();
  }

  /** Bytes of blocks that a DataNode has received since it started. */
  private static long receivedBytes(DataNode node) {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(node.getMetrics().name());
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    for (MetricsRecordImpl entry : collector.getRecords()) {
      for (AbstractMetric metric : entry.metrics()) {
        if (metric.name().equals(BYTES_WRITTEN)) {
          return metric.value().longValue();
        }
      }
    }
    throw new IllegalStateException(
        "DataNode " + node.getDisplayName() + " publishes no " + BYTES_WRITTEN);
  }

  private synchronized void closeWindow() {
    long nowMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
    long[] bytes = receivedBytes();
    double[] rates = new double[bytes.length];
    for (int node = 0; node < rates.length; node++) {
      rates[node] = (bytes[node] - previousBytes[node]) * 1000.0 / (nowMs - previousMs);
    }
    windows.add(
        new LinkWindow(previousMs, nowMs - previousMs, rates, hotRacksAt.apply(previousMs)));
    previousMs = nowMs;
    previousBytes = bytes;
  }

  /**
   * The windows measured so far, in order.
   *
   * @throws IllegalStateException if measuring has failed
   */
  public synchronized List<LinkWindow> windows() {
    if (ticking.isDone()) {
      throw new IllegalStateException("The links are no longer measured");
    }
    return List.copyOf(windows);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
