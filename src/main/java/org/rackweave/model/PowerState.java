package org.rackweave.model;

/** What a machine's processor does. */
public enum PowerState {
  /** Works; power follows its load. */
  ON,
  /** Asleep; in EAFR as a machine without load (section 3.1). */
  STANDBY,
  /** Switched off or failed. */
  OFF
}
