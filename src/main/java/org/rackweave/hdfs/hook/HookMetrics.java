package org.rackweave.hdfs.hook;

import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.util.Time;

/** How often each hook has failed in this process, and how long ago each timer last ticked. */
public final class HookMetrics implements MetricsSource {
  public static final String NAME = "RackweaveHooks";

  private final LongSupplier clock;

  /**
   * @param clock now, ms, as {@link Time#monotonicNow} says
   */
  HookMetrics(LongSupplier clock) {
    this.clock = clock;
  }

  /** Publishes them in this process, unless they are. */
  public static synchronized void publish() {
    MetricsSystem metrics = DefaultMetricsSystem.instance();
    if (metrics.getSource(NAME) == null) {
      metrics.register(
          NAME,
          "Failures of Rackweave's code in HDFS",
          guarded(new HookMetrics(Time::monotonicNow)));
    }
  }

  /** Keeps a source of ours from ending the metrics system's timer. */
  public static MetricsSource guarded(MetricsSource source) {
    return new Guarded(source);
  }

  private record Guarded(MetricsSource source) implements MetricsSource {
    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
      HookGuard.run(Hook.METRICS, () -> source.getMetrics(collector, all));
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    long nowMs = clock.getAsLong();
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    for (Hook hook : Hook.values()) {
      record.addCounter(
          Interns.info("Failures" + hook.camel(), "Failed: " + hook.consequence()),
          HookGuard.failures(hook));
    }
    for (Hook hook : Hook.values()) {
      if (hook.isTimer()) {
        record.addGauge(
            Interns.info("TickAgeMs" + hook.camel(), "Since a tick last ended well, ms"),
            HookWatchdog.ageMs(hook, nowMs));
      }
    }
    record
        .addGauge(
            Interns.info("TimersLate", "Timers without a tick for long"), HookWatchdog.late(nowMs))
        .addCounter(
            Interns.info("TimersLateEver", "Times that a timer was late"), HookWatchdog.told());
  }
}
