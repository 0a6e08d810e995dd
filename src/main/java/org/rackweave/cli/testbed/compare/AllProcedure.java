package org.rackweave.cli.testbed.compare;

import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import java.io.IOException;
import org.rackweave.cli.experiment.LinkLoadChart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.rackweave.chart.Page;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Side;
import org.rackweave.cli.experiment.SideOutcome;
import org.rackweave.cli.experiment.SidesResult;
import org.rackweave.cli.testbed.TestbedPolicy;
import java.util.TreeMap;

/** {@code compare all}: all features at once beside stock HDFS. */
final class AllProcedure implements Procedure {
  /** Filling, what a death and a rebuild take, reading back, deleting. */
  private static final long AROUND_MS = 150_000;

  private static final String READER_KEY = "fs.hdfs.impl";
  private static final String READER = "org.apache.hadoop.hdfs.DegradedReadFileSystem";

  private final CompareOptions options;
  private final AllPlan.Settings settings;
  private final ComparedRuns<Side> runs;
  private LinkLoadChart links;

  AllProcedure(CompareOptions options) throws IOException {
    this.options = options;
    this.settings = options.quick() ? AllPlan.Settings.quick() : AllPlan.Settings.standard();
    this.runs =
        new ComparedRuns<>(
            options,
            List.of(Side.values()),
            Side.STOCK,
            side -> side == Side.STOCK ? TestbedPolicy.STOCK : TestbedPolicy.RACKWEAVE,
            (side, tuning) -> settings(side, tuning, options));
  }

  /** Stock HDFS has nothing of Rackweave's; what is tuned of HDFS itself goes for both. */
  private static Map<String, String> settings(Side side, Tuning tuning, CompareOptions options)
      throws IOException {
    if (side == Side.RACKWEAVE) {
      return SettingsOf.of(TestbedPolicy.RACKWEAVE, needed(), tuning, Map.of(), options);
    }
    Map<String, String> all = new TreeMap<>();
    if (tuning == Tuning.TUNED) {
      all.putAll(Tuning.HEARTBEATS);
    }
    all.putAll(options.properties());
    return all;
  }

  /**
   * What six racks of small disks cannot do without, and clients that read through failures, as
   * HDFS's own do with striped files.
   */
  private static Map<String, String> needed() {
    return Map.of(
        ConfigKeys.PAPER,
        "ear.rack-limit=" + EncodeSettings.RACK_LIMIT,
        ConfigKeys.EAFR_RESERVE_BYTES,
        ReadsSettings.RESERVE_BYTES,
        READER_KEY,
        READER);
  }

  @Override
  public List<Progress.Step> steps() {
    return runs.steps(settings.readsUntilMs() + AROUND_MS);
  }

  @Override
  public Findings run(Clusters clusters) throws IOException, InterruptedException {
    Results<AllRun> results = runs.run(clusters, new Sides());
    return new Found(settings, links, results);
  }

  private final class Sides implements ComparedRuns.Experiment<Side, AllRun> {
    @Override
    public Map<String, String> facts(Session session) throws IOException {
      Map<String, String> facts =
          Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
      facts.put("heartbeat interval", session.heartbeatSec() + " s");
      return facts;
    }

    @Override
    public ComparedRuns.Stage<Side, AllRun> open(Session session) {
      int racks = session.layout().racks().size();
      int nodesPerRack = session.layout().dataNodes().size() / racks;
      long uplink = session.layout().uplinkBytesPerSec();
      links = new LinkLoadChart(racks, nodesPerRack, session.layout().nicBytesPerSec());
      return (entry, seed, attempt) -> {
        AllPlan plan = AllPlan.draw(settings, racks, nodesPerRack, uplink, seed);
        AllRunner.Outcome run = AllRunner.run(session, options, entry.method(), plan);
        return new AllRun(
            entry.contender(),
            seed,
            attempt,
            run.outcome(),
            run.busyCpuShare(),
            run.foreignCpuShare());
      };
    }
  }

  /** One run of one side. */
  record AllRun(
      Contender contender,
      long seed,
      int attempt,
      SideOutcome outcome,
      double busyCpuShare,
      double foreignCpuShare)
      implements MeasuredRun {}

  /** What came out. */
  record Found(AllPlan.Settings settings, LinkLoadChart links, Results<AllRun> results)
      implements Findings {
    private static List<Figure<AllRun>> ofRuns(List<Figure<SideOutcome>> figures) {
      return figures.stream()
          .map(
              one ->
                  new Figure<AllRun>(
                      one.key(),
                      one.label(),
                      one.pattern(),
                      run -> one.of().applyAsDouble(run.outcome())))
          .toList();
    }

    private SidesResult sides() {
      Map<Contender, List<SideOutcome>> outcomes = new LinkedHashMap<>();
      results
          .contenders()
          .forEach(
              one ->
                  outcomes.put(
                      one, results.runsOf(one).stream().map(AllRun::outcome).toList()));
      return new SidesResult(outcomes);
    }

    @Override
    public String text() {
      return sides().table().text()
          + "\n"
          + ResultTables.runs(results, ofRuns(SidesResult.OF_EVERY_RUN)).text();
    }

    @Override
    public ObjectNode json() {
      ObjectNode root = ResultJson.root("all", results);
      sides().putTo(root);
      ResultJson.putSpreadsAndRuns(root, results, ofRuns(SidesResult.FIGURES));
      return root;
    }

    @Override
    public String html() {
      Page page = new Page(sides().headline());
      page.paragraph(
          String.format(
              Locale.ROOT,
              "Real DataNodes behind shaped links: %s. With Rackweave as"
                  + " conf/hdfs-site-rackweave.xml sets it, all features active, and without it. Both"
                  + " wrote the same files of %d MiB while background load filled the uplinks of %d"
                  + " racks, other racks every %d seconds; served the same reads, of which %.0f %%"
                  + " went to one file from second %d on; turned a directory into %s stripes; lost a"
                  + " DataNode; and read every byte back.",
              results.facts().get("testbed"),
              settings.writes().blockBytes() >> 20,
              settings.writes().hotRacks(),
              settings.writes().hotPeriodMs() / 1000,
              100 * settings.hotShare(),
              settings.hotFromMs() / 1000,
              EncodeSettings.CODE.name()));
      sides().addTo(page, links);
      page.paragraph(
          "Bytes across racks are what left racks by the shapers' counters, background load, reads"
              + " and writes of others not counted.");
      ResultPage.addRunsAndFacts(page, results, ofRuns(SidesResult.OF_EVERY_RUN));
      return page.html();
    }
  }
}
