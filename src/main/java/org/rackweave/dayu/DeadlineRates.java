package org.rackweave.dayu;

/**
 * DA: each task gets s / T_timeslot and so ends with the slot (section 5). Where a link was given
 * more than it carries in a slot its tasks share it by size instead; the paper leaves open what
 * happens then. O(tasks).
 */
final class DeadlineRates implements RateAllocation {
  private final TransferLinks links;
  private final double slotSec;

  DeadlineRates(TransferLinks links, double slotSec) {
    this.links = links;
    this.slotSec = slotSec;
  }

  @Override
  public double[] rates() {
    double[] bandwidths = links.bandwidths();
    double[] loads = links.loads();
    double[] rates = new double[links.tasks()];
    for (int task = 0; task < rates.length; task++) {
      double sec = slotSec;
      for (int i = 0; i < TransferLinks.MOST; i++) {
        int link = links.link(task, i);
        if (link >= 0) {
          sec = Math.max(sec, loads[link] / bandwidths[link]);
        }
      }
      rates[task] = links.bytes(task) / sec;
    }
    return rates;
  }
}
