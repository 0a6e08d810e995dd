package org.rackweave.hdfs.dayu;

import java.util.Locale;

/** What became of a planned copy when HDFS was asked for it. */
public enum CopyOutcome {
  /** Its source will be told on its next heartbeat. */
  SCHEDULED,
  /** The block has been deleted, or is being written again. */
  GONE,
  /** The block has, or will have, replicas enough. */
  NOT_NEEDED,
  /** The source has no readable replica any more. */
  SOURCE_GONE,
  /** The copy stood still and has ended; its block waits again. */
  WITHDRAWN,
  /** The target is out of service, too busy, too full, or has the block, by HDFS's own rules. */
  TARGET_REFUSED;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether the block still waits for a replica. */
  boolean stillWaits() {
    return this == SOURCE_GONE || this == TARGET_REFUSED;
  }

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
