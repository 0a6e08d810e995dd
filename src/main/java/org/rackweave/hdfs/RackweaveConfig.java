package org.rackweave.hdfs;

import static org.rackweave.hdfs.ConfigKeys.CANDIDATES_MAX;
import static org.rackweave.hdfs.ConfigKeys.COVERAGE_MIN;
import static org.rackweave.hdfs.ConfigKeys.DERIVED;
import static org.rackweave.hdfs.ConfigKeys.DISK_WRITE_BYTES_PER_SEC;
import static org.rackweave.hdfs.ConfigKeys.ESTIMATE;
import static org.rackweave.hdfs.ConfigKeys.FUTURE_TOLERANCE;
import static org.rackweave.hdfs.ConfigKeys.HOST_BYTES_PER_SEC;
import static org.rackweave.hdfs.ConfigKeys.INTERVAL;
import static org.rackweave.hdfs.ConfigKeys.INTERVAL_MAX_HELD;
import static org.rackweave.hdfs.ConfigKeys.MODE;
import static org.rackweave.hdfs.ConfigKeys.RACK_BYTES_PER_SEC;
import static org.rackweave.hdfs.ConfigKeys.RACK_OVERSUBSCRIPTION;
import static org.rackweave.hdfs.ConfigKeys.READ_COUNTS_TOP_K;
import static org.rackweave.hdfs.ConfigKeys.SNAPSHOT_INTERVAL;
import static org.rackweave.hdfs.ConfigKeys.SPREAD;
import static org.rackweave.hdfs.ConfigKeys.STALE_INTERVAL;
import static org.rackweave.hdfs.ConfigKeys.STORAGE_IMBALANCE;
import static org.rackweave.hdfs.ConfigKeys.THRESHOLD_FRACTION;
import static org.rackweave.hdfs.ConfigKeys.WARM_UP_INTERVAL;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.CollectorSettings;
import org.rackweave.telemetry.LinkEstimate;
import org.rackweave.telemetry.NetworkSettings;

/**
 * The NameNode's settings, read once and checked.
 *
 * @param modes what is done with the decisions of each feature, as long as nobody says otherwise
 * @param snapshotIntervalMs time between two snapshots of the links
 * @param coverageMin least share of live DataNodes with known load for our decisions, 0 to 1
 * @param readCountsTopK read counts asked of each agent per heartbeat
 * @param collector how measurements become estimates
 * @param network what is declared about links and disks
 * @param spread how replicas are spread over racks
 * @param thresholdBytes blocks smaller than this go to stock placement
 * @param intervalMs decision interval q of OPT', 0 to decide at once
 * @param intervalMaxHeld most RPC handlers held by the decision interval
 * @param candidatesMax candidates looked at for one block
 * @param domainFactor distinct upgrade domains a block should span where domains are assigned
 * @param placing who ranks nodes for the files of a directory
 * @param ear what is to be encoded
 * @param eafr which files follow their readers
 * @param dayu how lost replicas are made again
 */
public record RackweaveConfig(
    FeatureModes modes,
    long snapshotIntervalMs,
    double coverageMin,
    int readCountsTopK,
    CollectorSettings collector,
    NetworkSettings network,
    Spread spread,
    long thresholdBytes,
    long intervalMs,
    int intervalMaxHeld,
    int candidatesMax,
    int domainFactor,
    PathTable<Placing> placing,
    EarConfig ear,
    EafrConfig eafr,
    DayuConfig dayu) {

  private static final long SECOND = 1000;
  private static final long HOUR = 3600 * SECOND;
  private static final double MAX_BYTES_PER_SEC = 1e12;

  /**
   * Reads and checks every key, with no rules in the namespace.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  public static RackweaveConfig from(Configuration conf) {
    return from(conf, RuleSet.NONE);
  }

  /**
   * Reads and checks every key, and every rule.
   *
   * @param said rules of the namespace
   * @throws IllegalArgumentException naming the key or the directory, the value and what is allowed
   */
  public static RackweaveConfig from(Configuration conf, RuleSet said) {
    ConfigReader read = new ConfigReader(conf);
    RuleSet rules = RuleWords.over(said, ConfiguredRules.of(conf));
    return new RackweaveConfig(
        modes(conf),
        read.durationMs(SNAPSHOT_INTERVAL, 250, 10, 60 * SECOND),
        read.number(COVERAGE_MIN, 0.5, 0, 1),
        (int) read.wholeNumber(READ_COUNTS_TOP_K, 0, 0, 1000),
        collector(read, heartbeatMs(conf)),
        network(read, heartbeatMs(conf)),
        read.choice(SPREAD, Spread.TWO_RACK),
        threshold(read, conf),
        read.durationMs(INTERVAL, 0, 0, 10 * SECOND),
        (int) read.wholeNumber(INTERVAL_MAX_HELD, 8, 0, 10_000),
        (int) read.wholeNumber(CANDIDATES_MAX, 32, 1, 1000),
        conf.getInt(
            DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR,
            DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR_DEFAULT),
        Placing.of(rules),
        EarConfig.from(conf, rules),
        EafrConfig.from(conf, rules),
        DayuConfig.from(conf));
  }

  private static FeatureModes modes(Configuration conf) {
    String text = conf.getTrimmed(MODE, "");
    FeatureModes byDefault = FeatureModes.all(Mode.SHADOW);
    try {
      return text.isEmpty() ? byDefault : byDefault.with(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          MODE + " = '" + text + "': allowed is " + FeatureModes.ALLOWED, e);
    }
  }

  /** A link must be heard of again before it counts as silent. */
  private static CollectorSettings collector(ConfigReader read, long heartbeatMs) {
    long staleMs = Math.max(15 * SECOND, 3 * heartbeatMs);
    return new CollectorSettings(
        read.choice(ESTIMATE, LinkEstimate.CURRENT).smoothing(),
        read.durationMs(STALE_INTERVAL, staleMs, heartbeatMs, 24 * HOUR),
        read.durationMs(FUTURE_TOLERANCE, 300 * SECOND, SECOND, 24 * HOUR),
        read.durationMs(WARM_UP_INTERVAL, 600 * SECOND, 0, 24 * HOUR),
        read.numberOr(ConfigReader.MEASURED, HOST_BYTES_PER_SEC, 0, 1, MAX_BYTES_PER_SEC),
        read.flag(DERIVED, true));
  }

  private static long heartbeatMs(Configuration conf) {
    return Math.max(
        1,
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS));
  }

  private static NetworkSettings network(ConfigReader read, long heartbeatMs) {
    return new NetworkSettings(
        read.number(RACK_BYTES_PER_SEC, 0, 0, 10 * MAX_BYTES_PER_SEC),
        read.numberOr(ConfigReader.MEASURED, RACK_OVERSUBSCRIPTION, 0, 1, 1000),
        read.numberOr(ConfigReader.MEASURED, DISK_WRITE_BYTES_PER_SEC, 0, 1, MAX_BYTES_PER_SEC),
        heartbeatMs,
        read.number(STORAGE_IMBALANCE, 0.10, 0, 1),
        read.choice(ESTIMATE, LinkEstimate.CURRENT).promise());
  }

  private static long threshold(ConfigReader read, Configuration conf) {
    double fraction = read.number(THRESHOLD_FRACTION, 0.5, 0, 1);
    long blockSizeBytes =
        conf.getLongBytes(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
    return (long) (fraction * blockSizeBytes);
  }
}
