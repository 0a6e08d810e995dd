package org.rackweave.cli.testbed.compare;

import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.TestbedPolicy;

/** How lost replicas are made again. */
enum RecoveryMethod implements Contender {
  /** As HDFS does unless told otherwise. */
  STOCK(TestbedPolicy.STOCK, "stock", Map.of()),

  /** As HDFS does when an operator is in a hurry. */
  STOCK_RAISED(TestbedPolicy.STOCK, "third", streams(8, 16, 8)),

  /** As HDFS does when an operator cares for nothing else. */
  STOCK_HIGH(TestbedPolicy.STOCK, "fourth", streams(64, 128, 64)),

  /** By stock's monitor, to where Sinbad chooses. */
  SINBAD(TestbedPolicy.SINBAD, "fifth", Map.of()),

  /** By the idle bandwidth of links. */
  DAYU(TestbedPolicy.DAYU, "sinbad", Map.of());

  private final TestbedPolicy policy;
  private final String colour;
  private final Map<String, String> settings;

  RecoveryMethod(TestbedPolicy policy, String colour, Map<String, String> settings) {
    this.policy = policy;
    this.colour = colour;
    this.settings = settings;
  }

  /**
   * @param most transfers of a DataNode at a time, by 2 unless told otherwise
   * @param mostOfUrgent the same with those of the highest priority, by 4
   * @param perRound blocks a live DataNode and round of three seconds, by 2
   */
  private static Map<String, String> streams(int most, int mostOfUrgent, int perRound) {
    return Map.of(
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
        String.valueOf(most),
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY,
        String.valueOf(mostOfUrgent),
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION,
        String.valueOf(perRound));
  }

  /** Who places blocks. */
  TestbedPolicy policy() {
    return policy;
  }

  /** Whether Dayu is at work, who can be under any policy but stock's. */
  boolean isDayus() {
    return this == DAYU;
  }

  /** Settings of the NameNode. */
  Map<String, String> settings() {
    return settings;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String colour() {
    return colour;
  }
}
