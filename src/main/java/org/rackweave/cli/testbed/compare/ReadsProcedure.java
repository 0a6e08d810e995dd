package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.chart.TimeChart;
import org.rackweave.cli.Progress;
import org.rackweave.cli.ear.NameNodeAdmin;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.hdfs.namenode.ReadOrderTopology;

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

  ReadsProcedure(CompareOptions options) {
    this.options = options;
    this.settings = options.quick() ? ReadsSettings.quick() : ReadsSettings.standard();
    this.runs = new ComparedRuns<>(options, List.of(ReadsMethod.values()), ReadsMethod.STOCK);
  }

  /** EAFR is there, and is switched on and off. */
  @Override
  public Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>(settings.eafr());
    properties.put(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName());
    return properties;
  }

  @Override
  public List<Progress.Step> steps() {
    return runs.steps(settings.endMs() + AROUND_MS);
  }

  @Override
  public Findings run(Session session) throws IOException, InterruptedException {
    Layout layout = session.layout();
    int racks = layout.racks().size();
    int nodesPerRack = layout.racks().get(0).dataNodes().size();
    try (NameNodeAdmin rackweave =
            NameNodeAdmin.connect(session.testbed().controlConf(), NameNodeAdmin.Service.SWITCH);
        NameNodeAdmin eafr =
            NameNodeAdmin.connect(session.testbed().controlConf(), NameNodeAdmin.Service.EAFR)) {
      eafr.text("status"); // not only after minutes
      ReadsRunner runner = new ReadsRunner(session, settings, options, rackweave, eafr);
      Map<String, String> facts =
          Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
      facts.put("load", load(racks * nodesPerRack));
      facts.put("measured", measured());
      Results<ReadsRun> results =
          runs.run(
              facts,
              session.progress(),
              (method, seed, attempt) ->
                  runner.run(
                      method,
                      ReadsPlan.draw(
                          settings, racks, nodesPerRack, layout.uplinkBytesPerSec(), seed),
                      attempt));
      return new Found(settings, results);
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
        "%d s, after %d s of the same load, which are %d intervals of EAFR",
        settings.measureMs() / 1000,
        settings.warmUpMs() / 1000,
        settings.warmUpIntervals());
  }

  /** What came out. */
  record Found(ReadsSettings settings, Results<ReadsRun> results) implements Findings {

    private List<Figure<ReadsRun>> figures() {
      return ReadsFigures.all(settings);
    }

    @Override
    public String text() {
      return ResultTables.figures(results, figures()).text()
          + "\n"
          + ReadsVerdict.table(results).text()
          + "\n"
          + ResultTables.runs(results, OF_EVERY_RUN).text();
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
                  + " the same reads come at the same times. Measured: %s. EAFR may add a fifth of what"
                  + " is stored.",
              results.facts().get("testbed"),
              results.facts().get("load"),
              results.facts().get("measured")));
      TextTable verdict = ReadsVerdict.table(results);
      page.section("What is wanted of eafr").table(verdict.head(), verdict.rows());
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
