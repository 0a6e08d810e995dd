package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * What it costs to count who reads what.
 *
 * @param nodes DataNodes of the cluster
 * @param files files tracked
 * @param stockNs CPU time of one getBlockLocations on stock HDFS, nanoseconds
 * @param oursNs the same with the interceptor in front
 * @param ratio ours / stock
 * @param countingRatio the same with the work added that another thread has with the counting
 * @param bytesPerFile memory for each tracked file
 */
record PopularityRow(
    int nodes,
    int files,
    double stockNs,
    double oursNs,
    double ratio,
    double countingRatio,
    double bytesPerFile)
    implements BenchLine {

  static String header() {
    return String.format(
        "%7s %9s %10s %10s %7s %14s %8s",
        "nodes", "files", "stock ns", "ours ns", "ratio", "with counting", "B/file");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%7d %9d %10.0f %10.0f %7.3f %14.3f %8.1f",
        nodes,
        files,
        stockNs,
        oursNs,
        ratio,
        countingRatio,
        bytesPerFile);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"nodes\": %d, \"files\": %d, \"stock_ns\": %.1f, \"ours_ns\": %.1f,"
            + " \"ratio\": %.4f, \"counting_ratio\": %.4f, \"bytes_per_file\": %.2f}",
        nodes,
        files,
        stockNs,
        oursNs,
        ratio,
        countingRatio,
        bytesPerFile);
  }
}
