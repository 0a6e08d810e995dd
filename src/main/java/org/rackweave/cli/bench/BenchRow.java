package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * One line of a bench's result.
 *
 * @param policy what was measured, lower case with dashes
 * @param nodes DataNodes of the cluster
 * @param stockNs what stock HDFS takes for one operation, nanoseconds
 * @param oursNs what Rackweave takes for it
 * @param ratio ours / stock
 * @param stockBytesPerOp what stock allocates
 * @param bytesPerOp what Rackweave allocates
 */
record BenchRow(
    String policy,
    int nodes,
    double stockNs,
    double oursNs,
    double ratio,
    double stockBytesPerOp,
    double bytesPerOp)
    implements BenchLine {

  static BenchRow of(String policy, int nodes, Stopwatch.Comparison compared) {
    return new BenchRow(
        policy,
        nodes,
        compared.stock().nanos(),
        compared.ours().nanos(),
        compared.ratio(),
        compared.stock().bytes(),
        compared.ours().bytes());
  }

  static String header() {
    return String.format(
        "%-24s %7s %10s %10s %7s %10s %10s",
        "policy", "nodes", "stock ns", "ours ns", "ratio", "stock B", "ours B");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-24s %7d %10.0f %10.0f %7.3f %10.0f %10.0f",
        policy,
        nodes,
        stockNs,
        oursNs,
        ratio,
        stockBytesPerOp,
        bytesPerOp);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"policy\": \"%s\", \"nodes\": %d, \"stock_ns\": %.1f, \"ours_ns\": %.1f,"
            + " \"ratio\": %.4f, \"stock_bytes_per_op\": %.1f, \"bytes_per_op\": %.1f}",
        policy,
        nodes,
        stockNs,
        oursNs,
        ratio,
        stockBytesPerOp,
        bytesPerOp);
  }
}
