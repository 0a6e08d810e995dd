package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.cli.Progress;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

/** {@code compare encode}: the same files become erasure-coded by several methods. */
final class EncodeProcedure implements Procedure {

  /** Filling, encoding, reading back, deleting. */
  private static final long RUN_MS = 60_000;

  private static final double THROUGHPUT_MIN = 1.5;

  private final CompareOptions options;
  private final EncodeSettings settings;
  private final ComparedRuns<EncodeMethod> runs;

  EncodeProcedure(CompareOptions options) throws IOException {
    this.options = options;
    this.settings = options.quick() ? EncodeSettings.quick() : EncodeSettings.standard();
    this.runs =
        new ComparedRuns<>(
            options,
            List.of(EncodeMethod.values()),
            EncodeMethod.RR,
            EncodeMethod::policy,
            (method, tuning) ->
                SettingsOf.of(
                    TestbedPolicy.EAR, needed(), tuning, EncodeSettings.tuned(), options));
  }

  /** EAR places and encodes what lies in its own directory, by a code for which six racks do. */
  private static Map<String, String> needed() {
    return Map.of(
        ConfiguredRules.CODES,
        EncodeRunner.ROOT + "/" + EncodeMethod.EAR.label() + "=" + EncodeSettings.CODE.name(),
        ConfigKeys.PAPER,
        "ear.rack-limit=" + EncodeSettings.RACK_LIMIT);
  }

  @Override
  public List<Progress.Step> steps() {
    return runs.steps(settings.settleMs() + RUN_MS);
  }

  @Override
  public Findings run(Clusters clusters) throws IOException, InterruptedException {
    return new Found(settings, runs.run(clusters, new Encodings()));
  }

  private final class Encodings implements ComparedRuns.Experiment<EncodeMethod, EncodeRun> {
    @Override
    public Map<String, String> facts(Session session) throws IOException {
      return Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
    }

    @Override
    public ComparedRuns.Stage<EncodeMethod, EncodeRun> open(Session session) throws IOException {
      return new EncodeStage(session);
    }
  }

  /** Runs on one testbed. */
  private final class EncodeStage implements ComparedRuns.Stage<EncodeMethod, EncodeRun> {
    private final int racks;
    private final int nodes;
    private final NameNodeAdmin nameNode;
    private final EncodeRunner runner;

    EncodeStage(Session session) throws IOException {
      racks = session.layout().racks().size();
      nodes = session.layout().dataNodes().size();
      if (racks * EncodeSettings.RACK_LIMIT < EncodeSettings.CODE.blocks()) {
        throw new IOException(
            EncodeSettings.CODE.name()
                + " with "
                + EncodeSettings.RACK_LIMIT
                + " blocks a rack needs more than "
                + racks
                + " racks");
      }
      nameNode = NameNodeAdmin.connect(session.testbed().controlConf());
      nameNode.ask("stripes"); // not only after a quarter of an hour
      runner = new EncodeRunner(session, settings, options, nameNode);
    }

    @Override
    public EncodeRun run(Entry<EncodeMethod> entry, long seed, int attempt)
        throws IOException, InterruptedException {
      return runner.run(entry, EncodePlan.draw(settings, racks, nodes, seed), attempt);
    }

    @Override
    public void close() throws IOException {
      nameNode.close();
    }
  }

  /** What came out. */
  record Found(EncodeSettings settings, Results<EncodeRun> results) implements Findings {

    @Override
    public String text() {
      return ResultTables.figures(results, EncodeFigures.ALL).text()
          + "\n"
          + beside().text()
          + "\n"
          + ResultTables.runs(results, EncodeFigures.OF_EVERY_RUN).text();
    }

    private TextTable beside() {
      List<List<String>> rows = new ArrayList<>();
      for (Contender method : results.compared()) {
        BesideBaseline<EncodeRun> beside = results.beside(method);
        String wanted =
            Retuned.methodOf(method) == EncodeMethod.EAR
                ? String.format(Locale.ROOT, "%.1f or more", THROUGHPUT_MIN)
                : "";
        rows.add(
            List.of(
                method.label() + ": encoding, times as fast",
                ResultTables.number(beside.speedUp(EncodeFigures.SECONDS_PER_MB)),
                wanted));
        rows.add(
            List.of(
                method.label() + ": other writes meanwhile, times as fast",
                ResultTables.number(beside.speedUp(EncodeFigures.DURING)),
                ""));
      }
      return new TextTable(List.of("beside rr", "reached", "wanted"), rows);
    }

    @Override
    public ObjectNode json() {
      ObjectNode root = ResultJson.root("encode", results);
      root.put("code", EncodeSettings.CODE.name());
      root.put("rack_limit", EncodeSettings.RACK_LIMIT);
      ResultJson.putMeans(root, results, EncodeFigures.ALL);
      ObjectNode all = root.putObject("beside_rr");
      for (Contender method : results.compared()) {
        BesideBaseline<EncodeRun> beside = results.beside(method);
        ObjectNode one = all.putObject(method.label());
        ResultJson.putSpread(
            one.putObject("encode_speed_up"), beside.speedUp(EncodeFigures.SECONDS_PER_MB));
        ResultJson.putSpread(one.putObject("write_speed_up"), beside.speedUp(EncodeFigures.DURING));
      }
      ResultJson.putSpreadsAndRuns(root, results, EncodeFigures.ALL);
      return root;
    }

    @Override
    public String html() {
      Page page = new Page("Encoding on a testbed");
      page.paragraph(
          String.format(
              Locale.ROOT,
              "Real DataNodes behind shaped links: %s. %d files of one block of %.0f MiB on every"
                  + " DataNode become %s with at most %d blocks of a stripe in a rack, while a writer"
                  + " in every rack writes such files %.1f times a second.",
              results.facts().get("testbed"),
              settings.filesPerNode(),
              settings.blockBytes() / (double) (1 << 20),
              EncodeSettings.CODE.name(),
              EncodeSettings.RACK_LIMIT,
              settings.writesPerSec()));
      page.paragraph(
          "rr: placed by stock HDFS, blocks encoded in no particular order at any node; cp: the first two"
              + " of each DataNode copied by one client into a directory with HDFS's own policy; ear: placed and"
              + " encoded by Rackweave. Bytes between racks are what left racks, background load and"
              + " other writes not counted.");
      ResultPage.addFigures(page, results, EncodeFigures.ALL);
      TextTable beside = beside();
      page.section("Beside rr").table(beside.head(), beside.rows());
      page.section("Speed, traffic, other writes")
          .chart(bars(EncodeFigures.RATE, "MB/s"))
          .chart(bars(EncodeFigures.CROSS_RACK, "bytes"))
          .chart(bars(EncodeFigures.DURING, "seconds"));
      ResultPage.addRunsAndFacts(page, results, EncodeFigures.OF_EVERY_RUN);
      return page.html();
    }

    private String bars(Figure<EncodeRun> figure, String unit) {
      List<String> seeds =
          results.runsOf(results.contenders().get(0)).stream()
              .map(run -> "seed " + run.seed())
              .toList();
      List<Series> series = new ArrayList<>();
      for (Contender method : results.contenders()) {
        series.add(ResultPage.series(method, figure.bySeed(results.runsOf(method))));
      }
      return new GroupedBars(figure.label(), unit, seeds, series).svg();
    }
  }
}
