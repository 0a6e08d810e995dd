package org.rackweave.hdfs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.HostFileManager;

/**
 * Which DataNodes are hot, standby or cold, and how they fall asleep and are woken; checked.
 *
 * @param choice who says which are which
 * @param standby host names or addresses, with or without port, of the standby ones that are named
 * @param cold of those that are to sleep without being full
 * @param standbyShare share of every rack's DataNodes that are drawn as standby
 * @param coldShare greatest share of all DataNodes that sleeps
 * @param asleepMax most DataNodes that sleep at a time: HDFS counts them among those that it
 *     watches while they leave, and half of those places are the operator's
 * @param directory in HDFS, where roles are kept
 * @param hostsProvider class of the operator's own rules for hosts
 * @param powerCommand what switches machines off and on, {@code null} when it is only logged
 * @param powerTimeoutMs how long that may take
 * @param settleMs how long a DataNode is in maintenance before it is switched off
 * @param awakeMinMs how long one that was woken stays awake at least
 * @param wakeTimeoutMs how long one that is woken may take to report
 * @param verifyIntervalMs how long one sleeps at a time
 * @param lateUpdatesMax blocks of one that changed while it sleeps, from which on it is woken
 */
public record RolesConfig(
    Choice choice,
    Set<String> standby,
    Set<String> cold,
    double standbyShare,
    double coldShare,
    int asleepMax,
    String directory,
    String hostsProvider,
    String powerCommand,
    long powerTimeoutMs,
    long settleMs,
    long awakeMinMs,
    long wakeTimeoutMs,
    long verifyIntervalMs,
    int lateUpdatesMax) {

  /** Who says which DataNode has which role. */
  public enum Choice {
    /** All are hot, none sleeps. */
    OFF,
    /** The operator names standby and cold ones. */
    NAMED,
    /** Standby ones are drawn, the same share of every rack. */
    DRAWN
  }

  /** What {@code dfs.namenode.hosts.provider.classname} has to be. */
  public static final String HOSTS_PROVIDER = "org.rackweave.hdfs.roles.SleepingHosts";

  private static final String NONE = "none";
  private static final String AUTO = "auto";
  private static final String POLICIES = "org.apache.hadoop.hdfs.server.blockmanagement.";
  private static final List<String> HOLDING_POLICIES =
      List.of(
          POLICIES + "RackweaveBlockPlacementPolicy",
          POLICIES + "EafrBlockPlacementPolicy",
          POLICIES + "EarBlockPlacementPolicy",
          POLICIES + "SinbadBlockPlacementPolicy",
          POLICIES + "DayuBlockPlacementPolicy");

  private static final Pattern DIRECTORY = Pattern.compile("/(?!\\.reserved)[^/=,:]+(/[^/=,:]+)*");
  private static final Pattern CLASS =
      Pattern.compile("(?!" + Pattern.quote(HOSTS_PROVIDER) + "$)[\\w$]+(\\.[\\w$]+)+");
  private static final Pattern COMMAND = Pattern.compile("/\\S+|" + NONE);
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  public boolean isOn() {
    return choice != Choice.OFF;
  }

  /**
   * Reads and checks every key.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  static RolesConfig from(Configuration conf) {
    ConfigReader read = new ConfigReader(conf);
    Choice choice = read.choice(ConfigKeys.EAFR_ROLES, Choice.OFF);
    Set<String> standby = hosts(conf, ConfigKeys.EAFR_ROLES_STANDBY, choice);
    Set<String> cold = hosts(conf, ConfigKeys.EAFR_ROLES_COLD, choice);
    for (String host : cold) {
      if (standby.contains(host)) {
        throw refuse(
            ConfigKeys.EAFR_ROLES_COLD,
            conf.getTrimmed(ConfigKeys.EAFR_ROLES_COLD),
            "hosts that are not in " + ConfigKeys.EAFR_ROLES_STANDBY + ", as " + host + " is");
      }
    }
    if (choice != Choice.OFF) {
      checkSurroundings(conf);
    }
    String command =
        read.text(
            ConfigKeys.EAFR_POWER_COMMAND,
            NONE,
            COMMAND,
            "an absolute path without blanks, or " + NONE);
    boolean isSettleAuto = conf.getTrimmed(ConfigKeys.EAFR_SLEEP_SETTLE, AUTO).equals(AUTO);
    return new RolesConfig(
        choice,
        standby,
        cold,
        read.number(ConfigKeys.EAFR_ROLES_STANDBY_SHARE, 0.3, 0, 0.9),
        read.number(ConfigKeys.EAFR_ROLES_COLD_SHARE, 0.3, 0, 0.9),
        asleepMax(conf),
        read.text(
            ConfigKeys.EAFR_ROLES_DIRECTORY,
            "/.rackweave/roles",
            DIRECTORY,
            "an absolute path without a slash at its end, other than the root and outside /.reserved"),
        read.text(
            ConfigKeys.EAFR_HOSTS_PROVIDER,
            HostFileManager.class.getName(),
            CLASS,
            "the name of a class with its package, other than " + HOSTS_PROVIDER),
        command.equals(NONE) ? null : command,
        read.durationMs(ConfigKeys.EAFR_POWER_TIMEOUT, MINUTE, SECOND, HOUR),
        isSettleAuto
            ? settleMs(conf)
            : read.durationMs(ConfigKeys.EAFR_SLEEP_SETTLE, settleMs(conf), 0, DAY),
        read.durationMs(ConfigKeys.EAFR_AWAKE_MIN, HOUR, 0, 30 * DAY),
        read.durationMs(ConfigKeys.EAFR_WAKE_TIMEOUT, 10 * MINUTE, 5 * SECOND, DAY),
        read.durationMs(ConfigKeys.EAFR_VERIFY_INTERVAL, 7 * DAY, 10 * SECOND, 90 * DAY),
        (int) read.wholeNumber(ConfigKeys.EAFR_LATE_UPDATES_MAX, 100_000, 1, Integer.MAX_VALUE));
  }

  /**
   * A standby NameNode has read that a DataNode is in maintenance before this is dead: it asks for
   * the log to be rolled, and then reads it.
   */
  private static long settleMs(Configuration conf) {
    long rollMs =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HA_LOGROLL_PERIOD_KEY,
            DFSConfigKeys.DFS_HA_LOGROLL_PERIOD_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    long readMs =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY,
            DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    return Math.min(DAY, Math.max(0, rollMs) + Math.max(0, readMs));
  }

  private static int asleepMax(Configuration conf) {
    int watched =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_MAX_CONCURRENT_TRACKED_NODES,
            DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_MAX_CONCURRENT_TRACKED_NODES_DEFAULT);
    return watched == 0 ? Integer.MAX_VALUE : Math.max(0, watched) / 2; // 0 is HDFS's "all of them"
  }

  private static Set<String> hosts(Configuration conf, String key, Choice choice) {
    Set<String> hosts = new LinkedHashSet<>(conf.getTrimmedStringCollection(key));
    hosts.remove(NONE);
    if (!hosts.isEmpty() && choice != Choice.NAMED) {
      throw refuse(
          key, conf.getTrimmed(key), "hosts with " + ConfigKeys.EAFR_ROLES + " = 'named' only");
    }
    return Set.copyOf(hosts);
  }

  /** Without these a server that sleeps would be taken for one that failed. */
  private static void checkSurroundings(Configuration conf) {
    String provider = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY, "");
    if (!provider.equals(HOSTS_PROVIDER)) {
      throw refuse(
          DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY,
          provider,
          HOSTS_PROVIDER
              + " with "
              + ConfigKeys.EAFR_ROLES
              + " set; what it was goes into "
              + ConfigKeys.EAFR_HOSTS_PROVIDER);
    }
    String policy = conf.getTrimmed(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, "");
    if (!HOLDING_POLICIES.contains(policy)) {
      throw refuse(
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
          policy,
          "one of "
              + String.join(", ", HOLDING_POLICIES)
              + " with "
              + ConfigKeys.EAFR_ROLES
              + " set");
    }
    int replicas =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_DEFAULT);
    if (replicas < 1) {
      throw refuse(
          DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_KEY,
          Integer.toString(replicas),
          "at least 1 with " + ConfigKeys.EAFR_ROLES + " set");
    }
  }

  private static IllegalArgumentException refuse(String key, String value, String allowed) {
    return new IllegalArgumentException(key + " = '" + value + "': allowed is " + allowed);
  }
}
