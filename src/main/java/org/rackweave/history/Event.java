package org.rackweave.history;

import java.util.Locale;

/**
 * Something that has happened.
 *
 * @param atMs wall clock
 * @param kind what it was
 * @param text what has become of what, in a line
 */
public record Event(long atMs, Kind kind, String text) {

  /** What happens. */
  public enum Kind {
    /** Rackweave has started on a NameNode. */
    START,
    /** The NameNode has become active, or is no longer. */
    ROLE,
    /** Modes of features have changed. */
    MODE,
    /** A canary has begun or ended. */
    CANARY,
    /** Rules or settings have changed. */
    SETTINGS,
    /** A DataNode was lost, has come back or is new. */
    DATANODE,
    /** A goal of recovery was reached or missed. */
    RECOVERY,
    /** A finding of health has come up, or is over. */
    HEALTH;

    /** The name for people. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
