package org.rackweave.hdfs.eafr;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.ObservedCapacity;
import org.rackweave.eafr.ReadQueues;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.roles.ReadLoad;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.ReportReader;

/**
 * How loaded each DataNode is with reads: how many it serves at a time, by what its agent says, or
 * else the transfers that stock heartbeats count, writes among them; and how full its link is, or
 * its rack's, which readers share with whatever is sent there, where its agent tells. Of both a
 * moving average is kept, and its peak between two looks at hot files is what a server is judged
 * by: a queue that comes and goes is found, and a single busy moment is not.
 *
 * <p>Soft state, learned from heartbeats in seconds; some hundred bytes a DataNode. {@link #heard}
 * may be called by any thread, the rest by one.
 */
final class ServerLoads {
  /** A DataNode's own server threads that every heartbeat counts among its transfers. */
  private static final int IDLE_TRANSFERS = 1;

  /** Some heartbeats, after which a DataNode may hang. */
  private static final long SILENT_MS = 10_000;

  /** Weight of a look, of which there are four a second. */
  private static final float WEIGHT = 0.25f;

  /** The same of links: some five seconds. */
  private static final float LINK_WEIGHT = 0.05f;

  /** What an interval leaves of a capacity that was observed. */
  private static final double PEAK_KEPT = 0.9;

  /**
   * What an agent told last, and what its link had carried by then.
   *
   * @param atMs monotonic time of arrival
   */
  private record Heard(
      int readers, long atMs, long epochMs, long uptimeMs, long txBytes, long rxBytes) {
    static Heard of(ReportReader report, long atMs) {
      return new Heard(
          report.readers(),
          atMs,
          report.epochMs(),
          report.uptimeMs(),
          report.txBytes(),
          report.rxBytes());
    }

    /** Whether the bytes since another report are known. */
    boolean continues(Heard before) {
      return before != null
          && before.epochMs == epochMs
          && before.uptimeMs < uptimeMs
          && before.txBytes <= txBytes
          && before.rxBytes <= rxBytes;
    }
  }

  private final Supplier<EafrConfig> config;
  private final long staleMs;
  private final Function<String, ServerRole> roles;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();
  private final Map<String, ReadLoad> told = new ConcurrentHashMap<>();
  private DatanodeDescriptor[] datanodes = {};
  private volatile ObservedCapacity capacities;
  private int assumedCapacity;
  private ReadQueues queues = new ReadQueues(0);

  /** Of each server when the last report of its queue was made, monotonic. */
  private long[] reportedMs = {};

  /** Of each server the report by its agent that was looked at last, {@code null} for none. */
  private Heard[] reported = {};

  private final AveragePeaks readLoads = new AveragePeaks(WEIGHT);
  private final AveragePeaks linkLoads = new AveragePeaks(LINK_WEIGHT);

  /**
   * @param staleMs how long a report counts
   * @param roles of DataNodes by UUID
   */
  ServerLoads(Supplier<EafrConfig> config, long staleMs, Function<String, ServerRole> roles) {
    this.roles = roles;
    this.config = config;
    this.staleMs = staleMs;
    assume(config.get().capacity());
  }

  /** What was observed was so beside what was assumed, and is observed anew. */
  private void assume(int capacity) {
    assumedCapacity = capacity;
    capacities = new ObservedCapacity(datanodes.length, capacity, PEAK_KEPT);
  }

  /** A server's agent tells how many read from it. */
  void heard(String datanodeUuid, ReportReader report, long nowMs) {
    heard.put(datanodeUuid, Heard.of(report, nowMs));
  }

  /** Looks at every server. */
  void look(ClusterView state, long nowMs) {
    if (state.datanodes() != datanodes) {
      renumber(state.datanodes());
    }
    if (config.get().capacity() != assumedCapacity) {
      assume(config.get().capacity());
    }
    for (int node = 0; node < datanodes.length; node++) {
      readLoads.add(node, readsNow(node, nowMs));
      String uuid = datanodes[node].getDatanodeUuid();
      if (reported[node] == null) {
        told.remove(uuid);
      } else {
        told.put(uuid, new ReadLoad(Math.round(readLoads.average(node)), placesOf(node)));
      }
      linkLoads.add(node, linkLoad(state.links(), node));
    }
  }

