package org.rackweave.telemetry;

import java.util.Optional;

/**
 * Makes rates of a link out of its counters, read several times a second at moments that need not
 * be regular.
 *
 * <p>A rate is smoothed by the time that has passed, not by the number of samples: what was known
 * loses half of its weight in {@value #ATTACK_HALF_LIFE_SEC} s while the link takes more than that,
 * and in {@value #RELEASE_HALF_LIFE_SEC} s while it takes less. More load is seen to nine tenths
 * within a second, less within five: a link that is taken for free by mistake costs others more
 * than one that is taken for busy, and senders that adapt (TCP) pause and come back. Bytes that are
 * told apart are measured sample by sample, for the difference of two averages lags.
 *
 * <p>Some network cards write their counters down once a second. While neither of a link's counters
 * moves, the meter waits for up to {@value #STANDSTILL_MS} ms and then takes the mean of all that
 * time. So does a sample that comes late: nothing is a peak that was not one.
 *
 * <p>Fixed memory. Not thread-safe.
 */
public final class LinkMeter {
  /** In which a rate that is exceeded loses half of its weight. */
  public static final double ATTACK_HALF_LIFE_SEC = 0.3;

  /** In which a rate that is not reached any more loses half of its weight. */
  public static final double RELEASE_HALF_LIFE_SEC = 1.5;

  private static final Smoothing SMOOTHING =
      new Smoothing.InTime(1000 * ATTACK_HALF_LIFE_SEC, 1000 * RELEASE_HALF_LIFE_SEC);

  /** How long counters may stand still before that means that there is no traffic. */
  private static final int STANDSTILL_MS = 1_500;

  private static final long STANDSTILL_NANOS = STANDSTILL_MS * 1_000_000L;

  /** Samples that are closer say more about single packets than about the link. */
  private static final long LEAST_NANOS = 20_000_000;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** One smoothed rate, bytes per second. */
  private static final class Smoothed {
    private double bytesPerSec;

    void take(double measured, double sec) {
      bytesPerSec +=
          SMOOTHING.weight(measured > bytesPerSec, 1000 * sec) * (measured - bytesPerSec);
    }
  }

  private final RecentBytes recent = new RecentBytes();
  private final Smoothed rx = new Smoothed();
  private final Smoothed tx = new Smoothed();
  private final Smoothed othersRx = new Smoothed();
  private final Smoothed othersTx = new Smoothed();
  private final Smoothed blocksRx = new Smoothed();

  private LinkCounters last;
  private long lastNanos;
  private boolean isMeasured;
  private boolean standsStill;
  private double othersLastMeasured;

  /** Forgets everything. */
  public void restart() {
    last = null;
    isMeasured = false;
  }

  /**
   * Takes the counters of a moment. Begins anew when one went back, or when they are of another
   * link.
   *
   * @param nanos monotonic time; a moment that is not later than the last one is passed over
   */
  public void sample(long nanos, LinkCounters counters) {
    if (last == null || !counters.continues(last)) {
      begin(nanos, counters);
      return;
    }
    if (nanos - recent.nowNanos() < LEAST_NANOS) {
      return;
    }
    recent.add(nanos, counters.rxBytes(), counters.txBytes());
    boolean moves = counters.rxBytes() > last.rxBytes() || counters.txBytes() > last.txBytes();
    if (moves || standsStill || nanos - lastNanos >= STANDSTILL_NANOS) {
      measure(counters, (nanos - lastNanos) / (double) SECOND_NANOS);
      standsStill = !moves;
      last = counters;
      lastNanos = nanos;
    }
  }

  private void begin(long nanos, LinkCounters counters) {
    recent.clear();
    recent.add(nanos, counters.rxBytes(), counters.txBytes());
    last = counters;
    lastNanos = nanos;
    isMeasured = false;
    standsStill = true;
  }

  private void measure(LinkCounters counters, double sec) {
    double received = (counters.rxBytes() - last.rxBytes()) / sec;
    double sent = (counters.txBytes() - last.txBytes()) / sec;
    double blocks = (counters.blockBytesReceived() - last.blockBytesReceived()) / sec;
    double blocksSent = (counters.blockBytesSent() - last.blockBytesSent()) / sec;
    double othersReceived = Math.max(0, received - blocks);
    double othersSent = Math.max(0, sent - blocksSent);
    // What is measured first is all that is known.
    double weightSec = isMeasured ? sec : Double.POSITIVE_INFINITY;
    rx.take(received, weightSec);
    tx.take(sent, weightSec);
    blocksRx.take(blocks, weightSec);
    othersRx.take(othersReceived, weightSec);
    othersTx.take(othersSent, weightSec);
    othersLastMeasured = Math.max(othersReceived, othersSent);
    isMeasured = true;
  }

  /** The rates as of the last sample; none before two samples. */
  public Optional<LinkRates> rates() {
    if (!isMeasured) {
      return Optional.empty();
    }
    double sec = Math.min(SECOND_NANOS, recent.knownNanos()) / (double) SECOND_NANOS;
    double rxMean = recent.rxSince(SECOND_NANOS) / sec;
    double txMean = recent.txSince(SECOND_NANOS) / sec;
    boolean knowsTwo = recent.knownNanos() >= 2 * SECOND_NANOS;
    return Optional.of(
        new LinkRates(
            rx.bytesPerSec,
            tx.bytesPerSec,
            othersRx.bytesPerSec,
            last.tellsBlocksApart() ? blocksRx.bytesPerSec : LinkRates.UNKNOWN,
            rxMean,
            txMean,
            knowsTwo ? 2 * rxMean - recent.rxSince(2 * SECOND_NANOS) : 0,
            knowsTwo ? 2 * txMean - recent.txSince(2 * SECOND_NANOS) : 0));
  }

  /**
   * What loads the link now beside blocks of HDFS, in the direction with more of it, smoothed;
   * {@link LinkRates#UNKNOWN} where blocks are not told apart, and before two samples.
   */
  public double othersBytesPerSec() {
    return tellsOthers() ? Math.max(othersRx.bytesPerSec, othersTx.bytesPerSec) : LinkRates.UNKNOWN;
  }

  /** The same as the last sample measured it, not smoothed. */
  public double othersLastMeasured() {
    return tellsOthers() ? othersLastMeasured : LinkRates.UNKNOWN;
  }

  private boolean tellsOthers() {
    return isMeasured && last.tellsBlocksApart();
  }
}
