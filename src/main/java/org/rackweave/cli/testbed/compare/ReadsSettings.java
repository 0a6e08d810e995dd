package org.rackweave.cli.testbed.compare;

import java.util.Map;
import org.rackweave.hdfs.ConfigKeys;

/**
 * The size of a comparison of reads.
 *
 * @param hotRacks racks that carry background load at any time, if there is any
 * @param hotPeriodMs how long a set of racks stays hot before the load moves on
 * @param files that are read, of one block each
 * @param fileBytes size of each
 * @param zipfExponent the file of rank k is read in proportion to 1 / k to the power of this
 * @param readsPerSec how often a reader begins a read, on average; there is one on every DataNode's
 *     machine
 * @param intervalMs the time between two looks of EAFR, the paper's T
 * @param warmUpIntervals of these pass under the same load before anything is measured
 * @param measureMs how long reads begin that are measured
 */
record ReadsSettings(
    int hotRacks,
    int hotPeriodMs,
    int files,
    long fileBytes,
    double zipfExponent,
    double readsPerSec,
    int intervalMs,
    int warmUpIntervals,
    int measureMs) {

  static final String ROOT = "/reads";

  private static final int INTERVAL_MS = 5_000;
  private static final int COUNTED_BLOCKS = 200;

  /** As the paper's Fig. 4 has at most. */
  private static final int MOST_REPLICAS = 7;

  /** Of what is stored, EAFR may add so much. */
  private static final double BUDGET_SHARE = 0.2;

  /** A thousand reads for a 99th percentile. */
  static ReadsSettings standard() {
    return new ReadsSettings(2, 20_000, 120, 4L << 20, 1, 1, INTERVAL_MS, 8, 90_000);
  }

  /** The same, shorter. */
  static ReadsSettings quick() {
    return new ReadsSettings(2, 20_000, 120, 4L << 20, 1, 1, INTERVAL_MS, 8, 60_000);
  }

  /** When the first read that is measured may begin, in milliseconds after the run's start. */
  int warmUpMs() {
    return intervalMs * warmUpIntervals;
  }

  /** When no other read begins. */
  int endMs() {
    return warmUpMs() + measureMs;
  }

  /** Bytes of all files' replicas as long as they have three. */
  long storedBytes() {
    return 3 * files * fileBytes;
  }

  /**
   * EAFR as it suits a testbed: seconds for what are minutes in a cluster, and thresholds for the
   * few reads of a few seconds.
   */
  Map<String, String> eafr() {
    return Map.ofEntries(
        Map.entry(ConfigKeys.EAFR_PATHS, ROOT + "=adapt max=" + MOST_REPLICAS),
        Map.entry(ConfigKeys.EAFR_INTERVAL, intervalMs / 1000 + "s"),
        Map.entry(ConfigKeys.EAFR_AGE_MIN, "0"),
        Map.entry(ConfigKeys.EAFR_DWELL, "30s"),
        Map.entry(ConfigKeys.EAFR_COOL_DOWN, "0"),
        Map.entry(ConfigKeys.EAFR_TAU_UPPER, "0.5"),
        Map.entry(ConfigKeys.EAFR_TAU_LOWER, "0.25"),
        Map.entry(ConfigKeys.EAFR_SIGMA_UPPER, "1"),
        Map.entry(ConfigKeys.EAFR_SIGMA_LOWER, "0.5"),
        Map.entry(ConfigKeys.EAFR_CAPACITY, "2"),
        Map.entry(ConfigKeys.EAFR_CAPACITY_OBSERVED, "false"),
        Map.entry(ConfigKeys.EAFR_GAMMA_SERVERS, "0.3"),
        Map.entry(ConfigKeys.EAFR_BUDGET_BYTES, "" + (long) (BUDGET_SHARE * storedBytes())),
        Map.entry(ConfigKeys.EAFR_IN_FLIGHT_MAX, "24"),
        Map.entry(ConfigKeys.EAFR_RESERVE_BYTES, "" + (128L << 20)),
        Map.entry(ConfigKeys.READ_COUNTS_TOP_K, "" + COUNTED_BLOCKS));
  }
}
