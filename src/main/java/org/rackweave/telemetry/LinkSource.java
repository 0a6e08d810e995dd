package org.rackweave.telemetry;

/** Where the estimate of a host link comes from. */
public enum LinkSource {
  /** A DataNode agent measured it. */
  MEASURED,
  /** Worked out from what stock heartbeats carry: growth of the space used and active transfers. */
  DERIVED,
  /** Nothing recent is known: the link counts as fully loaded (Sinbad, section 6.2). */
  MISSING
}
