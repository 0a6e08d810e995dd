package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;
import org.rackweave.docs.MetricsReference;

class AgentMetricsReferenceTest {
  @Test
  void referenceListsEveryMetricOfAnAgent() throws IOException {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new AgentMetrics().getMetrics(collector, true);
    Set<String> names = new TreeSet<>();
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        names.add(metric.name());
      }
    }
    MetricsReference.check("RackweaveAgent", names);
  }
}
