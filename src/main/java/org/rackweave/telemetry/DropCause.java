package org.rackweave.telemetry;

import java.util.Locale;

/**
 * Why the NameNode ignored a heartbeat payload. A dropped payload is counted under its {@link
 * #label()} and never costs the heartbeat that carried it.
 */
public enum DropCause {
  /** The bytes do not follow the format, or a value lies outside its range. */
  MALFORMED,
  /** The payload ends before its link part is complete. */
  TRUNCATED,
  /** More than {@link HeartbeatReport#MAX_ENCODED_BYTES}, or too many block read counts. */
  OVERSIZED,
  /** The version byte is not one this reader knows. */
  UNSUPPORTED_VERSION,
  /** A time, counter or count below zero. */
  NEGATIVE,
  /** The disk fraction is NaN or infinite. */
  NOT_A_NUMBER,
  /** A report that is not newer than the last one accepted (found by the collector). */
  REPLAYED,
  /** Sent later than the NameNode's clock and its tolerance allow (found by the collector). */
  FUTURE_DATED,
  /** A counter decreased within one epoch (found by the collector). */
  COUNTER_WENT_BACK,
  /** The sender is no registered DataNode (found by the collector). */
  UNKNOWN_NODE,
  /** Overwritten by newer ones before it was read (found by the inbox). */
  OVERRUN;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The name used in metrics and logs, in kebab-case, such as {@code counter-went-back}. */
  public String label() {
    return label;
  }
}
