package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * What two threads cost each other.
 *
 * @param policy what was measured, lower case with dashes
 * @param nodes DataNodes of a cluster
 * @param independentNs elapsed time of one decision when each thread has a cluster of its own
 * @param sharedNs elapsed time of one decision when both work on one cluster
 * @param share of the throughput that is left when they share, median over the turns
 */
record ContentionRow(String policy, int nodes, double independentNs, double sharedNs, double share)
    implements BenchLine {

  static String header() {
    return String.format(
        "%-24s %7s %15s %10s %7s", "policy", "nodes", "independent ns", "shared ns", "share");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-24s %7d %15.0f %10.0f %7.3f",
        policy,
        nodes,
        independentNs,
        sharedNs,
        share);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"policy\": \"%s\", \"nodes\": %d, \"independent_ns\": %.1f, \"shared_ns\": %.1f,"
            + " \"share\": %.4f}",
        policy,
        nodes,
        independentNs,
        sharedNs,
        share);
  }
}
