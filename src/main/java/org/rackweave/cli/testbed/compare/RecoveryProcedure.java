package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.chart.TimeChart;
import org.rackweave.cli.Progress;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.namenode.RuntimeSwitch;

/**
 * {@code compare recovery}: the same DataNode with the same content is killed for every contender.
 */
final class RecoveryProcedure implements Procedure {

  /** Detection, rebuild, restart and deleting. */
  private static final long AFTER_KILL_MS = 60_000;

  private static final List<Figure<RecoveryRun>> OF_EVERY_RUN =
      List.of(
          RecoveryFigures.DETECTION,
          RecoveryFigures.REBUILD,
          RecoveryFigures.OVER_IDEAL,
          RecoveryFigures.BEFORE,
          RecoveryFigures.DURING,
          RecoveryFigures.RISE);

  private final CompareOptions options;
  private final RecoverySettings settings;
  private final ComparedRuns<RecoveryMethod> runs;

  RecoveryProcedure(CompareOptions options) throws IOException {
    this.options = options;
    this.settings = options.quick() ? RecoverySettings.quick() : RecoverySettings.standard();
    boolean onlySinbad = !options.policies().contains(RecoveryMethod.DAYU.label());
    this.runs =
        new ComparedRuns<>(
            options,
            List.of(RecoveryMethod.values()),
            RecoveryMethod.STOCK,
            RecoveryMethod::policy,
            (method, tuning) ->
                SettingsOf.of(fragment(method, onlySinbad), Map.of(), tuning, Map.of(), options));
  }

  /** Stock runs where Dayu does, who is switched on and off, or else where Sinbad does. */
  private static TestbedPolicy fragment(RecoveryMethod method, boolean onlySinbad) {
    boolean isSinbads =
        method == RecoveryMethod.SINBAD || onlySinbad && method.policy() == TestbedPolicy.STOCK;
    return isSinbads ? TestbedPolicy.SINBAD : TestbedPolicy.DAYU;
  }

  @Override
  public List<Progress.Step> steps() {
    // Filling needs about as long as the blocks take over one link, for two are used.
    long fillMs = settings.blocks() * settings.blockBytes() / 20_000;
    return runs.steps(fillMs + settings.killAtMs() + AFTER_KILL_MS);
  }

  @Override
  public Findings run(Clusters clusters) throws IOException, InterruptedException {
    return new Found(settings, runs.run(clusters, new Recoveries()));
  }

  private final class Recoveries implements ComparedRuns.Experiment<RecoveryMethod, RecoveryRun> {
    @Override
    public Map<String, String> facts(Session session) throws IOException {
      Map<String, String> facts =
          Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
      facts.putAll(settings.facts(session.heartbeatSec()));
      return facts;
    }

    @Override
    public ComparedRuns.Stage<RecoveryMethod, RecoveryRun> open(Session session)
        throws IOException {
      return new RecoveryStage(session);
    }
  }

  /** Runs on one testbed. */
  private final class RecoveryStage implements ComparedRuns.Stage<RecoveryMethod, RecoveryRun> {
    private final Layout layout;
    private final RecoveryRunner runner;

    /** Where Dayu is switched on and off; null where it is not there. */
    private final NameNodeAdmin dayu;

    RecoveryStage(Session session) throws IOException {
      Configuration conf = session.testbed().controlConf();
      layout = session.layout();
      if (!conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "").isEmpty()) {
        dayu = NameNodeAdmin.connect(conf, RuntimeSwitch.IDENTIFIER);
        dayu.ask("status"); // not only after minutes
      } else {
        dayu = null;
      }
      runner = new RecoveryRunner(session, settings, options);
    }

    @Override
    public RecoveryRun run(Entry<RecoveryMethod> entry, long seed, int attempt)
        throws IOException, InterruptedException {
      if (dayu != null) {
        dayu.ask("recovery=" + (entry.method().isDayus() ? "active" : "off"));
      }
      int racks = layout.racks().size();
      int nodesPerRack = layout.racks().get(0).dataNodes().size();
      long uplink = layout.uplinkBytesPerSec();
      return runner.run(
          entry, RecoveryPlan.draw(settings, racks, nodesPerRack, uplink, seed), attempt);
    }