  /** Of a server's link and its rack's how much of the fuller one is in use. */
  private static float linkLoad(LinkSnapshot links, int node) {
    if (links.source(node) != LinkSource.MEASURED) {
      return 0;
    }
    int rack = links.topology().rackOf(node);
    return (float)
        Math.max(
            share(links.hostTx(node), links.hostCapacity(node)),
            share(links.rackTx(rack), links.rackCapacity(rack)));
  }

  private static double share(double sent, double capacity) {
    return capacity > 0 ? Math.min(1, sent / capacity) : 0;
  }

  private int readsNow(int node, long nowMs) {
    DatanodeDescriptor datanode = datanodes[node];
    Heard last = heard.get(datanode.getDatanodeUuid());
    boolean isTold = last != null && nowMs - last.atMs() < staleMs;
    int reads = isTold ? last.readers() : Math.max(0, datanode.getXceiverCount() - IDLE_TRANSFERS);
    long atMs = isTold ? last.atMs() : datanode.getLastUpdateMonotonic();
    if (atMs != reportedMs[node]) {
      long sinceMs = reportedMs[node] == 0 ? 0 : Math.max(0, atMs - reportedMs[node]);
      reportedMs[node] = atMs;
      observe(node, isTold ? last : null);
      if (isTold) {
        queues.reported(node, reads, sinceMs, nowMs); // readers sent there since are in it
      } else {
        queues.counted(node, reads, nowMs);
      }
    } else if (nowMs - atMs > SILENT_MS) {
      queues.silent(node);
    }
    return reads;
  }

  /** Stock heartbeats do not tell what is sent, so that nothing is learned from them. */
  private void observe(int node, Heard now) {
    Heard before = reported[node];
    reported[node] = now;
    if (now == null || !config.get().capacityObserved()) {
      return;
    }
    if (now.continues(before)) {
      double perSec = 1000.0 / (now.uptimeMs() - before.uptimeMs());
      capacities.observed(
          node,
          now.readers(),
          perSec * (now.txBytes() - before.txBytes()),
          perSec * (now.rxBytes() - before.rxBytes()));
    } else {
      capacities.observed(node, now.readers());
    }
  }

  /**
   * What is known of a DataNode that was looked at last, {@code null} where its agent does not
   * tell; for any thread.
   */
  ReadLoad of(String uuid) {
    return told.get(uuid);
  }

  /** The servers' queues, of the cluster that was last looked at. */
  ReadQueues queues() {
    return queues;
  }

  private void renumber(DatanodeDescriptor[] next) {
    Map<DatanodeDescriptor, Integer> before = new IdentityHashMap<>();
    for (int node = 0; node < datanodes.length; node++) {
      before.put(datanodes[node], node);
    }
    int[] oldNumbers = new int[next.length];
    for (int node = 0; node < next.length; node++) {
      oldNumbers[node] = before.getOrDefault(next[node], -1);
    }
    capacities.renumber(oldNumbers);
    queues = new ReadQueues(next.length);
    reportedMs = new long[next.length];
    reported = new Heard[next.length];
    readLoads.renumber(oldNumbers);
    linkLoads.renumber(oldNumbers);
    datanodes = next;
    Set<String> uuids =
        Arrays.stream(next).map(DatanodeDescriptor::getDatanodeUuid).collect(Collectors.toSet());
    heard.keySet().retainAll(uuids);
    told.keySet().retainAll(uuids);
  }

  private int placesOf(int node) {
    return config.get().capacityObserved() ? capacities.of(node) : config.get().capacity();
  }

  /** An interval T is over. */
  void endInterval() {
    capacities.endInterval();
  }

  /** It was looked which files are hot. */
  void endWindow() {
    readLoads.endWindow();
    linkLoads.endWindow();
  }

  /** The servers for a plan. */
  Servers servers(ClusterView state) {
    EafrConfig now = config.get();
    Servers.Builder servers = Servers.of(state.topology(), now.capacity());
    for (int node = 0; node < state.datanodes().length; node++) {
      DatanodeDescriptor datanode = state.datanodes()[node];
      if (!datanode.isAlive() || !datanode.isInService()) {
        servers.failed(node);
      }
      if (state.datanodes() == datanodes) {
        servers
            .capacity(node, placesOf(node))
            .reads(node, Math.round(readLoads.peak(node)))
            .linkLoad(node, linkLoads.peak(node));
      }
      servers.role(node, roles.apply(datanode.getDatanodeUuid()));
      servers.freeBytes(node, datanode.getRemaining());
    }
    return servers.build();
  }
}
