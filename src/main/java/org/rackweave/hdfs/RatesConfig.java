package org.rackweave.hdfs;

import org.rackweave.eafr.RateAdjustment;

/**
 * How fast copies that EAFR wants may go (Algorithm 2).
 *
 * @param isOn whether they have rates at all
 * @param lowFraction free share of a link below which copies over it slow down, the paper's eta_l
 * @param highFraction free share above which they speed up, eta_h
 * @param leastShare part of a link that all copies over it together may take in any case
 */
public record RatesConfig(
    boolean isOn, double lowFraction, double highFraction, double leastShare) {
  private static final double LEAST = 1e-6;

  /**
   * Reads and checks every key.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  static RatesConfig from(ConfigReader read) {
    double low =
        read.number(
            PaperConstants.EAFR_ETA_LOWER,
            RateAdjustment.PAPER.lowFraction(),
            LEAST,
            1 - 2 * LEAST);
    double high =
        read.number(
            PaperConstants.EAFR_ETA_UPPER, RateAdjustment.PAPER.highFraction(), LEAST, 1 - LEAST);
    read.inOrder(PaperConstants.EAFR_ETA_LOWER, low, PaperConstants.EAFR_ETA_UPPER, high);
    return new RatesConfig(
        read.flag(ConfigKeys.EAFR_RATES_ENABLED, false),
        low,
        high,
        read.number(ConfigKeys.EAFR_RATES_LEAST_SHARE, 0.1, 0.01, 1));
  }
}
