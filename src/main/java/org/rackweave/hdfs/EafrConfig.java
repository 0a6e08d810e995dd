package org.rackweave.hdfs;

import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.eafr.GuardRails;
import org.rackweave.eafr.PathRules;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.ThresholdRule;
import org.rackweave.eafr.Thresholds;
import org.rackweave.rules.RuleSet;

/**
 * Which files follow their readers, when, and within which bounds; checked.
 *
 * @param isOn whether any file may be changed, or servers have roles
 * @param paths which files, and how far
 * @param intervalMs the paper's T
 * @param decay part of the reads that an interval leaves to the next
 * @param trackedFiles files whose reads can be told apart
 * @param capacity concurrent reads a server can serve, the paper's c
 * @param capacityObserved whether servers seen to serve more count as able to
 * @param thresholds when a file is hot or cold, and a server overloaded, and in what that is
 *     counted
 * @param rails what keeps changes few
 * @param alpha weight of the last transfers in the speed expected of a server
 * @param beta weight of that speed against remaining capacity when destinations are drawn
 * @param reserveBytes free space below which a server is full, the paper's tau_s
 * @param choosesSources whether HDFS's copies are read where Algorithm 4 says
 * @param roles which servers sleep, and when
 * @param rates how fast copies may go
 */
public record EafrConfig(
    boolean isOn,
    PathRules paths,
    long intervalMs,
    double decay,
    int trackedFiles,
    int capacity,
    boolean capacityObserved,
    ThresholdRule thresholds,
    GuardRails rails,
    double alpha,
    double beta,
    long reserveBytes,
    boolean choosesSources,
    RolesConfig roles,
    RatesConfig rates) {

  /** How often in an interval it is looked which files are hot already. */
  private static final int LOOKS = 8;

  /** In which a new replica takes load, once it is there. */
  private static final int RAISED_AGAIN_AFTER_LOOKS = 2;

  /**
   * Doubles the usual factor: a file that has become hot has many readers, and is to be served
   * within two intervals. One by one, as in the paper, where bounds are in its unit.
   */
  private static final int REPLICAS_AT_ONCE = 3;

  /** What bounds on reads are counted in. */
  private enum Unit {
    /** Of what a server was seen to serve in an interval. */
    SHARES,
    /** Reads in an interval, as in the paper. */
    READS
  }

  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final long GIGABYTE = 1L << 30;
  private static final long INTERVAL_MS = 2 * MINUTE;

  /** Who counts in reads has chosen the numbers for an interval of ten minutes. */
  private static final long INTERVAL_OF_READS_MS = 10 * MINUTE;

  private static final long BYTES_MAX = 1L << 60;
  private static final double LEAST = 1e-6;
  private static final double READS_MAX = 1e9;

  /** Reads and checks every key, with no rules in the namespace. */
  public static EafrConfig from(Configuration conf) {
    return from(conf, ConfiguredRules.of(conf));
  }

  /**
   * Reads and checks every key.
   *
   * @param said rules that are in force
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  public static EafrConfig from(Configuration conf, RuleSet said) {
    ConfigReader read = ConfigReader.withPaper(conf);
    PathRules paths = PathRules.of(said);
    RolesConfig roles = RolesConfig.from(conf);
    checkFactors(conf, paths);
    if (!paths.isEmpty()
        && !conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY,
            DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_DEFAULT)) {
      throw new IllegalArgumentException(
          DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY
              + " = 'false': allowed is true with "
              + PathRules.HEAT
              + "=adapt, since files' own factors are kept in extended attributes");
    }
    ThresholdRule thresholds = thresholds(read);
    long intervalMs =
        read.durationMs(
            ConfigKeys.EAFR_INTERVAL,
            thresholds.areShares() ? INTERVAL_MS : INTERVAL_OF_READS_MS,
            SECOND,
            7 * DAY);
    checkVerifyInterval(roles, intervalMs);
    int replicasAtOnce = thresholds.areShares() ? REPLICAS_AT_ONCE : 1;
    return new EafrConfig(
        !paths.areSilent() || roles.isOn() || Placing.anyByOdds(said),
        paths,
        intervalMs,
        read.number(ConfigKeys.EAFR_DECAY, 0.5, 0, 0.99),
        (int)
            read.wholeNumber(
                ConfigKeys.EAFR_TRACKED_FILES,
                1_000_000,
                Popularity.FILES_MIN,
                Popularity.FILES_MAX),
        (int) read.wholeNumber(ConfigKeys.EAFR_CAPACITY, 15, 1, 1_000_000),
        read.flag(ConfigKeys.EAFR_CAPACITY_OBSERVED, true),
        thresholds,
        rails(read, intervalMs, replicasAtOnce),
        read.number(PaperConstants.EAFR_ALPHA, 0.3, LEAST, 1 - LEAST),
        read.number(PaperConstants.EAFR_BETA, 0.5, 0, 1),
        read.wholeNumber(ConfigKeys.EAFR_RESERVE_BYTES, 10 * GIGABYTE, 0, BYTES_MAX),
        read.flag(ConfigKeys.EAFR_SOURCES_ENABLED, false),
        roles,
        RatesConfig.from(read));
  }

  /** HDFS ceases to wait for a server after two of these, in which it has to be woken. */
  private static void checkVerifyInterval(RolesConfig roles, long intervalMs) {
    if (roles.isOn() && roles.verifyIntervalMs() <= intervalMs + roles.wakeTimeoutMs()) {
      throw new IllegalArgumentException(
          String.format(
              "%s = '%d ms': allowed is more than %s and %s in sum, which is %d ms",
              ConfigKeys.EAFR_VERIFY_INTERVAL,
              roles.verifyIntervalMs(),
              ConfigKeys.EAFR_INTERVAL,
              ConfigKeys.EAFR_WAKE_TIMEOUT,
              intervalMs + roles.wakeTimeoutMs()));
    }
  }

  /** Refuses factors that HDFS would refuse, file by file. */
  private static void checkFactors(Configuration conf, PathRules paths) {
    int min =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT);
    int max =
        conf.getInt(
            DFSConfigKeys.DFS_REPLICATION_MAX_KEY, DFSConfigKeys.DFS_REPLICATION_MAX_DEFAULT);
    int[] factors = paths.factors();
    if (factors[0] < min || factors[1] > max) {
      throw new IllegalArgumentException(
          String.format(
              "rules %s: allowed is min=REPLICAS from %s = '%d' and max=REPLICAS to %s = '%d'",
              paths,
              DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
              min,
              DFSConfigKeys.DFS_REPLICATION_MAX_KEY,
              max));
    }
  }

  private static ThresholdRule thresholds(ConfigReader read) {
    Unit unit = read.choice(PaperConstants.EAFR_THRESHOLDS, unitOfWhatIsSet(read));
    ThresholdRule rule = unit == Unit.SHARES ? ThresholdRule.RELATIVE : ThresholdRule.PAPER;
    Thresholds bounds = rule.bounds();
    double most = unit == Unit.SHARES ? 1 : READS_MAX;
    double tauUpper = read.number(PaperConstants.EAFR_TAU_UPPER, bounds.tauUpper(), LEAST, most);
    double tauLower = read.number(PaperConstants.EAFR_TAU_LOWER, bounds.tauLower(), LEAST, most);
    double sigmaUpper =
        read.number(PaperConstants.EAFR_SIGMA_UPPER, bounds.sigmaUpper(), LEAST, most);
    double sigmaLower =
        read.number(PaperConstants.EAFR_SIGMA_LOWER, bounds.sigmaLower(), LEAST, most);
    read.inOrder(PaperConstants.EAFR_TAU_LOWER, tauLower, PaperConstants.EAFR_TAU_UPPER, tauUpper);
    read.inOrder(
        PaperConstants.EAFR_SIGMA_LOWER, sigmaLower, PaperConstants.EAFR_SIGMA_UPPER, sigmaUpper);
    Thresholds set =
        new Thresholds(
            tauUpper,
            tauLower,
            sigmaUpper,
            sigmaLower,
            read.number(PaperConstants.EAFR_GAMMA_READS, bounds.gammaReads(), LEAST, 1 - LEAST),
            read.number(PaperConstants.EAFR_GAMMA_SERVERS, bounds.gammaServers(), LEAST, 1 - LEAST),
            read.number(PaperConstants.EAFR_TAU_LOAD, bounds.tauLoad(), LEAST, 1));
    return new ThresholdRule(set, rule.areShares());
  }

  /** Who has set a bound and no unit has set it in reads, the only unit there was. */
  private static Unit unitOfWhatIsSet(ConfigReader read) {
    boolean isAnySet =
        Stream.of(
                PaperConstants.EAFR_TAU_UPPER,
                PaperConstants.EAFR_TAU_LOWER,
                PaperConstants.EAFR_SIGMA_UPPER,
                PaperConstants.EAFR_SIGMA_LOWER)
            .anyMatch(read::isSet);
    return isAnySet ? Unit.READS : Unit.SHARES;
  }

  private static GuardRails rails(ConfigReader read, long intervalMs, int replicasAtOnce) {
    return new GuardRails(
        true,
        read.durationMs(ConfigKeys.EAFR_AGE_MIN, 60 * MINUTE, 0, 365 * DAY),
        read.durationMs(ConfigKeys.EAFR_DWELL, 60 * MINUTE, 0, 365 * DAY),
        read.durationMs(ConfigKeys.EAFR_COOL_DOWN, 20 * MINUTE, 0, 365 * DAY),
        RAISED_AGAIN_AFTER_LOOKS * lookMs(intervalMs),
        read.wholeNumber(ConfigKeys.EAFR_BUDGET_BYTES, 1024 * GIGABYTE, 0, BYTES_MAX),
        (int) read.wholeNumber(ConfigKeys.EAFR_IN_FLIGHT_MAX, 1000, 0, 1_000_000),
        (int) read.wholeNumber(ConfigKeys.EAFR_CHANGES_MAX, 100, 1, 10_000),
        replicasAtOnce);
  }

  private static long lookMs(long intervalMs) {
    return intervalMs / LOOKS;
  }

  /** Time between two looks at which files are hot already. */
  public long lookMs() {
    return lookMs(intervalMs);
  }
}
