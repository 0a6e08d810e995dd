package org.rackweave.hdfs.dayu;

import java.util.Locale;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.dayu.CopyRates.ClaimFault;

/** What an operator watches of recovery, as a metrics2 source. */
public final class RecoveryMetrics implements MetricsSource {
  private final NameNodeRecovery recovery;

  RecoveryMetrics(NameNodeRecovery recovery) {
    this.recovery = recovery;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord("RackweaveRecovery").setContext("dfs");
    RecoveryCounts counts = recovery.counts();
    record.tag(Interns.info("State", "State of recovery"), recovery.state());
    gauge(record, "BlocksWaiting", "Blocks waiting for re-replication", recovery.waiting());
    gauge(record, "CopiesUnderWay", "Running copies", recovery.underWay());
    gauge(
        record,
        "SourcesHeldToRates",
        "DataNodes that keep their copies to planned rates",
        recovery.rates().enforcing());
    gauge(
        record,
        "OrdersWaiting",
        "Copies not yet ordered from their sources",
        recovery.ordersWaiting());
    gauge(record, "BrakeWaitSeconds", "Remaining wait of the brake", recovery.brakeWaitSec());
    gauge(record, "PlanMicros", "Time of the last plan", counts.planNanos() / 1000);
    gauge(
        record,
        "LockMicrosMax",
        "Longest hold of the namesystem's lock",
        recovery.longestHoldNanos() / 1000);
    counter(record, "Slots", "Slots planned", counts.slots());
    counter(record, "BytesScheduled", "Bytes of copies scheduled", counts.bytesScheduled());
    counter(record, "BytesArrived", "Bytes of copies that arrived", counts.bytesArrived());
    counter(record, "CopiesByStock", "Copies left to stock HDFS", counts.handedOver());
    counter(
        record,
        "StockHeldBack",
        "Requests of stock HDFS held back",
        recovery.claim().heldBackCount());
    counter(record, "Brakes", "Times that the brake engaged", counts.brakes());
    for (CopyOutcome outcome : CopyOutcome.values()) {
      counter(
          record,
          "Copies" + camel(outcome),
          "Planned copies: " + outcome.label(),
          counts.outcome(outcome));
    }
    for (CopyState state : CopyState.values()) {
      if (state != CopyState.UNDER_WAY) {
        counter(record, "Copies" + camel(state), "Scheduled copies", counts.ended(state));
      }
    }
    for (StragglerOutcome outcome : StragglerOutcome.values()) {
      counter(
          record,
          "Stragglers" + camel(outcome),
          "Copies slower than planned: " + outcome.label(),
          counts.straggled(outcome));
    }
    for (ClaimFault fault : ClaimFault.values()) {
      counter(
          record,
          "ClaimsRefused" + camel(fault),
          "Reports on copies that were not accepted: " + fault.label(),
          recovery.rates().refused(fault));
    }
    for (LeftReason reason : LeftReason.values()) {
      counter(
          record,
          "BlocksLeft" + camel(reason),
          "Blocks not planned in a slot: " + reason.label(),
          counts.left(reason));
    }
    for (StockReason reason : StockReason.values()) {
      counter(
          record,
          "Stock" + camel(reason),
          "Times that recovery passed to stock HDFS: " + reason.label(),
          counts.stock(reason));
    }
  }

  private static void counter(MetricsRecordBuilder record, String name, String about, long value) {
    record.addCounter(Interns.info(name, about), value);
  }

  private static void gauge(MetricsRecordBuilder record, String name, String about, long value) {
    record.addGauge(Interns.info(name, about), value);
  }

  private static String camel(Enum<?> constant) {
    StringBuilder text = new StringBuilder();
    for (String word : constant.name().split("_")) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
