package org.rackweave.sim.network;

import java.util.Arrays;
import java.util.List;

/**
 * Max-min fair rates as the textbook has them (Bertsekas and Gallager, section 6.5.2): raise all
 * rates together; when a link is full, its flows are done; repeat. Slow and plain: the oracle.
 */
final class TextbookShares {
  private TextbookShares() {}

  /** Bytes per second of each flow, given the links each crosses. */
  static double[] of(double[] capacities, List<int[]> flows) {
    double[] rates = new double[flows.size()];
    double[] left = capacities.clone();
    boolean[] done = new boolean[flows.size()];
    for (int stopped = 0; stopped < flows.size(); ) {
      int[] crossing = new int[left.length];
      for (int f = 0; f < done.length; f++) {
        for (int link : flows.get(f)) {
          crossing[link] += done[f] ? 0 : 1;
        }
      }
      double share = Double.POSITIVE_INFINITY;
      int full = -1;
      for (int link = 0; link < left.length; link++) {
        if (crossing[link] > 0 && left[link] / crossing[link] < share) {
          share = left[link] / crossing[link];
          full = link;
        }
      }
      for (int f = 0; f < done.length; f++) {
        int bottleneck = full;
        if (!done[f] && Arrays.stream(flows.get(f)).anyMatch(link -> link == bottleneck)) {
          done[f] = true;
          stopped++;
          rates[f] = share;
          for (int link : flows.get(f)) {
            left[link] = Math.max(0, left[link] - share);
          }
        }
      }
    }
    return rates;
  }
}
