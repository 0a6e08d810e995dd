package org.rackweave.telemetry;

/**
 * How fast bytes move over one link at one moment, as the link's own host sees it. {@link
 * LinkMeter} makes them.
 *
 * <p>Bytes per second, at least 0; trends are bytes per second gained in a second and may be
 * negative.
 *
 * @param rx received now, smoothed
 * @param tx sent now, smoothed
 * @param othersRx what is received now beside blocks of HDFS, smoothed; {@code rx} where blocks are
 *     not told apart
 * @param blocksRx blocks of HDFS received now, smoothed, those of writers on the DataNode's own
 *     host included; {@link #UNKNOWN} where they are not told apart
 * @param rxMean received, mean of the last second
 * @param txMean sent, mean of the last second
 * @param rxTrend {@code rxMean} less that of the second before
 * @param txTrend {@code txMean} less that of the second before
 */
public record LinkRates(
    double rx,
    double tx,
    double othersRx,
    double blocksRx,
    double rxMean,
    double txMean,
    double rxTrend,
    double txTrend) {

  /** In place of {@code blocksRx} where blocks are not told apart. */
  public static final double UNKNOWN = -1;

  /**
   * @throws IllegalArgumentException if a rate is negative or one of the numbers is not finite
   */
  public LinkRates {
    requireRate("rx", rx);
    requireRate("tx", tx);
    requireRate("othersRx", othersRx);
    if (blocksRx != UNKNOWN) {
      requireRate("blocksRx", blocksRx);
    }
    requireRate("rxMean", rxMean);
    requireRate("txMean", txMean);
    requireFinite("rxTrend", rxTrend);
    requireFinite("txTrend", txTrend);
  }

  /** Whether {@code othersRx} and {@code blocksRx} are figures of their own. */
  public boolean tellsBlocksApart() {
    return blocksRx != UNKNOWN;
  }

  private static void requireRate(String name, double value) {
    requireFinite(name, value);
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be at least 0: " + value);
    }
  }

  private static void requireFinite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " must be finite: " + value);
    }
  }
}
