package org.rackweave.hdfs.dayu;

import java.util.Locale;

/** What becomes of copies that are slower than planned. */
public enum StragglerOutcome {
  /** Another would be done sooner: its source's agent is asked to end it. */
  ASKED_TO_END,
  /** It has ended, and the other is made. */
  REPLACED,
  /** It has ended, and HDFS does not want the other as it was planned: the block waits again. */
  REQUEUED,
  /** It arrived before it could be ended. */
  ARRIVED,
  /** Its source's agent did not say in time that it has ended: it goes on. */
  NO_ANSWER,
  /** HDFS gave it up before its source's agent said that it has ended: it may be made twice. */
  OUTLIVED,
  /** It goes on: there is no agent at its source that counts its bytes and could end it. */
  NO_AGENT;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
