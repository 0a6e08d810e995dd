package org.rackweave.hdfs.datanode;

import java.util.List;
import org.rackweave.telemetry.EarlyReportBudget;

/**
 * Has one DataNode send a heartbeat out of turn when its link's class is not what was reported, as
 * often as {@link EarlyReportBudget} allows. A change that has to wait is sent when there may be
 * one again; if it goes back until then, nobody hears of it.
 *
 * <p>Not thread-safe.
 */
final class EarlyHeartbeats {
  private final EarlyReportBudget budget;
  private final AgentMetrics metrics;
  private boolean isWithheld;

  /**
   * @param heartbeatIntervalMs of regular heartbeats
   * @param nowNanos monotonic time
   */
  EarlyHeartbeats(long heartbeatIntervalMs, long nowNanos, AgentMetrics metrics) {
    this.budget = new EarlyReportBudget(heartbeatIntervalMs, nowNanos);
    this.metrics = metrics;
  }

  /**
   * Looks whether there is something to tell.
   *
   * @param gauges of the DataNode, one for each NameNode
   * @param dataNode {@code null} where its plugin does not run
   */
  void look(List<LinkGauge> gauges, OwnTraffic dataNode, long nowNanos) {
    List<LinkGauge> news = gauges.stream().filter(LinkGauge::hasNews).toList();
    if (dataNode == null || news.isEmpty()) {
      isWithheld = false;
      return;
    }
    if (!budget.allows(nowNanos)) {
      if (!isWithheld) {
        metrics.earlyHeartbeatWithheld();
      }
      isWithheld = true;
      return;
    }
    // Before the heartbeats, which may be made before this returns.
    news.forEach(gauge -> gauge.ask(true));
    if (dataNode.heartbeatNow()) {
      budget.take(nowNanos);
      metrics.earlyHeartbeat();
      isWithheld = false;
    } else {
      news.forEach(gauge -> gauge.ask(false));
    }
  }
}
