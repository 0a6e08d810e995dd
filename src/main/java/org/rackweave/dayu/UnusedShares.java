package org.rackweave.dayu;

import java.util.Arrays;

/**
 * Rates by {@link IterativeWss}, but a copy that something other than its rate holds up gets what
 * it uses and some more, and the others share what it leaves. The paper's copies all go as fast as
 * their rates; where others crowd a link a copy has to fight them for what it was given.
 *
 * <p>Of the others the slowest gets no less for that, and no link carries more than it has. A copy
 * whose link has become free is back to its share in a few plans. O(tasks), and twice the cost of
 * WSS where copies are held up.
 */
final class UnusedShares implements RateAllocation {
  /** How much faster than it was of late a copy that is held up may be by its new rate. */
  static final double GROWTH = 1.5;

  private final TransferLinks links;
  private final double acceptableSec;

  /**
   * @param acceptableSec as for {@link IterativeWss}
   */
  UnusedShares(TransferLinks links, double acceptableSec) {
    this.links = links;
    this.acceptableSec = acceptableSec;
  }

  @Override
  public double[] rates() {
    double[] rates = new IterativeWss(links, acceptableSec).rates();
    double[] fixed = new double[rates.length];
    Arrays.fill(fixed, Double.NaN);
    boolean some = false;
    for (int task = 0; task < rates.length; task++) {
      double limit = links.limit(task, GROWTH);
      if (limit < rates[task]) {
        fixed[task] = limit;
        some = true;
      }
    }
    if (!some) {
      return rates;
    }
    double[] others = new IterativeWss(links.beside(fixed), acceptableSec).rates();
    for (int task = 0; task < rates.length; task++) {
      rates[task] = Double.isNaN(fixed[task]) ? others[task] : fixed[task];
    }
    return rates;
  }
}
