package org.rackweave.eafr;

/** What a server is for (section 3.2.1). */
public enum ServerRole {
  /** Serves reads and takes new replicas. */
  HOT,
  /** Serves reads, too, and collects cold files until it is full. */
  STANDBY,
  /** Full of cold files and asleep; serves nothing. */
  COLD;

  /** Whether it serves reads. */
  public boolean isAwake() {
    return this != COLD;
  }
}
