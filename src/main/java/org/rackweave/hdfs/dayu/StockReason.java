package org.rackweave.hdfs.dayu;

import java.util.Locale;

/** Why stock HDFS makes lost replicas again, and not Dayu. */
public enum StockReason {
  /** The operator switched recovery, or Rackweave, off. */
  SWITCHED_OFF,
  /** Rackweave is in shadow mode. */
  SHADOW_MODE,
  /** The NameNode is a standby. */
  NOT_ACTIVE,
  /** The NameNode is in safe mode, or does not look for lost replicas yet. */
  SAFE_MODE,
  /** EAFR wakes servers whose replicas this NameNode does not know; nobody copies meanwhile. */
  SERVERS_WAKING,
  /** The placement policy has no part in recovery, and cannot hold stock back. */
  OTHER_POLICY,
  /** No snapshot of the links has been taken yet. */
  NO_SNAPSHOT,
  /** No snapshot has been taken for longer than a link may be silent. */
  STALE_SNAPSHOT,
  /** Too few DataNodes have a recent measurement. */
  LOW_COVERAGE,
  /** Blocks wait and none could be planned, slot after slot. */
  NO_PROGRESS,
  /** An error in our own code. */
  ERROR,
  /** The thread that plans has not been seen for longer than its claim holds. */
  HUNG;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether an operator should hear of it; the others follow from a setting or a state. */
  boolean isUnexpected() {
    return switch (this) {
      case SWITCHED_OFF, SHADOW_MODE, NOT_ACTIVE, SAFE_MODE, SERVERS_WAKING, NO_SNAPSHOT -> false;
      default -> true;
    };
  }

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
