package org.rackweave.hdfs.namenode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.ModelledNetwork;
import org.rackweave.cli.testbed.compare.RecoveryShow.Reading;

/** What links carry, and what recovery says of itself, again and again. */
final class RecoveryRecord implements AutoCloseable {
  private static final String METRICS = "RackweaveRecovery";
  private static final int READING_MS = 250;

  /** Readings from which a line is told. */
  private static final int TOLD = 4;

  private final EmbeddedCluster cluster;
  private final ModelledNetwork network;
  private final int nodes;
  private final LongSupplier nowMs;
  private final Supplier<String> report;
  private final List<Look> looks = new ArrayList<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> looking;
  private RecordedMetrics before = RecordedMetrics.of(METRICS);
  private long markedMs;

  /**
   * A look.
   *
   * @param toDataNodesBytes what each DataNode had sent to others
   * @param rates what copies from each DataNode were to go at, together, as recovery tells it
   * @param idle what recovery took for idle of what each sends, 0 for those it has no copies from
   */
  private record Look(
      Reading reading,
      long[] toDataNodesBytes,
      double[] rates,
      double[] idle,
      RecordedMetrics metrics) {

    long atMs() {
      return reading.atMs();
    }
  }

  /** Whether a DataNode is hot at a time. */
  interface Heat {
    boolean isHot(int node, long atMs);
  }

  /**
   * Begins.
   *
   * @param nodes how many DataNodes there are
   * @param nowMs what time it is
   * @param report what recovery tells of itself, in JSON
   */
  RecoveryRecord(
      EmbeddedCluster cluster,
      ModelledNetwork network,
      int nodes,
      LongSupplier nowMs,
      Supplier<String> report) {
    this.cluster = cluster;
    this.network = network;
    this.nodes = nodes;
    this.nowMs = nowMs;
    this.report = report;
    looking = clock.scheduleAtFixedRate(this::look, 0, READING_MS, TimeUnit.MILLISECONDS);
  }

