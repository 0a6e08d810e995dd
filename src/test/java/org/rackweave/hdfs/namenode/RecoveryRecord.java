package org.rackweave.hdfs.namenode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.ModelledNetwork;
import org.rackweave.cli.testbed.compare.RecoveryShow.Reading;

/** What links carry, and what recovery says of itself, again and again. */
final class RecoveryRecord implements AutoCloseable {
  private static final String METRICS = "RackweaveRecovery";
  private static final int READING_MS = 250;

  /** Readings from which a line is told. */
  private static final int TOLD = 4;

  private final ModelledNetwork network;
  private final List<String> addresses = new ArrayList<>();
  private final LongSupplier nowMs;
  private final RecordedMetrics before = RecordedMetrics.of(METRICS);
  private final List<Reading> readings = new ArrayList<>();
  private final Map<Long, RecordedMetrics> metrics = new HashMap<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> looking;

  /** Whether a DataNode is hot at a time. */
  interface Heat {
    boolean isHot(int node, long atMs);
  }

  /**
   * Begins.
   *
   * @param nodes how many DataNodes there are
   * @param nowMs what time it is
   */
  RecoveryRecord(EmbeddedCluster cluster, ModelledNetwork network, int nodes, LongSupplier nowMs) {
    this.network = network;
    this.nowMs = nowMs;
    for (int node = 0; node < nodes; node++) {
      addresses.add(cluster.addressOf(node));
    }
    looking = clock.scheduleAtFixedRate(this::look, 0, READING_MS, TimeUnit.MILLISECONDS);
  }

  private synchronized void look() {
    Reading reading =
        new Reading(
            nowMs.getAsLong(),
            addresses.stream().mapToLong(network::sentBytes).toArray(),
            addresses.stream().mapToLong(network::receivedBytes).toArray());
    readings.add(reading);
    metrics.put(reading.atMs(), RecordedMetrics.of(METRICS));
  }

  /** Those of a time. */
  synchronized List<Reading> readings(long fromMs, long toMs) {
    if (looking.isDone()) {
      throw new AssertionError("nobody looks any more");
    }
    return readings.stream()
        .filter(reading -> reading.atMs() >= fromMs && reading.atMs() <= toMs)
        .toList();
  }

  /** By how much a metric has grown. */
  long since(String metric) {
    return RecordedMetrics.of(METRICS).get(metric) - before.get(metric);
  }

  /** The largest value that was seen of a metric. */
  synchronized long most(String metric) {
    return metrics.values().stream().mapToLong(seen -> seen.get(metric)).max().orElseThrow();
  }

  /** Who recovery was said to be by. */
  synchronized Set<String> states() {
    Set<String> states = new TreeSet<>();
    metrics.values().forEach(seen -> states.add(seen.tagged("State")));
    return states;
  }

  /**
   * A line for every second: what part of their links hot DataNodes and others used each way, and
   * what recovery said.
   *
   * @param left a DataNode to be left out
   */
  synchronized String describe(
      long fromMs, long toMs, double linkBytesPerSec, Heat heat, int left) {
    List<Reading> within = readings(fromMs, toMs);
    StringBuilder text = new StringBuilder();
    for (int i = TOLD; i < within.size(); i += TOLD) {
      Reading from = within.get(i - TOLD);
      Reading to = within.get(i);
      double[] bytes = new double[4];
      int[] nodes = new int[2];
      for (int node = 0; node < addresses.size(); node++) {
        if (node != left) {
          int kind = heat.isHot(node, from.atMs()) ? 1 : 0;
          nodes[kind]++;
          bytes[2 * kind] += to.sentBytes()[node] - from.sentBytes()[node];
          bytes[2 * kind + 1] += to.receivedBytes()[node] - from.receivedBytes()[node];
        }
      }
      double could = linkBytesPerSec * (to.atMs() - from.atMs()) / 1e3;
      RecordedMetrics seen = metrics.get(to.atMs());
      text.append(
          String.format(
              Locale.ROOT,
              "  %5.1f s: out, in of cold %.2f %.2f, of hot %.2f %.2f; %s, %d waiting, %d under"
                  + " way, %d ended for others%n",
              (to.atMs() - fromMs) / 1e3,
              bytes[0] / could / nodes[0],
              bytes[1] / could / nodes[0],
              bytes[2] / could / nodes[1],
              bytes[3] / could / nodes[1],
              seen.tagged("State"),
              seen.get("BlocksWaiting"),
              seen.get("CopiesUnderWay"),
              seen.get("StragglersReplaced") - before.get("StragglersReplaced")));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return String.valueOf(RecordedMetrics.of(METRICS));
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
