package org.rackweave.sim.recovery;

import org.rackweave.dayu.RecoveryBandwidth;

/**
 * What recovery does to the foreground: the interference factor (section 5, Eq. 3 and 4). A node's
 * two directions count as a link each. The 75 % of Eq. 3 stay as they are when alpha is varied.
 *
 * <p>Beside it stand two factors that no planner can help: what the foreground alone carries beyond
 * the 75 %, and what it would be if every node used all that Eq. 1 allows with a foreground known
 * to the moment, which is the price of B_min.
 */
final class OverloadMeter {
  private static final RecoveryBandwidth LIMIT = RecoveryBandwidth.DEFAULT;

  private final RecoveryLinks links;
  private final double totalBytesPerSec;
  private double seconds;
  private double overload;
  private double alone;
  private double allowed;
  private double sinceSeconds;
  private double sinceOverload;
  private double worst;

  OverloadMeter(RecoveryLinks links) {
    this.links = links;
    double sum = 0;
    for (int link = 0; link < links.ofNodes(); link++) {
      sum += links.total(link);
    }
    totalBytesPerSec = sum;
  }

  /**
   * Counts a step.
   *
   * @param foreground bytes per second of each link
   * @param bytes of recovery that crossed each link
   */
  void step(double length, double[] foreground, double[] bytes) {
    if (!(length > 0)) {
      return;
    }
    double sum = 0;
    double sumAlone = 0;
    double sumAllowed = 0;
    for (int link = 0; link < links.ofNodes(); link++) {
      double total = links.total(link);
      sum += LIMIT.overload(total, foreground[link] + bytes[link] / length);
      sumAlone += LIMIT.overload(total, foreground[link]);
      sumAllowed += LIMIT.overload(total, foreground[link] + links.allowed(link, foreground[link]));
    }
    seconds += length;
    overload += sum * length;
    alone += sumAlone * length;
    allowed += sumAllowed * length;
    sinceSeconds += length;
    sinceOverload += sum * length;
  }

  /** A slot ends; the worst of them is remembered. */
  void endSlot() {
    if (sinceSeconds > 0) {
      worst = Math.max(worst, sinceOverload / sinceSeconds / totalBytesPerSec);
    }
    sinceSeconds = 0;
    sinceOverload = 0;
  }

  /** F_interference on average over the recovery. */
  double factor() {
    return overload / seconds / totalBytesPerSec;
  }

  /** The same of the foreground without recovery. */
  double aloneFactor() {
    return alone / seconds / totalBytesPerSec;
  }

  /** The same if recovery used all that Eq. 1 allows and knew the foreground. */
  double allowedFactor() {
    return allowed / seconds / totalBytesPerSec;
  }

  /** The factor of the worst slot. */
  double worstSlot() {
    return worst;
  }
}
