package org.rackweave.eafr;

/** What becomes of a file's replicas. */
public enum Action {
  /** One more, on a hot server (Algorithm 1, line 3). */
  ADD,
  /** One less (lines 7 and 8). */
  DELETE,
  /** One replica of each block from a hot to a standby server (line 11). */
  MIGRATE,
  /** The file's own factor again. */
  RESTORE
}
