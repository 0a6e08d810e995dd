package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.util.List;

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
    double bytesPerOp) {
  static final BenchTable<BenchRow> TABLE =
      new BenchTable<>(
          List.of(
              column("policy", "%-24s", "policy", "\"%s\"", BenchRow::policy),
              column("nodes", "%7d", "nodes", "%d", BenchRow::nodes),
              column("stock ns", "%10.0f", "stock_ns", "%.1f", BenchRow::stockNs),
              column("ours ns", "%10.0f", "ours_ns", "%.1f", BenchRow::oursNs),
              column("ratio", "%7.3f", "ratio", "%.4f", BenchRow::ratio),
              column("stock B", "%10.0f", "stock_bytes_per_op", "%.1f", BenchRow::stockBytesPerOp),
              column("ours B", "%10.0f", "bytes_per_op", "%.1f", BenchRow::bytesPerOp)));

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
}
