package org.rackweave.eafr;

import org.rackweave.model.Require;

/**
 * Keeps transfers to one server from crowding its link (Algorithm 2).
 *
 * <p>Of the link the share R = (c - u) / c is free (Eq. 13). Below eta_l every sender slows down,
 * above eta_h every sender speeds up, in between all go on. The i-th of n senders by age, the
 * oldest first, gets the factor 1 - i / (1 + ... + n) * (eta_l - R) (Eq. 14), or 1 + (n + 1 - i) /
 * (1 + ... + n) * (R - eta_h) (Eq. 15): the older, the less it loses and the more it gains. Example
 * with three senders and the paper's 0.2 and 0.5: at R = 0.08 they lose 2, 4 and 6 %, at R = 0.8
 * they gain 15, 10 and 5 %. Nobody is slowed down below a least rate: a link that others crowd for
 * long would otherwise bring our transfers to a standstill, from which factors lead nowhere.
 * Immutable.
 *
 * @param lowFraction eta_l, free share below which the link is highly utilised
 * @param highFraction eta_h, free share above which it is underutilised; more than eta_l
 * @param leastBytesPerSec rate below which none is slowed down, at least 0
 */
public record RateAdjustment(double lowFraction, double highFraction, long leastBytesPerSec) {
  /** As in section 3.4, which knows no least rate. */
  public static final RateAdjustment PAPER = new RateAdjustment(0.2, 0.5, 0);

  /**
   * @throws IllegalArgumentException naming the threshold, its value and what is allowed
   */
  public RateAdjustment {
    Require.fraction("eta_l", lowFraction);
    Require.that(
        highFraction > lowFraction && highFraction < 1,
        "eta_h",
        highFraction,
        "(eta_l, 1), eta_l being " + lowFraction);
    Require.atLeast("least rate in bytes per second", leastBytesPerSec, 0);
  }

  /**
   * New rates of all transfers to one server.
   *
   * @param capacityBytesPerSec c, of the server's link, positive
   * @param usedBytesPerSec u, by all incoming traffic; more than c, which measuring may yield,
   *     counts as c
   * @param ratesBytesPerSec of our transfers, the one established first in front; not modified
   * @return in the same order, none above c
   */
  public double[] adjust(
      double capacityBytesPerSec, double usedBytesPerSec, double[] ratesBytesPerSec) {
    Require.positive("link capacity in bytes per second", capacityBytesPerSec);
    double used = Math.max(0, Math.min(usedBytesPerSec, capacityBytesPerSec));
    double free = (capacityBytesPerSec - used) / capacityBytesPerSec;
    double[] adjusted = ratesBytesPerSec.clone();
    int senders = adjusted.length;
    double sum = senders * (senders + 1.0) / 2;
    for (int i = 1; i <= senders; i++) {
      double rate = adjusted[i - 1];
      if (free < lowFraction) {
        double slower = rate * (1 - i / sum * (lowFraction - free));
        rate = Math.max(slower, Math.min(rate, leastBytesPerSec));
      } else if (free > highFraction) {
        rate *= 1 + (senders + 1 - i) / sum * (free - highFraction);
      }
      adjusted[i - 1] = Math.min(rate, capacityBytesPerSec);
    }
    return adjusted;
  }
}
