package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.sim.statistics.Sample;

/** {@code compare encode}: the same files become erasure-coded by several methods. */
final class EncodeExperiment implements Experiment<EncodeRun> {
  /**
   * What HDFS-RAID does, the paper's RR: stock placement, stripes of blocks that have nothing to do
   * with one another, encoded at any node.
   */
  static final Method RR = Method.of("rr", "stock", TestbedPolicy.STOCK);

  /** {@code hdfs dfs -cp} into a directory with one of HDFS's own policies. */
  static final Method CP = Method.of("cp", "third", TestbedPolicy.STOCK);

  /** Placed for it, and encoded where they are by Rackweave. */
  static final Method EAR = Method.of("ear", "sinbad", TestbedPolicy.EAR);

  static final List<Method> METHODS = List.of(RR, CP, EAR);

  /** Filling, encoding, reading back, deleting. */
  private static final long RUN_MS = 60_000;

  private static final double THROUGHPUT_MIN = 1.5;
  private static final double TAIL = 0.9;
  private static final double MEBIBYTE = 1 << 20;

  private static final Figure<EncodeRun> RATE =
      Figure.number(
          "encode_mb_per_s", "encoded, MB/s", run -> run.dataBytes() / 1e6 / run.seconds());
  private static final Figure<EncodeRun> SECONDS_PER_MB =
      Figure.number(
          "encode_s_per_mb", "encoding, s/MB", run -> run.seconds() / (run.dataBytes() / 1e6));
  private static final Figure<EncodeRun> CROSS_RACK =
      Figure.number(
          "cross_rack_bytes_per_byte",
          "bytes between racks, a byte of data",
          run -> run.crossRackBytes() / (double) run.dataBytes());
  private static final Figure<EncodeRun> RELOCATIONS =
      Figure.number(
          "relocations_per_stripe", "blocks to be moved, a stripe", EncodeRun::relocations);
  private static final Figure<EncodeRun> DURING =
      Figure.seconds(
          "write_mean_during_s",
          "other writes meanwhile, mean",
          run -> new Sample(run.during()).mean());

  private static final List<Figure<EncodeRun>> FIGURES =
      List.of(
          RATE,
          Figure.seconds("encode_s", "from the first byte to the last", EncodeRun::seconds),
          Figure.count("data_mib", "data, MiB", run -> run.dataBytes() / MEBIBYTE),
          CROSS_RACK,
          RELOCATIONS,
          Figure.seconds(
              "write_mean_before_s",
              "other writes before, mean",
              run -> new Sample(run.before()).mean()),
          DURING,
          Figure.seconds(
              "write_p90_during_s",
              "other writes meanwhile, p90",
              run -> new Sample(run.during()).quantile(TAIL)),
          Figure.count("writes_during", "other writes meanwhile", run -> run.during().length));

  private final CompareOptions options;
  private final EncodeSettings settings;

  EncodeExperiment(CompareOptions options) {
    this.options = options;
    this.settings = options.quick() ? EncodeSettings.quick() : EncodeSettings.standard();
  }

  @Override
  public Definition<EncodeRun> definition() {
    return new Definition<>(
        "encode",
        "Encoding on a testbed",
        METHODS,
        settings.settleMs() + RUN_MS,
        FIGURES,
        List.of(RATE, CROSS_RACK, RELOCATIONS, DURING),
        List.of(
            Beside.speedUp("encode_speed_up", "encoding, times as fast", SECONDS_PER_MB)
                .wants(
                    EAR::is,
                    String.format(Locale.ROOT, "%.1f or more", THROUGHPUT_MIN),
                    mean -> mean >= THROUGHPUT_MIN),
            Beside.speedUp("write_speed_up", "other writes meanwhile, times as fast", DURING)));
  }

  /** EAR places and encodes what lies in its own directory, by a code for which six racks do. */
  @Override
  public Map<String, String> settings(Method method, Tuning tuning) throws IOException {
    Map<String, String> needed =
        Map.of(
            ConfiguredRules.CODES,
            EncodeRunner.ROOT + "/" + EAR.label() + "=" + EncodeSettings.CODE.name(),
            ConfigKeys.PAPER,
            "ear.rack-limit=" + EncodeSettings.RACK_LIMIT);
    return tuning.settings(TestbedPolicy.EAR, needed, EncodeSettings.tuned(), options);
  }

  @Override
  public Stage<EncodeRun> open(Session session) throws IOException {
    return new EncodeRunner(session, settings, options);
  }

  @Override
  public void addJson(ObjectNode root, Results<EncodeRun> results) {
    root.put("code", EncodeSettings.CODE.name());
    root.put("rack_limit", EncodeSettings.RACK_LIMIT);
  }

  @Override
  public List<String> introduction(Results<EncodeRun> results) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. %d files of one block of %.0f MiB on every"
                + " DataNode become %s with at most %d blocks of a stripe in a rack, while a writer"
                + " in every rack writes such files %.1f times a second.",
            results.facts().get("testbed"),
            settings.filesPerNode(),
            settings.blockBytes() / MEBIBYTE,
            EncodeSettings.CODE.name(),
            EncodeSettings.RACK_LIMIT,
            settings.writesPerSec()),
        "rr: placed by stock HDFS, blocks encoded in arbitrary order on any node; cp: the"
            + " first two files of each DataNode copied by one client into a directory with HDFS's"
            + " own policy; ear: placed and encoded by Rackweave. Bytes between racks are what left"
            + " racks, without background load and other writes.");
  }

  @Override
  public void addCharts(Page page, Results<EncodeRun> results) {
    page.section("Speed, traffic, other writes")
        .chart(bars(results, RATE, "MB/s"))
        .chart(bars(results, CROSS_RACK, "bytes"))
        .chart(bars(results, DURING, "seconds"));
  }

  private static String bars(Results<EncodeRun> results, Figure<EncodeRun> figure, String unit) {
    List<String> seeds =
        results.runs().stream()
            .map(Results.Run::seed)
            .distinct()
            .map(seed -> "seed " + seed)
            .toList();
    return results.byContender().bars(figure.label(), unit, seeds, figure::bySeed);
  }
}
