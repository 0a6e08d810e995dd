package org.rackweave.telemetry;

/** How a NameNode knows what its links carry. */
public enum LinkEstimate {
  /**
   * What agents see at this moment, blocks of HDFS told apart; half of a change seen in a second
   * where only counters are known. A link that empties is believed later, since TCP's senders make
   * way for our transfers and come back.
   */
  CURRENT(new Smoothing.InTime(1_000, 3_000), Promise.SHARE),

  /** Sinbad, section 6.2: a moving average of weight 0.2, whole blocks until the next report. */
  PAPER(new Smoothing.PerReport(0.2), Promise.WHOLE_BLOCK);

  private final Smoothing smoothing;
  private final Promise promise;

  LinkEstimate(Smoothing smoothing, Promise promise) {
    this.smoothing = smoothing;
    this.promise = promise;
  }

  public Smoothing smoothing() {
    return smoothing;
  }

  public Promise promise() {
    return promise;
  }
}