  private synchronized void look() {
    double[] rates = new double[nodes];
    double[] idle = new double[nodes];
    for (JsonNode line : json(report.get()).path("node")) {
      String name = line.path("name").asText();
      int node = cluster.nodeAt(name.substring(0, name.indexOf(':')));
      rates[node] = line.path("out_bytes_per_sec").asDouble();
      idle[node] = line.path("idle_out_bytes_per_sec").asDouble();
    }
    looks.add(
        new Look(
            new Reading(
                nowMs.getAsLong(), ofAll(network::sentBytes), ofAll(network::receivedBytes)),
            ofAll(network::sentToDataNodesBytes),
            rates,
            idle,
            RecordedMetrics.of(METRICS)));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private long[] ofAll(ToLongFunction<String> counter) {
    return IntStream.range(0, nodes)
        .mapToLong(node -> counter.applyAsLong(cluster.addressOf(node)))
        .toArray();
  }

  /** What links had carried, at looks of a time. */
  List<Reading> readings(long fromMs, long toMs) {
    return looks(fromMs, toMs).stream().map(Look::reading).toList();
  }

  private synchronized List<Look> looks(long fromMs, long toMs) {
    if (looking.isDone()) {
      throw new AssertionError("nobody looks any more");
    }
    return looks.stream().filter(look -> look.atMs() >= fromMs && look.atMs() <= toMs).toList();
  }

  private List<RecordedMetrics> metrics() {
    return looks(markedMs, Long.MAX_VALUE).stream().map(Look::metrics).toList();
  }

  /** From now on counts what recovery says. */
  void mark() {
    before = RecordedMetrics.of(METRICS);
    markedMs = nowMs.getAsLong();
  }

  /** A metric. */
  long now(String metric) {
    return RecordedMetrics.of(METRICS).get(metric);
  }

  /** By how much a metric has grown since. */
  long since(String metric) {
    return now(metric) - before.get(metric);
  }

  /** The largest value that was seen of a metric since. */
  long most(String metric) {
    return metrics().stream().mapToLong(seen -> seen.get(metric)).max().orElseThrow();
  }

  /** Who recovery was said to be by since. */
  Set<String> states() {
    return metrics().stream().map(seen -> seen.tagged("State")).collect(Collectors.toSet());
  }

  /**
   * A line for every second: what part of their links hot DataNodes and others used each way; what
   * part they sent to other DataNodes, what copies were to take and what was taken for idle; and
   * how many copies there were.
   *
   * @param left a DataNode to be left out
   */
  String describe(long fromMs, long toMs, double linkBytesPerSec, Heat heat, int left) {
    List<Look> within = looks(fromMs, toMs);
    StringBuilder text = new StringBuilder();
    for (int i = TOLD; i < within.size(); i += TOLD) {
      Look from = within.get(i - TOLD);
      Look to = within.get(i);
      text.append(String.format(Locale.ROOT, "  %5.1f s", (to.atMs() - fromMs) / 1e3));
      for (boolean isHot : new boolean[] {false, true}) {
        int[] of =
            IntStream.range(0, nodes)
                .filter(node -> node != left && heat.isHot(node, from.atMs()) == isHot)
                .toArray();
        double seconds = (to.atMs() - from.atMs()) / 1e3;
        double could = linkBytesPerSec * of.length;
        text.append(
            String.format(
                Locale.ROOT,
                ", %s in %.2f out %.2f, to others %.2f of %.2f of %.2f",
                isHot ? "hot" : "cold",
                grown(from.reading().receivedBytes(), to.reading().receivedBytes(), of)
                    / seconds
                    / could,
                grown(from.reading().sentBytes(), to.reading().sentBytes(), of) / seconds / could,
                grown(from.toDataNodesBytes(), to.toDataNodesBytes(), of) / seconds / could,
                sum(from.rates(), of) / could,
                sum(from.idle(), of) / could));
      }
      text.append(
          String.format(
              Locale.ROOT,
              "; %d waiting, %d under way, %d begun anew%n",
              to.metrics().get("BlocksWaiting"),
              to.metrics().get("CopiesUnderWay"),
              to.metrics().get("StragglersReplaced") - before.get("StragglersReplaced")));
    }
    return text.toString();
  }

  /**
   * What DataNodes sent to others beyond what was taken for idle within a second or just before, as
   * a fraction of all they sent to others.
   *
   * @param othersBytesPerSec what each sends to others for writes, whoever recovers
   */
  double excess(long fromMs, long toMs, double othersBytesPerSec) {
    List<Look> within = looks(fromMs, toMs);
    double sent = 0;
    double beyond = 0;
    for (int i = 2 * TOLD; i < within.size(); i += TOLD) {
      Look from = within.get(i - TOLD);
      Look to = within.get(i);
      for (int node = 0; node < nodes; node++) {
        double most = 0;
        for (Look look : within.subList(i - 2 * TOLD, i + 1)) {
          most = Math.max(most, look.idle()[node]);
        }
        double bytes = to.toDataNodesBytes()[node] - from.toDataNodesBytes()[node];
        double allowed = (most + othersBytesPerSec) * (to.atMs() - from.atMs()) / 1e3;
        sent += bytes;
        beyond += Math.max(0, bytes - allowed);
      }
    }
    return sent == 0 ? 0 : beyond / sent;
  }

  /** Bytes that DataNodes sent to one another. */
  long betweenDataNodesBytes(long fromMs, long toMs) {
    List<Look> within = looks(fromMs, toMs);
    long[] first = within.get(0).toDataNodesBytes();
    long[] last = within.get(within.size() - 1).toDataNodesBytes();
    return (long) grown(first, last, IntStream.range(0, nodes).toArray());
  }

  /** What the fullest link carried in a second, bytes per second. */
  double fullestBytesPerSec(long fromMs, long toMs) {
    List<Reading> within = readings(fromMs, toMs);
    double most = 0;
    for (int i = TOLD; i < within.size(); i += TOLD) {
      Reading from = within.get(i - TOLD);
      Reading to = within.get(i);
      double seconds = (to.atMs() - from.atMs()) / 1e3;
      for (int node = 0; node < nodes; node++) {
        int[] only = {node};
        most = Math.max(most, grown(from.sentBytes(), to.sentBytes(), only) / seconds);
        most = Math.max(most, grown(from.receivedBytes(), to.receivedBytes(), only) / seconds);
      }
    }
    return most;
  }

  private static double grown(long[] from, long[] to, int[] of) {
    return IntStream.of(of).mapToDouble(node -> to[node] - from[node]).sum();
  }

  private static double sum(double[] values, int[] of) {
    return IntStream.of(of).mapToDouble(node -> values[node]).sum();
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
