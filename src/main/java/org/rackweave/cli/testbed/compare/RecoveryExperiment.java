package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * {@code compare recovery}: the same DataNode with the same content is killed for every contender.
 */
final class RecoveryExperiment implements Experiment<RecoveryRun> {
  /** As HDFS does unless told otherwise. */
  static final Method STOCK = Method.of("stock", "stock", TestbedPolicy.STOCK);

  /** By stock's monitor, to where Sinbad chooses. */
  static final Method SINBAD = Method.of("sinbad", "fifth", TestbedPolicy.SINBAD);

  /** By the idle bandwidth of links. */
  static final Method DAYU = Method.of("dayu", "sinbad", TestbedPolicy.DAYU);

  /** Between them HDFS when an operator is in a hurry, and when one cares for nothing else. */
  static final List<Method> METHODS =
      List.of(
          STOCK,
          Method.stock("stock-raised", "third", streams(8, 16, 8)),
          Method.stock("stock-high", "fourth", streams(64, 128, 64)),
          SINBAD,
          DAYU);

  /** Detection, rebuild, restart and deleting. */
  private static final long AFTER_KILL_MS = 60_000;

  private static final double MEBIBYTE = 1 << 20;
  private static final int HALF_WIDTH = 430;

  private final CompareOptions options;
  private final RecoverySettings settings;
  private final boolean withDayu;

  RecoveryExperiment(CompareOptions options) {
    this.options = options;
    this.settings = options.quick() ? RecoverySettings.quick() : RecoverySettings.standard();
    this.withDayu = options.policies().contains(DAYU.label());
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

  @Override
  public Definition<RecoveryRun> definition() {
    return new Definition<>(
        "recovery",
        "A DataNode is killed: recovery on a testbed",
        METHODS,
        // Filling needs about as long as the blocks take over one link, for two are used.
        settings.blocks() * settings.blockBytes() / 20_000 + settings.killAtMs() + AFTER_KILL_MS,
        RecoveryFigures.ALL,
        List.of(
            RecoveryFigures.DETECTION,
            RecoveryFigures.REBUILD,
            RecoveryFigures.OVER_IDEAL,
            RecoveryFigures.BEFORE,
            RecoveryFigures.DURING,
            RecoveryFigures.RISE),
        List.of(
            Beside.speedUp("rebuild_speed_up", "rebuild: times as fast", RecoveryFigures.PER_BLOCK),
            Beside.speedUp(
                "foreground_p90_speed_up",
                "other writes meanwhile, p90: times as fast",
                RecoveryFigures.DURING)));
  }

  /** Stock runs where Dayu does, who is switched on and off, or else where Sinbad does. */
  @Override
  public Map<String, String> settings(Method method, Tuning tuning) throws IOException {
    boolean isSinbads = method.equals(SINBAD) || !withDayu && method.isStock();
    return tuning.settings(
        isSinbads ? TestbedPolicy.SINBAD : TestbedPolicy.DAYU, Map.of(), Map.of(), options);
  }

  @Override
  public void addFacts(Map<String, String> facts, Session session) {
    facts.putAll(settings.facts(session.heartbeatSec()));
  }

  @Override
  public Stage<RecoveryRun> open(Session session) throws IOException {
    return new RecoveryRunner(session, settings, options);
  }

  @Override
  public List<TextTable> tables(Results<RecoveryRun> results) {
    return List.of(RecoveryVerdict.table(results));
  }

  @Override
  public void addJson(ObjectNode root, Results<RecoveryRun> results) {
    RecoveryVerdict.put(root, results);
  }

  @Override
  public List<String> introduction(Results<RecoveryRun> results) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. One of them is filled with %d blocks of %.0f"
                + " MiB, whose other replicas are placed by the seed, and is killed while all"
                + " others write files of %.0f MiB %.1f times a second. Every policy loses the same"
                + " DataNode with the same blocks. Heartbeats are sent every %s. The ideal is the"
                + " least time over what links had idle before the kill, by Eq. 1 of the paper"
                + " (alpha %.2f, at least a quarter of a link).",
            results.facts().get("testbed"),
            settings.blocks(),
            settings.blockBytes() / MEBIBYTE,
            settings.writeBytes() / MEBIBYTE,
            settings.writesPerSec(),
            results.facts().get("heartbeat interval"),
            RecoverySettings.BANDWIDTH.alpha()));
  }

  @Override
  public void addCharts(Page page, Results<RecoveryRun> results) {
    ContenderRuns<RecoveryRun> all = results.byContender();
    page.section("Replicas that lack")
        .chart(
            all.lines(
                "Replicas that lack",
                "replicas",
                "seconds after the kill",
                run -> run.missing().stream().mapToDouble(Missing::seconds).toArray(),
                run -> run.missing().stream().mapToDouble(Missing::blocks).toArray()))
        .paragraph("One line for every run, the killed DataNode's own replicas not counted.");
    double[] range = all.range(List.of(RecoveryRun::before, RecoveryRun::during));
    page.section("Other writes")
        .charts(
            List.of("before", "during"),
            List.of(
                all.distribution(
                    "Write times before the kill", range, HALF_WIDTH, RecoveryRun::before),
                all.distribution(
                    "Write times during the recovery", range, HALF_WIDTH, RecoveryRun::during)))
        .paragraph(
            "Share of writes done within a time, from when each was due; all seeds together.");
  }
}
