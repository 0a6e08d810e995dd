package org.rackweave.hdfs.datanode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;

/**
 * Samples the links of a process's agents several times a second, on a thread that runs while there
 * are any, and has a DataNode send a heartbeat out of turn when the class of its link has changed.
 * Only where the DataNode's plugin runs, for only there blocks of HDFS are told apart from what
 * others send, and only there is HDFS's trigger at hand.
 *
 * <p>Bounded by the agents in the process. Thread-safe.
 */
final class LinkWatch {
  /** Seven samples for each half-life of a rate that falls, one or two of one that rises. */
  private static final long SAMPLE_INTERVAL_MS = 200;

  private static final LinkWatch OF_THIS_PROCESS =
      new LinkWatch(AgentMetrics.ofThisProcess(), System::nanoTime, SAMPLE_INTERVAL_MS);

  private final AgentMetrics metrics;
  private final LongSupplier nanos;
  private final long intervalMs;
  private final Set<LinkGauge> gauges = new HashSet<>();
  private HookTimer timer;

  /** By UUID; its own lock, for a timer that ends may be in its last tick when another begins. */
  private final Map<String, EarlyHeartbeats> dataNodes = new HashMap<>();

  /**
   * @param nanos monotonic time
   * @param intervalMs between samples
   */
  LinkWatch(AgentMetrics metrics, LongSupplier nanos, long intervalMs) {
    this.metrics = metrics;
    this.nanos = nanos;
    this.intervalMs = intervalMs;
  }

  static LinkWatch ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  /** Unless it is closed. */
  synchronized void add(LinkGauge gauge) {
    if (gauge.isClosed()) {
      return;
    }
    gauges.add(gauge);
    if (timer == null) {
      timer = new HookTimer("rackweave-link-samples");
      timer.after(Hook.LINK_SAMPLE, intervalMs, this::tick);
    }
  }

  synchronized void remove(LinkGauge gauge) {
    gauges.remove(gauge);
    if (timer != null && gauges.isEmpty()) {
      timer.close();
      timer = null;
    }
  }

  /** Whether nothing is sampled. */
  synchronized boolean isIdle() {
    return timer == null;
  }

  private synchronized List<LinkGauge> gauges() {
    return new ArrayList<>(gauges);
  }

  void tick() {
    synchronized (dataNodes) {
      Map<String, List<LinkGauge>> byDataNode = new HashMap<>();
      for (LinkGauge gauge : gauges()) {
        gauge.sample();
        String uuid = gauge.datanodeUuid();
        if (uuid != null) {
          byDataNode.computeIfAbsent(uuid, any -> new ArrayList<>()).add(gauge);
        }
      }
      dataNodes.keySet().retainAll(byDataNode.keySet());
      byDataNode.forEach(
          (uuid, its) -> HookGuard.run(Hook.EARLY_HEARTBEAT, () -> lookAfter(uuid, its)));
    }
  }

  private void lookAfter(String uuid, List<LinkGauge> its) {
    long now = nanos.getAsLong();
    dataNodes
        .computeIfAbsent(
            uuid, any -> new EarlyHeartbeats(its.get(0).heartbeatIntervalMs(), now, metrics))
        .look(its, StartedDataNodes.find(uuid), now);
  }
}
