package org.rackweave.eafr;

/** What a file's reads make it (section 3.2.2). */
public enum Temperature {
  HOT,
  /** Neither: its replicas stay as they are. */
  NORMAL,
  COLD
}
