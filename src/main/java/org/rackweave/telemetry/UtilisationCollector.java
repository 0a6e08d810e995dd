package org.rackweave.telemetry;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The latest estimate of every known DataNode, and how many reports were dropped and why.
 *
 * <p>Soft state, bounded by the nodes named in {@link #retainOnly}: a report of any other node is
 * dropped. After a failover the new NameNode has the same knowledge, because DataNodes send their
 * heartbeats to every NameNode.
 *
 * <p>Thread-safe. Times come in as arguments.
 */
public final class UtilisationCollector {
  private final CollectorSettings settings;
  private final long startedAtMs;
  private final Map<String, NodeEstimate> estimates = new ConcurrentHashMap<>();
  private final LongAdder accepted = new LongAdder();
  private volatile ReportListener listener = (nodeId, report, nowMs) -> {};
  private final AtomicLong[] dropped = new AtomicLong[DropCause.values().length];

  public UtilisationCollector(CollectorSettings settings, long nowMs) {
    this.settings = settings;
    this.startedAtMs = nowMs;
    for (int i = 0; i < dropped.length; i++) {
      dropped[i] = new AtomicLong();
    }
  }

  /** Makes the given nodes the known ones: forgets the others, starts an estimate for new ones. */
  public void retainOnly(Set<String> nodeIds, long nowMs) {
    estimates.keySet().retainAll(nodeIds);
    boolean lateComer = nowMs - startedAtMs > settings.warmUpMs();
    for (String id : nodeIds) {
      estimates.computeIfAbsent(id, ignored -> new NodeEstimate(settings, lateComer));
    }
  }

  /** Estimate of a known node, or {@code null}. */
  public NodeEstimate estimate(String nodeId) {
    return estimates.get(nodeId);
  }

  /**
   * Takes one decoded report.
   *
   * @param nodeId the DataNode's UUID
   * @param nowMs monotonic time of arrival
   * @param wallMs wall clock at arrival
   * @return {@code null} when taken, otherwise why it was dropped (already counted)
   */
  public DropCause accept(String nodeId, ReportReader report, long nowMs, long wallMs) {
    NodeEstimate estimate = estimates.get(nodeId);
    DropCause cause =
        estimate == null ? DropCause.UNKNOWN_NODE : estimate.accept(report, nowMs, wallMs);
    if (estimate != null) {
      estimate.judged(cause);
    }
    if (cause == null) {
      accepted.increment();
      listener.heard(nodeId, report, nowMs);
    } else {
      drop(cause);
    }
    return cause;
  }

  /** Counts a report of a node that could not even be decoded. */
  public void drop(String nodeId, DropCause cause) {
    NodeEstimate estimate = estimates.get(nodeId);
    if (estimate != null) {
      estimate.judged(cause);
    }
    drop(cause);
  }

  /** Has somebody else hear of every report that is taken. */
  public void listen(ReportListener other) {
    listener = other;
  }

  /** Counts a report that could not even be decoded. */
  public void drop(DropCause cause) {
    dropped[cause.ordinal()].incrementAndGet();
  }

  public long acceptedCount() {
    return accepted.sum();
  }

  public long droppedCount(DropCause cause) {
    return dropped[cause.ordinal()].get();
  }
}
