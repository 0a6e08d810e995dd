package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Map;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

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
 * @param lookMs the time between two looks at what is stored
 * @param warmUpMs how long the same load lasts before anything is measured
 * @param measureMs how long reads begin that are measured
 */
record ReadsSettings(
    int hotRacks,
    int hotPeriodMs,
    int files,
    long fileBytes,
    double zipfExponent,
    double readsPerSec,
    int lookMs,
    int warmUpMs,
    int measureMs) {

  /** Below the directory that {@code conf/hdfs-site-eafr.xml} names. */
  static final String ROOT = "/warehouse/reads";

  /** In which EAFR is to help as it ships, from when a file becomes hot. */
  private static final int SHIPPED_WARM_UP_MS = 300_000;

  private static final int QUICK_SHIPPED_WARM_UP_MS = 120_000;

  /** By default EAFR leaves the last 10 GiB alone, which is more than small disks have. */
  static final String RESERVE_BYTES = String.valueOf(128L << 20);

  private static final int INTERVAL_MS = 5_000;

  /** As the paper's Fig. 4 has at most. */
  private static final int MOST_REPLICAS = 7;

  /** Of what is stored, EAFR may add so much. */
  private static final double BUDGET_SHARE = 0.2;

  /** Of EAFR's when it is tuned. */
  private static final int TUNED_WARM_UP_INTERVALS = 8;

  /** A thousand reads for a 99th percentile, after five minutes unless EAFR is tuned. */
  static ReadsSettings standard(List<Tuning> tunings) {
    return of(tunings, SHIPPED_WARM_UP_MS, 90_000);
  }

  /** The same, shorter. */
  static ReadsSettings quick(List<Tuning> tunings) {
    return of(tunings, QUICK_SHIPPED_WARM_UP_MS, 60_000);
  }

  private static ReadsSettings of(List<Tuning> tunings, int shippedWarmUpMs, int measureMs) {
    int warmUpMs =
        tunings.contains(Tuning.SHIPPED) ? shippedWarmUpMs : TUNED_WARM_UP_INTERVALS * INTERVAL_MS;
    return new ReadsSettings(2, 20_000, 120, 4L << 20, 1, 1, INTERVAL_MS, warmUpMs, measureMs);
  }

  /** When no other read begins. */
  int endMs() {
    return warmUpMs + measureMs;
  }

  /** Bytes of all files' replicas as long as they have three. */
  long storedBytes() {
    return 3 * files * fileBytes;
  }

  /**
   * What EAFR cannot do without: a rule for the files, and, as by default it leaves the last 10 GiB
   * alone, less of that on small disks.
   */
  static Map<String, String> needed() {
    return Map.of(
        ConfiguredRules.HEAT, ROOT + "=adapt max=6", ConfigKeys.EAFR_RESERVE_BYTES, RESERVE_BYTES);
  }

  /**
   * EAFR tuned for a testbed: seconds for what are minutes in a cluster, and thresholds for the few
   * reads of a few seconds.
   */
  Map<String, String> tuned() {
    return Map.ofEntries(
        Map.entry(ConfiguredRules.HEAT, ROOT + "=adapt max=" + MOST_REPLICAS),
        Map.entry(ConfigKeys.EAFR_INTERVAL, INTERVAL_MS / 1000 + "s"),
        Map.entry(ConfigKeys.EAFR_AGE_MIN, "0"),
        Map.entry(ConfigKeys.EAFR_DWELL, "30s"),
        Map.entry(ConfigKeys.EAFR_COOL_DOWN, "0"),
        Map.entry(
            ConfigKeys.PAPER,
            "eafr.tau-upper=0.5 eafr.tau-lower=0.25 eafr.sigma-upper=1 eafr.sigma-lower=0.5"
                + " eafr.gamma-servers=0.3"),
        Map.entry(ConfigKeys.EAFR_CAPACITY, "2"),
        Map.entry(ConfigKeys.EAFR_CAPACITY_OBSERVED, "false"),
        Map.entry(ConfigKeys.EAFR_BUDGET_BYTES, "" + (long) (BUDGET_SHARE * storedBytes())),
        Map.entry(ConfigKeys.EAFR_IN_FLIGHT_MAX, "24"));
  }
}
