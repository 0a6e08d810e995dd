package org.rackweave.history;

import java.util.Locale;
import java.util.Objects;

/**
 * Something that has happened.
 *
 * @param atMs wall clock
 * @param kind what it was
 * @param subject what it happened to: path of a file, place of a DataNode, {@code blk_} and the
 *     number of a block; empty where it is none of these
 * @param text what has become of what, in a line
 */
public record Event(long atMs, Kind kind, String subject, String text) {
  public Event {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(text, "text");
  }

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
    /** A finding of health has come up, or is over. */
    HEALTH,
    /** Placement was left to stock HDFS for a while, or is tried again. */
    BREAKER,
    /** A file has got another factor by EAFR. */
    FACTOR,
    /** A DataNode falls asleep, is woken or has another role. */
    SLEEP,
    /** Recovery begins, waits, is stock HDFS's or is over; its goal was reached or missed. */
    RECOVERY,
    /** A copy has got its source. */
    COPY,
    /** A file was not encoded, or a block has left a stripe that was not full. */
    ENCODING;

    /** The name for people. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it may happen thousands of times a minute. */
    boolean isFrequent() {
      return compareTo(FACTOR) >= 0;
    }
  }

  /** Whether it happened to a DataNode: by address and port, address alone, or with its rack. */
  public boolean isAt(String datanode) {
    return PlacementRecord.isAt(subject, datanode);
  }
}
