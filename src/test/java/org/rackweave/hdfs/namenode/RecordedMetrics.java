package org.rackweave.hdfs.namenode;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** What a metrics2 source says now, without the delay of JMX. */
final class RecordedMetrics extends MetricsRecordBuilder implements MetricsCollector {
  private final Map<String, Number> figures = new HashMap<>();
  private final Map<String, String> tags = new HashMap<>();

  private RecordedMetrics() {}

  /** Of a source, or {@code null} when there is none of the name. */
  static RecordedMetrics of(String source) {
    MetricsSource found = DefaultMetricsSystem.instance().getSource(source);
    if (found == null) {
      return null;
    }
    RecordedMetrics recorded = new RecordedMetrics();
    found.getMetrics(recorded, true);
    return recorded;
  }

  long get(String name) {
    Number value = figures.get(name);
    if (value == null) {
      throw new AssertionError("no metric " + name + " among " + figures.keySet());
    }
    return value.longValue();
  }

  String tagged(String name) {
    return tags.get(name);
  }

  @Override
  public String toString() {
    return tags + " " + figures;
  }

  @Override
  public MetricsRecordBuilder addRecord(String name) {
    return this;
  }

  @Override
  public MetricsRecordBuilder addRecord(MetricsInfo info) {
    return this;
  }

  @Override
  public MetricsCollector parent() {
    return this;
  }

  @Override
  public MetricsRecordBuilder tag(MetricsInfo info, String value) {
    tags.put(info.name(), value);
    return this;
  }

  @Override
  public MetricsRecordBuilder add(MetricsTag tag) {
    return tag(tag.info(), tag.value());
  }

  @Override
  public MetricsRecordBuilder add(AbstractMetric metric) {
    figures.put(metric.name(), metric.value());
    return this;
  }

  @Override
  public MetricsRecordBuilder setContext(String value) {
    return this;
  }

  @Override
  public MetricsRecordBuilder addCounter(MetricsInfo info, int value) {
    return number(info, value);
  }

  @Override
  public MetricsRecordBuilder addCounter(MetricsInfo info, long value) {
    return number(info, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, int value) {
    return number(info, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, long value) {
    return number(info, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, float value) {
    return number(info, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, double value) {
    return number(info, value);
  }

  private MetricsRecordBuilder number(MetricsInfo info, Number value) {
    figures.put(info.name(), value);
    return this;
  }
}
