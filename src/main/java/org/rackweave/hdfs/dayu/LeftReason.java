package org.rackweave.hdfs.dayu;

import java.util.Locale;

/** Why one block was left to stock HDFS, or waits for another slot. */
public enum LeftReason {
  /** No readable replica on a DataNode that is known. */
  NO_SOURCE(true),
  /** Rules, storage type or space forbid the block everywhere that is known. */
  NO_DESTINATION(true),
  /** The storage policy allows no type. */
  NO_STORAGE_TYPE(true),
  /** A replica stands on a DataNode that just left the topology. */
  UNKNOWN_NODE(true),
  /** A striped block: stock makes its replicas again, and is never held back from it. */
  STRIPED(true),
  /** HDFS refused to schedule what was planned, more than once. */
  REFUSED(true),
  /** A copy stood still and was ended: its link may be another than its DataNode says. */
  STOOD_STILL(true),
  /** The slot, or all that the block could be read from or written to, is full. */
  NEXT_SLOT(false);

  private final boolean isStocks;
  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  LeftReason(boolean isStocks) {
    this.isStocks = isStocks;
  }

  /** Whether stock HDFS gets the block. */
  boolean isStocks() {
    return isStocks;
  }

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
