package org.rackweave.hdfs.dayu;

import java.util.Locale;

/** Why what an agent says of its copies is not believed. */
public enum ClaimFault {
  /** It is no list of copies. */
  MALFORMED,
  /** More is done of a copy than its block has. */
  MORE_THAN_THE_BLOCK,
  /** It sends far more than it was told to. */
  FASTER_THAN_TOLD;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
