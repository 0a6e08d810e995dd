package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.chart.TimeChart;
import org.rackweave.cli.Progress;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.namenode.RuntimeSwitch;

/**
 * {@code compare reads}: the same files on the same DataNodes are read by the same readers at the
 * same times, some files far more than others.
 */
final class ReadsProcedure implements Procedure {

  /** Filling, the last reads, deleting. */
  private static final long AROUND_MS = 25_000;

  private static final double MEBIBYTE = 1 << 20;

  private static final List<Figure<ReadsRun>> OF_EVERY_RUN =
      List.of(
          ReadsFigures.P50,
          ReadsFigures.P95,
          ReadsFigures.P99,
          ReadsFigures.REPLICAS,
          ReadsFigures.STORED);

  private final CompareOptions options;
  private final ReadsSettings settings;
  private final ComparedRuns<ReadsMethod> runs;

  ReadsProcedure(CompareOptions options) throws IOException {
    this.options = options;
    List<Tuning> tunings = options.tunings();
    this.settings =
        options.quick() ? ReadsSettings.quick(tunings) : ReadsSettings.standard(tunings);
    this.runs =
        new ComparedRuns<>(
            options,
            List.of(ReadsMethod.values()),
            ReadsMethod.STOCK,
            ReadsMethod::policy,
            (method, tuning) ->
                SettingsOf.of(
                    TestbedPolicy.EAFR, ReadsSettings.needed(), tuning, settings.tuned(), options));
  }

  @Override
  public List<Progress.Step> steps() {
    return runs.steps(settings.endMs() + AROUND_MS);
  }

  @Override
  public Findings run(Clusters clusters) throws IOException, InterruptedException {
    return new Found(settings, runs.run(clusters, new Reads()));
  }

  private final class Reads implements ComparedRuns.Experiment<ReadsMethod, ReadsRun> {
    @Override
    public Map<String, String> facts(Session session) throws IOException {
      Map<String, String> facts =
          Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
      facts.put("load", load(session.layout().dataNodes().size()));
      facts.put("measured", measured());
      return facts;
    }

    @Override
    public ComparedRuns.Stage<ReadsMethod, ReadsRun> open(Session session) throws IOException {
      return new ReadsStage(session);
    }
  }

  /** Runs on one testbed; EAFR is there, and is switched on and off. */
  private final class ReadsStage implements ComparedRuns.Stage<ReadsMethod, ReadsRun> {
    private final Layout layout;
    private final NameNodeAdmin rackweave;
    private final NameNodeAdmin eafr;
    private final ReadsRunner runner;

    ReadsStage(Session session) throws IOException {
      Configuration conf = session.testbed().controlConf();
      if (EafrConfig.from(conf).paths().of(ReadsSettings.ROOT + "/0").isEmpty()) {
        throw new IOException(
            ConfiguredRules.HEAT
                + " is '"
                + conf.get(ConfiguredRules.HEAT)
                + "' and says nothing of "
                + ReadsSettings.ROOT);
      }
      layout = session.layout();
      rackweave = NameNodeAdmin.connect(conf, RuntimeSwitch.IDENTIFIER);
      eafr = NameNodeAdmin.connect(conf, EafrAdmin.IDENTIFIER);
      eafr.ask("status"); // not only after minutes
      runner = new ReadsRunner(session, settings, options, rackweave, eafr);
    }

    @Override
    public ReadsRun run(Entry<ReadsMethod> entry, long seed, int attempt)
        throws IOException, InterruptedException {
      int racks = layout.racks().size();
      int nodesPerRack = layout.racks().get(0).dataNodes().size();
      long uplink = layout.uplinkBytesPerSec();
      return runner.run(
          entry, ReadsPlan.draw(settings, racks, nodesPerRack, uplink, seed), attempt);
    }

    @Override
    public void close() throws IOException {
      rackweave.close();
      eafr.close();
    }
  }

  private String load(int readers) {
    return String.format(
        Locale.ROOT,
        "%d files of %.0f MiB, Zipf exponent %.1f, %d readers, %.1f reads a second each",
        settings.files(),
        settings.fileBytes() / MEBIBYTE,
        settings.zipfExponent(),
        readers,
        settings.readsPerSec());
  }

  private String measured() {
    return String.format(
        Locale.ROOT,
        "%d s, after %d s of the same load",
        settings.measureMs() / 1000,
        settings.warmUpMs() / 1000);
  }

  /** What came out. */
  record Found(ReadsSettings settings, Results<ReadsRun> results) implements Findings {

    private List<Figure<ReadsRun>> figures() {
      return ReadsFigures.all(settings);
    }

    @Override
    public String text() {
      StringBuilder text = new StringBuilder(ResultTables.figures(results, figures()).text());
      for (TextTable verdict : ReadsVerdict.tables(results)) {
        text.append('\n').append(verdict.text());
      }
      return text.append('\n').append(ResultTables.runs(results, OF_EVERY_RUN).text()).toString();
    }

    @Override
    public ObjectNode json() {
      ObjectNode root = ResultJson.root("reads", results);
      ResultJson.putMeans(root, results, figures());
      ReadsVerdict.put(root, results);
      ResultJson.putSpreadsAndRuns(root, results, figures());
      return root;
    }

    @Override
    public String html() {
      Page page = new Page("Skewed reads on a testbed");
      page.paragraph(
          String.format(
              Locale.ROOT,
              "Real DataNodes behind shaped links: %s. %s; a read's time runs from the moment it was"
                  + " due. Under either method the same files lie on the same DataNodes at first and"
                  + " the same reads come at the same times. Measured: %s.",
              results.facts().get("testbed"),
              results.facts().get("load"),
              results.facts().get("measured")));
      for (TextTable verdict : ReadsVerdict.tables(results)) {
        page.section("What is wanted").table(verdict.head(), verdict.rows());
      }
      ResultPage.addFigures(page, results, figures());
      page.section("Read times").chart(distribution());
      page.paragraph("Share of measured reads done within a time, all seeds together.");
      page.section("Replicas of a file")
          .chart(
              new TimeChart(
                      "Replicas of a file", "replicas", "seconds after the load began", replicas())
                  .svg())
          .paragraph("Mean over files, one line for every run, warm-up included.");
      ResultPage.addRunsAndFacts(page, results, OF_EVERY_RUN);
      return page.html();
    }

    private String distribution() {
      List<Series> series = new ArrayList<>();
      List<double[]> all = new ArrayList<>();
      for (Contender contender : results.contenders()) {
        double[] seconds =
            results.runsOf(contender).stream()
                .flatMapToDouble(run -> Arrays.stream(run.seconds()))
                .toArray();
        series.add(ResultPage.series(contender, seconds));
        all.add(seconds);
      }
      return new CumulativeChart("Read times", "seconds", series, CumulativeChart.rangeOf(all), 900)
          .svg();
    }

    private List<TimeChart.Line> replicas() {
      List<TimeChart.Line> lines = new ArrayList<>();
      for (ReadsRun run : results.runs()) {
        double[] times = run.looks().stream().mapToDouble(ReadsRun.Look::seconds).toArray();
        double[] values =
            run.looks().stream().mapToDouble(ReadsRun.Look::replicasPerFile).toArray();
        Contender contender = run.contender();
        lines.add(new TimeChart.Line(contender.label(), contender.colour(), times, values));
      }
      return lines;
    }
  }
}
