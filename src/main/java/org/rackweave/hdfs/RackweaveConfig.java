package org.rackweave.hdfs;

import static org.rackweave.hdfs.ConfigKeys.BLACK_BOX_DIRECTORY;
import static org.rackweave.hdfs.ConfigKeys.COVERAGE_MIN;
import static org.rackweave.hdfs.ConfigKeys.DECISIONS_KEPT;
import static org.rackweave.hdfs.ConfigKeys.DERIVED;
import static org.rackweave.hdfs.ConfigKeys.DISK_WRITE_BYTES_PER_SEC;
import static org.rackweave.hdfs.ConfigKeys.HOST_BYTES_PER_SEC;
import static org.rackweave.hdfs.ConfigKeys.MODE;
import static org.rackweave.hdfs.ConfigKeys.RACK_BYTES_PER_SEC;
import static org.rackweave.hdfs.ConfigKeys.RACK_OVERSUBSCRIPTION;
import static org.rackweave.hdfs.ConfigKeys.SNAPSHOT_INTERVAL;
import static org.rackweave.hdfs.ConfigKeys.SPREAD;
import static org.rackweave.hdfs.ConfigKeys.STALE_INTERVAL;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.CollectorSettings;
import org.rackweave.telemetry.NetworkSettings;
import org.rackweave.telemetry.Promise;
import org.rackweave.telemetry.Smoothing;

/**
 * The NameNode's settings, checked: replaced as a whole when they are read again.
 *
 * @param modes what is done with the decisions of each feature, as long as nobody says otherwise
 * @param decisionsKept how many decisions are kept for those who ask why
 * @param blackBoxes directory for black boxes, {@code null} for none
 * @param snapshotIntervalMs time between two snapshots of the links
 * @param coverageMin least share of live DataNodes with known load for our decisions, 0 to 1
 * @param collector how measurements become estimates
 * @param network what is declared about links and disks
 * @param spread how replicas are spread over racks
 * @param thresholdBytes blocks smaller than this go to stock placement
 * @param domainFactor distinct upgrade domains a block should span where domains are assigned
 * @param placing who ranks nodes for the files of a directory
 * @param ear what is to be encoded
 * @param eafr which files follow their readers
 * @param dayu how lost replicas are made again
 */
public record RackweaveConfig(
    FeatureModes modes,
    int decisionsKept,
    Path blackBoxes,
    long snapshotIntervalMs,
    double coverageMin,
    CollectorSettings collector,
    NetworkSettings network,
    Spread spread,
    long thresholdBytes,
    int domainFactor,
    PathTable<Placing> placing,
    EarConfig ear,
    EafrConfig eafr,
    DayuConfig dayu) {

  private static final String RECOVERY_MODE = Feature.RECOVERY.label() + '=';

  /** HDFS's web server shows what is below this to whoever asks, unless it is told otherwise. */
  private static final String LOG_DIRECTORY = "hadoop.log.dir";

  private static final long SECOND = 1000;
  private static final long HOUR = 3600 * SECOND;
  private static final double MAX_BYTES_PER_SEC = 1e12;

  /** The difference of clocks that Kerberos allows. */
  private static final long FUTURE_TOLERANCE_MS = 300 * SECOND;

  /** About as long as HDFS takes to call a DataNode dead. */
  private static final long WARM_UP_MS = 600 * SECOND;

  /** Sinbad leaves small blocks alone and names no size. */
  private static final double THRESHOLD_FRACTION = 0.5;

  /** How much fuller than the mean a DataNode may be that receives replicas from us. */
  private static final double STORAGE_IMBALANCE_LIMIT = 0.10;

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
        (int) read.wholeNumber(DECISIONS_KEPT, 10_000, 0, 100_000),
        blackBoxes(conf),
        read.durationMs(SNAPSHOT_INTERVAL, 250, 10, 60 * SECOND),
        read.number(COVERAGE_MIN, 0.5, 0, 1),
        collector(read, heartbeatMs(conf)),
        network(read, heartbeatMs(conf)),
        read.choice(SPREAD, Spread.TWO_RACK),
        threshold(conf),
        conf.getInt(
            DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR,
            DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR_DEFAULT),
        Placing.of(rules),
        EarConfig.from(conf, rules),
        EafrConfig.from(conf, rules),
        DayuConfig.from(conf));
  }

  private static Path blackBoxes(Configuration conf) {
    String text = conf.getTrimmed(BLACK_BOX_DIRECTORY, "");
    if (text.isEmpty()) {
      return besideTheImage(conf).filter(path -> !isShown(path)).orElse(null);
    }
    if (text.equals("off")) {
      return null;
    }
    if (!text.startsWith("/") || isShown(Path.of(text))) {
      throw new IllegalArgumentException(
          String.format(
              "%s = '%s': allowed is an absolute path that is not below %s, for HDFS's web server"
                  + " shows what is there, or off",
              BLACK_BOX_DIRECTORY, text, LOG_DIRECTORY));
    }
    return Path.of(text);
  }

  private static Optional<Path> besideTheImage(Configuration conf) {
    return Stream.of(conf.getTrimmedStrings(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY))
        .map(directory -> new org.apache.hadoop.fs.Path(directory).toUri())
        .filter(uri -> uri.getScheme() == null || uri.getScheme().equals("file"))
        .filter(uri -> uri.getPath().startsWith("/"))
        .map(uri -> Path.of(uri.getPath() + "-rackweave"))
        .findFirst();
  }

  private static boolean isShown(Path directory) {
    String logs = System.getProperty(LOG_DIRECTORY, "");
    return !logs.isEmpty() && real(directory).startsWith(real(Path.of(logs).toAbsolutePath()));
  }

  /** Without symbolic links, as far as the path exists. */
  private static Path real(Path path) {
    Path whole = path.normalize();
    for (Path there = whole; there != null; there = there.getParent()) {
      try {
        return there.toRealPath().resolve(there.relativize(whole));
      } catch (IOException e) {
        continue; // nothing is there: its parent, then
      }
    }
    return whole;
  }

  private static FeatureModes modes(Configuration conf) {
    String text = conf.getTrimmed(MODE, "");
    FeatureModes byDefault = FeatureModes.all(Mode.SHADOW);
    try {
      FeatureModes modes = text.isEmpty() ? byDefault : byDefault.with(text);
      boolean isRefused = !conf.getBoolean(RemovedKeys.DAYU_ENABLED, true);
      return isRefused && !text.toLowerCase(Locale.ROOT).contains(RECOVERY_MODE)
          ? modes.with(RECOVERY_MODE + Mode.OFF)
          : modes;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          MODE + " = '" + text + "': allowed is " + FeatureModes.ALLOWED, e);
    }
  }

  /** A link must be heard of again before it counts as silent. */
  private static CollectorSettings collector(ConfigReader read, long heartbeatMs) {
    long staleMs = Math.max(15 * SECOND, 3 * heartbeatMs);
    return new CollectorSettings(
        Smoothing.CURRENT,
        read.durationMs(STALE_INTERVAL, staleMs, heartbeatMs, 24 * HOUR),
        FUTURE_TOLERANCE_MS,
        WARM_UP_MS,
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
        STORAGE_IMBALANCE_LIMIT,
        Promise.SHARE);
  }

  private static long threshold(Configuration conf) {
    long blockSizeBytes =
        conf.getLongBytes(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
    return (long) (THRESHOLD_FRACTION * blockSizeBytes);
  }
}
