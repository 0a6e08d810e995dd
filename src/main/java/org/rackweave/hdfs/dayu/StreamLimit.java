package org.rackweave.hdfs.dayu;

import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * How many transfers HDFS gives a DataNode at a time ({@code
 * dfs.namenode.replication.max-streams}): raised for recovery and put back to what the operator
 * set, also when that has changed meanwhile. Thread-safe.
 *
 * <p>HDFS's hard limit is left as it is: only stock's choice of a source asks for it.
 */
final class StreamLimit {
  private static final int NOT_RAISED = -1;

  private final IntSupplier get;
  private final IntConsumer set;
  private final IntSupplier configured;

  private int raisedTo = NOT_RAISED;
  private int operators;
  private int configuredThen;

  /**
   * @param get reads what is in force
   * @param set puts into force
   * @param configured reads the setting, which {@code dfsadmin -reconfig} changes with it
   */
  StreamLimit(IntSupplier get, IntConsumer set, IntSupplier configured) {
    this.get = get;
    this.set = set;
    this.configured = configured;
  }

  /** Raises it, or lowers it as far as less is wanted; never below the operator's. */
  synchronized void raise(int wanted) {
    operators = operators();
    configuredThen = configured.getAsInt();
    if (wanted > operators) {
      set.accept(wanted);
      raisedTo = wanted;
    } else {
      putBack();
    }
  }

  /** Puts it back to the operator's. */
  synchronized void restore() {
    if (raisedTo != NOT_RAISED) {
      operators = operators();
      putBack();
    }
  }

  private void putBack() {
    if (raisedTo != NOT_RAISED) {
      set.accept(operators);
      raisedTo = NOT_RAISED;
    }
  }

  /** What the operator wants: what is in force, unless we have put it there. */
  private int operators() {
    int current = get.getAsInt();
    if (raisedTo == NOT_RAISED || current != raisedTo) {
      return current;
    }
    int now = configured.getAsInt();
    return now == configuredThen ? operators : now;
  }

  synchronized boolean isRaised() {
    return raisedTo != NOT_RAISED;
  }

  int current() {
    return get.getAsInt();
  }
}
