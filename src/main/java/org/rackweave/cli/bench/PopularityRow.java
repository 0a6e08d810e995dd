package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * What it costs to count who reads what.
 *
 * @param what the call alone, or with the counting another thread does later
 * @param nodes DataNodes of the cluster
 * @param files files tracked
 * @param stockNs CPU time of one getBlockLocations on stock HDFS, nanoseconds
 * @param oursNs the same with the tap in front
 * @param ratio ours / stock
 * @param bytesPerFile memory for each tracked file
 */
record PopularityRow(
    String what,
    int nodes,
    int files,
    double stockNs,
    double oursNs,
    double ratio,
    double bytesPerFile)
    implements BenchLine {

  static String header() {
    return String.format(
        "%-32s %7s %9s %10s %10s %7s %8s",
        "what", "nodes", "files", "stock ns", "ours ns", "ratio", "B/file");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-32s %7d %9d %10.0f %10.0f %7.3f %8.1f",
        what,
        nodes,
        files,
        stockNs,
        oursNs,
        ratio,
        bytesPerFile);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"what\": \"%s\", \"nodes\": %d, \"files\": %d, \"stock_ns\": %.1f, \"ours_ns\": %.1f,"
            + " \"ratio\": %.4f, \"bytes_per_file\": %.2f}",
        what,
        nodes,
        files,
        stockNs,
        oursNs,
        ratio,
        bytesPerFile);
  }
}
