package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * How fast one coder encodes.
 *
 * @param schema name of the code, {@code rs-10-4}
 * @param cellBytes length of a unit
 * @param buffer {@code direct} or {@code heap}
 * @param coder {@code java} or {@code isal}
 * @param gbPerSec data encoded in a second of CPU time, in 10^9 bytes
 * @param hadoopGbPerSec the same by Hadoop's Java coder
 * @param ratio how many times faster than Hadoop's, the median over the turns
 */
record RsEncodeRow(
    String schema,
    int cellBytes,
    String buffer,
    String coder,
    double gbPerSec,
    double hadoopGbPerSec,
    double ratio)
    implements BenchLine {

  static String header() {
    return String.format(
        "%-8s %8s %7s %6s %8s %12s %7s",
        "schema", "cell", "buffer", "coder", "GB/s", "hadoop GB/s", "ratio");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-8s %8d %7s %6s %8.2f %12.3f %7.1f",
        schema,
        cellBytes,
        buffer,
        coder,
        gbPerSec,
        hadoopGbPerSec,
        ratio);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"schema\": \"%s\", \"cell\": %d, \"buffer\": \"%s\", \"coder\": \"%s\","
            + " \"gb_per_s\": %.3f, \"hadoop_gb_per_s\": %.3f, \"ratio\": %.2f}",
        schema,
        cellBytes,
        buffer,
        coder,
        gbPerSec,
        hadoopGbPerSec,
        ratio);
  }
}
