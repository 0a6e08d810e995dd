package org.rackweave.hdfs.datanode;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.rackweave.hdfs.hook.HookMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the agents of this process did, as the metrics source {@value #NAME}. */
final class AgentMetrics implements MetricsSource {
  static final String NAME = "RackweaveAgent";

  private static final Logger LOG = LoggerFactory.getLogger(AgentMetrics.class);

  private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
  private final MutableCounterLong reportsSent =
      registry.newCounter("ReportsSent", "Heartbeats that carried a report", 0L);
  private final MutableCounterLong nothingMeasured =
      registry.newCounter("NothingMeasured", "Heartbeats without a link to report on", 0L);
  private final MutableCounterLong failures =
      registry.newCounter("Failures", "Heartbeats sent without a report because it failed", 0L);
  private final MutableCounterLong repliesRefused =
      registry.newCounter("RepliesRefused", "Invalid replies of a NameNode", 0L);
  private final MutableGaugeLong copiesHeld =
      registry.newGauge("CopiesHeldToRates", "Running copies held to rates", 0L);
  private final MutableGaugeLong decodePort =
      registry.newGauge("DecodePort", "Port for reads of missing blocks; 0 for none", 0L);
  private final MutableCounterLong rangesDecoded =
      registry.newCounter("RangesDecoded", "Ranges of missing blocks decoded for clients", 0L);
  private final MutableCounterLong replicaRangesSent =
      registry.newCounter("ReplicaRangesSent", "Ranges sent from a replica instead of decoded", 0L);
  private final MutableCounterLong decodeRefused =
      registry.newCounter("DecodeClientsRefused", "Clients refused: too many at a time", 0L);
  private final MutableCounterLong decodeCutOff =
      registry.newCounter("DecodeClientsCutOff", "Clients disconnected because they were idle", 0L);
  private final MutableCounterLong disproved =
      registry.newCounter(
          "ReadsDisproved", "Reads of stripes that did not match their checksum", 0L);
  private final MutableCounterLong samplesFailed =
      registry.newCounter("SamplesFailed", "Failed samples of a link between heartbeats", 0L);
  private final MutableCounterLong earlyHeartbeats =
      registry.newCounter(
          "EarlyHeartbeats", "Heartbeats sent early: the load of a link changed", 0L);
  private final MutableCounterLong earlyWithheld =
      registry.newCounter(
          "EarlyHeartbeatsWithheld", "Changes of load without an early heartbeat: too many", 0L);
  private final MutableRate reportNanos =
      registry.newRate("ReportNanos", "Nanoseconds a report adds to a heartbeat");

  private static final class Shared {
    static final AgentMetrics METRICS = register(new AgentMetrics());

    private static AgentMetrics register(AgentMetrics metrics) {
      try {
        DefaultMetricsSystem.instance()
            .register(NAME, "Rackweave's DataNode agent", HookMetrics.guarded(metrics));
      } catch (RuntimeException e) {
        LOG.warn("The agent's metrics are not published", e);
      }
      return metrics;
    }
  }

  /** Not published anywhere. */
  AgentMetrics() {}

  /** The metrics of this process. */
  static AgentMetrics ofThisProcess() {
    return Shared.METRICS;
  }

  void reportSent(long nanos) {
    reportsSent.incr();
    reportNanos.add(nanos);
  }

  /** Where it decodes for clients, 0 for nowhere. */
  void decodePort(int port) {
    decodePort.set(port);
  }

  long decodePort() {
    return decodePort.value();
  }

  void rangeDecoded() {
    rangesDecoded.incr();
  }

  void replicaRangeSent() {
    replicaRangesSent.incr();
  }

  long rangesDecodedCount() {
    return rangesDecoded.value();
  }

  long replicaRangesSentCount() {
    return replicaRangesSent.value();
  }

  void decodeRefused() {
    decodeRefused.incr();
  }

  long decodeRefusedCount() {
    return decodeRefused.value();
  }

  void decodeClientCutOff() {
    decodeCutOff.incr();
  }

  long decodeCutOffCount() {
    return decodeCutOff.value();
  }

  void disproved() {
    disproved.incr();
  }

  long disprovedCount() {
    return disproved.value();
  }

  void sampleFailed() {
    samplesFailed.incr();
  }

  long samplesFailedCount() {
    return samplesFailed.value();
  }

  void earlyHeartbeat() {
    earlyHeartbeats.incr();
  }

  long earlyHeartbeatsCount() {
    return earlyHeartbeats.value();
  }

  void earlyHeartbeatWithheld() {
    earlyWithheld.incr();
  }

  long earlyHeartbeatsWithheldCount() {
    return earlyWithheld.value();
  }

  void nothingMeasured() {
    nothingMeasured.incr();
  }

  void failed() {
    failures.incr();
  }

  void replyRefused() {
    repliesRefused.incr();
  }

  /** So many more copies are held to rates, or fewer. */
  void copiesHeld(int more) {
    if (more != 0) {
      copiesHeld.incr(more);
    }
  }

  long copiesHeld() {
    return copiesHeld.value();
  }

  long reportsSent() {
    return reportsSent.value();
  }

  long nothingMeasuredCount() {
    return nothingMeasured.value();
  }

  long failures() {
    return failures.value();
  }

  long repliesRefused() {
    return repliesRefused.value();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    registry.snapshot(collector.addRecord(registry.info()), all);
  }
}
