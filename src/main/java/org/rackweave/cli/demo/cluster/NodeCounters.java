package org.rackweave.cli.demo.cluster;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MetricsRecordImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Reads a DataNode's published metrics. The demo judges by these and not by what Rackweave's agents
 * report, so that a wrong agent would show.
 */
final class NodeCounters {

  private static final String BYTES_WRITTEN = "BytesWritten";

  private NodeCounters() {}

  /** Bytes of blocks the DataNode has received since it started. */
  static long receivedBytes(DataNode node) {
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
}