    @Override
    public void close() throws IOException {
      if (dayu != null) {
        dayu.close();
      }
    }
  }

  /** What came out. */
  record Found(RecoverySettings settings, Results<RecoveryRun> results) implements Findings {

    @Override
    public String text() {
      return ResultTables.figures(results, RecoveryFigures.ALL).text()
          + "\n"
          + RecoveryVerdict.table(results).text()
          + "\n"
          + ResultTables.runs(results, OF_EVERY_RUN).text()
          + "\n"
          + ResultTables.facts(results).text();
    }

    @Override
    public ObjectNode json() {
      ObjectNode root = ResultJson.root("recovery", results);
      ResultJson.putMeans(root, results, RecoveryFigures.ALL);
      ObjectNode beside = root.putObject("beside_stock");
      for (Contender contender : results.compared()) {
        ObjectNode one = beside.putObject(contender.label());
        ResultJson.putSpread(
            one.putObject("rebuild_speed_up"),
            results.beside(contender).speedUp(RecoveryFigures.PER_BLOCK));
        ResultJson.putSpread(
            one.putObject("foreground_p90_speed_up"),
            results.beside(contender).speedUp(RecoveryFigures.DURING));
      }
      RecoveryVerdict.put(root, results);
      ResultJson.putSpreadsAndRuns(root, results, RecoveryFigures.ALL);
      return root;
    }

    @Override
    public String html() {
      Page page = new Page("A DataNode is killed: recovery on a testbed");
      page.paragraph(
          String.format(
              Locale.ROOT,
              "Real DataNodes behind shaped links: %s. One of them is filled with %d blocks of %.0f MiB,"
                  + " the other copies of which lie where the seed says, and is killed while all"
                  + " others write files of %.0f MiB %.1f times a second. Everybody loses the same"
                  + " DataNode with the same blocks. Heartbeats come every %s. The ideal is the"
                  + " least time over what links had idle before the kill, by Eq. 1 of the paper"
                  + " (alpha %.2f, at least a quarter of a link).",
              results.facts().get("testbed"),
              settings.blocks(),
              settings.blockBytes() / (double) (1 << 20),
              settings.writeBytes() / (double) (1 << 20),
              settings.writesPerSec(),
              results.facts().get("heartbeat interval"),
              RecoverySettings.BANDWIDTH.alpha()));
      ResultPage.addFigures(page, results, RecoveryFigures.ALL);
      TextTable verdict = RecoveryVerdict.table(results);
      page.section("What is wanted of dayu").table(verdict.head(), verdict.rows());
      page.section("Replicas that lack")
          .chart(
              new TimeChart("Replicas that lack", "replicas", "seconds after the kill", lines())
                  .svg())
          .paragraph("One line for every run, the killed DataNode's own replicas not counted.");
      page.section("Other writes")
          .charts(List.of("before", "during"), List.of(distribution(false), distribution(true)))
          .paragraph(
              "Share of writes done within a time, from when each was due; all seeds together.");
      ResultPage.addRunsAndFacts(page, results, OF_EVERY_RUN);
      return page.html();
    }

    private List<TimeChart.Line> lines() {
      List<TimeChart.Line> lines = new ArrayList<>();
      for (RecoveryRun run : results.runs()) {
        double[] times = run.missing().stream().mapToDouble(Missing::seconds).toArray();
        double[] blocks = run.missing().stream().mapToDouble(Missing::blocks).toArray();
        Contender contender = run.contender();
        lines.add(new TimeChart.Line(contender.label(), contender.colour(), times, blocks));
      }
      return lines;
    }

    private String distribution(boolean during) {
      List<Series> series = new ArrayList<>();
      List<double[]> all = new ArrayList<>();
      for (Contender contender : results.contenders()) {
        List<RecoveryRun> its = results.runsOf(contender);
        series.add(ResultPage.series(contender, seconds(its, during)));
        all.add(seconds(its, true));
        all.add(seconds(its, false));
      }
      return new CumulativeChart(
              during ? "Write times during the recovery" : "Write times before the kill",
              "seconds",
              series,
              CumulativeChart.rangeOf(all),
              430)
          .svg();
    }

    private static double[] seconds(List<RecoveryRun> runs, boolean during) {
      return runs.stream()
          .flatMapToDouble(run -> Arrays.stream(during ? run.during() : run.before()))
          .toArray();
    }
  }
}
