package org.rackweave.telemetry;

import java.util.Arrays;

/**
 * How unevenly the links of one level are loaded.
 *
 * @param cv coefficient of variation of utilisation, standard deviation over mean (Sinbad, section
 *     4.3); 0 when nothing moves
 * @param p50 median utilisation, as a fraction of capacity
 * @param p95 95th percentile of utilisation
 * @param max largest utilisation
 */
public record LinkStatistics(double cv, double p50, double p95, double max) {
  private static final LinkStatistics NONE = new LinkStatistics(0, 0, 0, 0);

  /** Links of the hosts whose load is known, in one direction. */
  public static LinkStatistics ofHosts(LinkSnapshot snapshot, LinkDirection direction) {
    int nodes = snapshot.topology().nodeCount();
    double[] utilisation = new double[nodes];
    int known = 0;
    for (int node = 0; node < nodes; node++) {
      if (snapshot.source(node) != LinkSource.MISSING) {
        double load = direction == LinkDirection.RX ? snapshot.hostRx(node) : snapshot.hostTx(node);
        utilisation[known++] = fraction(load, snapshot.hostCapacity(node));
      }
    }
    return of(Arrays.copyOf(utilisation, known));
  }

  /**
   * Links between the core and the racks that have a live host, in one direction; receive is
   * towards the rack.
   */
  public static LinkStatistics ofRacks(LinkSnapshot snapshot, LinkDirection direction) {
    double[] utilisation = new double[snapshot.topology().rackCount()];
    int live = 0;
    for (int rack = 0; rack < utilisation.length; rack++) {
      if (snapshot.hasLiveHost(rack)) {
        double load = direction == LinkDirection.RX ? snapshot.rackRx(rack) : snapshot.rackTx(rack);
        utilisation[live++] = fraction(load, snapshot.rackCapacity(rack));
      }
    }
    return of(Arrays.copyOf(utilisation, live));
  }

  private static double fraction(double load, double capacity) {
    return capacity <= 0 ? 0 : load / capacity;
  }

  static LinkStatistics of(double[] values) {
    if (values.length == 0) {
      return NONE;
    }
    Arrays.sort(values);
    double mean = Arrays.stream(values).average().orElse(0);
    double variance = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    return new LinkStatistics(
        mean == 0 ? 0 : Math.sqrt(variance) / mean,
        quantile(values, 0.5),
        quantile(values, 0.95),
        values[values.length - 1]);
  }

  private static double quantile(double[] sorted, double q) {
    return sorted[(int) Math.ceil(q * sorted.length) - 1];
  }
}
