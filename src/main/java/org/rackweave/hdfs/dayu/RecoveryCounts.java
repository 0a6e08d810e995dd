package org.rackweave.hdfs.dayu;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.rackweave.hdfs.copies.CopyState;

/** What recovery has done since the NameNode started. Thread-safe. */
final class RecoveryCounts {
  private final AtomicLongArray outcomes = new AtomicLongArray(CopyOutcome.values().length);
  private final AtomicLongArray states = new AtomicLongArray(CopyState.values().length);
  private final AtomicLongArray left = new AtomicLongArray(LeftReason.values().length);
  private final AtomicLongArray stock = new AtomicLongArray(StockReason.values().length);
  private final AtomicLongArray stragglers = new AtomicLongArray(StragglerOutcome.values().length);
  private final LongAdder bytesScheduled = new LongAdder();
  private final LongAdder bytesArrived = new LongAdder();
  private final LongAdder slots = new LongAdder();
  private final LongAdder handedOver = new LongAdder();
  private final LongAdder brakes = new LongAdder();
  private volatile long planNanos;

  void tried(PlannedCopy copy, CopyOutcome outcome) {
    outcomes.incrementAndGet(outcome.ordinal());
    if (outcome == CopyOutcome.SCHEDULED) {
      bytesScheduled.add(copy.sizeBytes());
    }
  }

  void ended(PlannedCopy copy, CopyState state) {
    states.incrementAndGet(state.ordinal());
    if (state == CopyState.ARRIVED) {
      bytesArrived.add(copy.sizeBytes());
    }
  }

  void straggled(StragglerOutcome outcome, int copies) {
    stragglers.addAndGet(outcome.ordinal(), copies);
  }

  void left(LeftReason reason, int blocks) {
    left.addAndGet(reason.ordinal(), blocks);
  }

  void left(Map<LeftReason, Integer> blocks) {
    blocks.forEach(this::left);
  }

  /** Stock's turn has come. */
  void stocksTurn(StockReason reason) {
    stock.incrementAndGet(reason.ordinal());
  }

  void planned(long nanos) {
    slots.increment();
    planNanos = nanos;
  }

  /** Stock has been given blocks and scheduled so many copies. */
  void handedOver(int copies) {
    handedOver.add(copies);
  }

  void braked() {
    brakes.increment();
  }

  long outcome(CopyOutcome of) {
    return outcomes.get(of.ordinal());
  }

  long ended(CopyState in) {
    return states.get(in.ordinal());
  }

  long straggled(StragglerOutcome to) {
    return stragglers.get(to.ordinal());
  }

  long left(LeftReason by) {
    return left.get(by.ordinal());
  }

  long stock(StockReason by) {
    return stock.get(by.ordinal());
  }

  long bytesScheduled() {
    return bytesScheduled.sum();
  }

  long bytesArrived() {
    return bytesArrived.sum();
  }

  long slots() {
    return slots.sum();
  }

  long handedOver() {
    return handedOver.sum();
  }

  long brakes() {
    return brakes.sum();
  }

  long planNanos() {
    return planNanos;
  }
}
