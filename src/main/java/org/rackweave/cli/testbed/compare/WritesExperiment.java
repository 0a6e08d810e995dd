package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.experiment.FiguresJson.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.LinkLoadChart;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.sim.statistics.Sample;

/** {@code compare writes}: block write times while background load moves from racks to racks. */
final class WritesExperiment implements Experiment<WritesRun> {
  static final Method STOCK = Method.of("stock", "stock", TestbedPolicy.STOCK);
  static final Method SINBAD = Method.of("sinbad", "sinbad", TestbedPolicy.SINBAD);
  static final List<Method> METHODS = List.of(STOCK, SINBAD);

  /** Beside arrivals: the last writes, reading back, deleting. */
  private static final long DRAIN_MS = 22_000;

  private static final int SECOND_MS = 1_000;
  private static final double MEBIBYTE = 1 << 20;
  private static final double COLD_SPEED_UP_MIN = 2.0;
  private static final double AVOIDED_MIN = 0.90;
  private static final double STORAGE_CV_MORE_MAX = 0.10;
  private static final int THIRD_WIDTH = 320;

  /**
   * Of the blocks with a cold writer that stock sends to a hot rack, the share that the policy
   * sends elsewhere: 1 less the policy's share of such blocks over stock's.
   */
  static final Beside<WritesRun> AVOIDED =
      wanted(
          Beside.of(
              "hot_target_avoided_of_stock",
              "writer cold: hot targets of stock avoided",
              WritesExperiment::avoided),
          String.format(Locale.ROOT, ">= %.2f", AVOIDED_MIN),
          mean -> mean >= AVOIDED_MIN);

  static final Beside<WritesRun> COLD =
      wanted(
          Beside.speedUp(
              "cold_writer_speed_up",
              "writer cold: times as fast as stock",
              WritesFigures.COLD_WRITER_MEAN),
          ">= " + COLD_SPEED_UP_MIN,
          mean -> mean >= COLD_SPEED_UP_MIN);

  static final Beside<WritesRun> ALL =
      Beside.speedUp("speed_up", "all blocks: times as fast as stock", WritesFigures.MEAN);

  /** How many times as fast the overall mean could be if nothing but targets were changed. */
  static final Beside<WritesRun> CEILING =
      Beside.of(
          "speed_up_ceiling",
          "  ceiling of stock's blocks",
          pair ->
              Spread.ofRatio(
                  WritesFigures.MEAN.bySeed(pair.baseline()),
                  WritesFigures.CEILING.bySeed(pair.baseline())));

  private static final List<Beside<WritesRun>> BESIDE =
      List.of(
          COLD,
          AVOIDED,
          wanted(
              Beside.difference(
                  "link_cv_difference",
                  "received by DataNodes, Cv less stock's",
                  WritesFigures.LINK_CV),
              "< 0",
              mean -> mean < 0),
          wanted(
              Beside.difference(
                  "storage_cv_difference",
                  "stored by DataNodes, sd/mean less stock's",
                  WritesFigures.STORAGE_CV),
              String.format(Locale.ROOT, "<= %.2f", STORAGE_CV_MORE_MAX),
              mean -> mean <= STORAGE_CV_MORE_MAX),
          Beside.speedUp(
              "cold_writer_throughout_speed_up",
              "writer cold until the end: times as fast",
              WritesFigures.COLD_WHILE_WRITTEN),
          ALL,
          CEILING,
          Beside.speedUp("speed_up_p95", "all blocks, p95: times as fast", WritesFigures.P95),
          Beside.difference(
              "uplink_cv_difference",
              "received by racks, Cv less stock's",
              WritesFigures.UPLINK_CV));

  private final CompareOptions options;
  private final int move;
  private final WritesSettings settings;
  private Layout layout;

  /**
   * @param move seconds that background load stays where it is
   */
  WritesExperiment(CompareOptions options, int move) {
    this.options = options;
    this.move = move;
    WritesSettings given =
        options.quick()
            ? WritesSettings.quick(move * SECOND_MS)
            : WritesSettings.standard(move * SECOND_MS);
    this.settings = options.large() ? given.withLargeBlocks() : given;
  }

  /** For a layout that is known already. */
  WritesExperiment(CompareOptions options, int move, Layout layout) {
    this(options, move);
    this.layout = layout;
  }

  private static Beside<WritesRun> wanted(
      Beside<WritesRun> one, String what, DoublePredicate enough) {
    return one.wants(any -> true, what, enough);
  }

  private static Spread avoided(Results.Pair<WritesRun> pair) {
    Spread left =
        Spread.ofRatio(
            WritesFigures.COLD_TO_HOT.bySeed(pair.runs()),
            WritesFigures.COLD_TO_HOT.bySeed(pair.baseline()));
    return new Spread(1 - left.mean(), left.sd(), 1 - left.high(), 1 - left.low(), left.seeds());
  }

  @Override
  public Definition<WritesRun> definition() {
    return new Definition<>(
        "writes",
        "Block writes on a testbed",
        METHODS,
        settings.endMs() + DRAIN_MS,
        WritesFigures.ALL,
        List.of(
            WritesFigures.MEAN,
            WritesFigures.COLD_WRITER_MEAN,
            Figure.seconds("", "latest start", WritesRun::latestStartSeconds)),
        BESIDE);
  }

  /** Beside what ships: the cluster's usual block is the one that is written. */
  @Override
  public Map<String, String> settings(Method policy, Tuning tuning) throws IOException {
    Map<String, String> needed =
        options.large()
            ? Map.of(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, String.valueOf(settings.blockBytes()))
            : Map.of();
    return tuning.settings(TestbedPolicy.SINBAD, needed, Map.of(), options);
  }

  @Override
  public String variant() {
    return options.moves().size() > 1 ? ", load moves every " + move + " s" : "";
  }

  @Override
  public void addFacts(Map<String, String> facts, Session session) {
    if (options.origin() != BackgroundOrigin.NONE) {
      facts.put("background load moves every", move + " s");
    }
    facts.put("blocks", settings.blockBytes() / (1 << 20) + " MiB");
  }

  @Override
  public Stage<WritesRun> open(Session session) {
    layout = session.layout();
    return new WritesRunner(session, settings, options)::run;
  }

  /** The result in one sentence. */
  @Override
  public String title(Results<WritesRun> results) {
    return results.compared().stream()
        .findFirst()
        .map(
            contender ->
                String.format(
                    Locale.ROOT,
                    "Where the writer's rack is cold, %s writes a block %.1f times as fast as stock"
                        + " HDFS",
                    contender.label(),
                    COLD.of().apply(results.beside(contender)).mean()))
        .orElse(definition().title());
  }

  @Override
  public List<String> introduction(Results<WritesRun> results) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. %d racks carried background load at any time,"
                + " others every %d seconds. In every rack a DataNode's machine began files of %.0f"
                + " MiB %.2f times a second, regardless of earlier ones. Policies took turns with"
                + " the same arrivals and the same loaded racks; a time runs from the moment a"
                + " write was due.",
            results.facts().get("testbed"),
            settings.hotRacks(),
            move,
            settings.blockBytes() / MEBIBYTE,
            settings.writesPerSec()),
        "Hot targets avoided: 1 - the policy's share of blocks from a cold writer to a hot rack"
            + " over stock's share. Ceiling: the speed-up of the overall mean if all of stock's"
            + " blocks from cold writers took as long as those that meet no hot rack. Classes are"
            + " by the racks that are hot when a write is due, and by those that are hot at any"
            + " moment until it is done; a class is slower if the upper end of its interval is"
            + " below 1.");
  }

  /** Every class of a policy's blocks beside stock's, and at the end the slowest. */
  @Override
  public List<TextTable> tables(Results<WritesRun> results) {
    return results.compared().stream()
        .map(one -> ClassSpeeds.table(one, ClassSpeeds.of(results.beside(one))))
        .toList();
  }

  /**
   * Under each policy's name the same keys as the demo's, of all seeds together; the variation of
   * what is stored is a mean over seeds, as all seeds together would hide what each run does.
   */
  @Override
  public void addJson(ObjectNode root, Results<WritesRun> results) {
    for (Contender contender : results.contenders()) {
      ObjectNode node = root.with(contender.label());
      WriteFigures figures = together(results.of(contender));
      FiguresJson.putFigures(node, figures);
      put(
          node,
          WritesFigures.STORAGE_CV.key(),
          results.spread(contender, WritesFigures.STORAGE_CV).mean());
      FiguresJson.putDetails(node, figures);
    }
    for (Contender contender : results.compared()) {
      ClassSpeeds.put(
          root.with(contender.label()),
          root.with("beside_stock").with(contender.label()),
          ClassSpeeds.of(results.beside(contender)));
    }
  }

  private static WriteFigures together(List<WritesRun> runs) {
    return WriteFigures.of(runs.stream().map(WritesRun::measured).toList());
  }

  @Override
  public void addCharts(Page page, Results<WritesRun> results) {
    List<String> classes = Arrays.stream(Situation.values()).map(WritesFigures::label).toList();
    ContenderRuns<WritesRun> all = results.byContender();
    page.section("Block write times")
        .chart(
            all.bars(
                "Mean write time by class",
                "s",
                classes,
                runs ->
                    together(runs).bySituation().values().stream()
                        .mapToDouble(seconds -> new Sample(seconds).mean())
                        .map(mean -> Double.isFinite(mean) ? mean : 0)
                        .toArray()))
        .chart(all.distribution("Block write times, all blocks", one -> of(one, null)));
    double[] range = all.range(List.of(one -> of(one, null)));
    page.charts(
            classes,
            Arrays.stream(Situation.values())
                .map(
                    which ->
                        all.distribution(
                            "Block write times, " + WritesFigures.label(which),
                            range,
                            THIRD_WIDTH,
                            one -> of(one, which)))
                .toList())
        .paragraph("Share of blocks written within a time, all seeds together.");
    addLinkLoad(page, results);
    page.section("Where the blocks went")
        .chart(
            all.bars(
                "Stored by DataNodes",
                "MiB",
                layout.dataNodes().stream().map(Host::name).toList(),
                WritesExperiment::placed))
        .paragraph("Replicas by DataNode, mean over seeds.");
  }

  private static double[] of(WritesRun run, Situation which) {
    return run.measured().blocks().stream()
        .filter(block -> which == null || block.situation() == which)
        .mapToDouble(BlockWrite::seconds)
        .toArray();
  }

  private static double[] placed(List<WritesRun> runs) {
    return Arrays.stream(together(runs).placedBytes())
        .mapToDouble(bytes -> bytes / MEBIBYTE / runs.size())
        .toArray();
  }

  private void addLinkLoad(Page page, Results<WritesRun> results) {
    page.section("Received by racks, second by second")
        .heatKey("received by a rack from the core, %", "rack with background load");
    LinkLoadChart chart = new LinkLoadChart(layout.racks().size(), 1, layout.uplinkBytesPerSec());
    for (Contender contender : results.contenders()) {
      LinkLoadChart.Part part =
          new LinkLoadChart.Part("first seed", results.of(contender).get(0).uplinkWindows());
      String label = "Received by racks with " + contender.label() + " placement";
      page.part(contender.label()).chart(chart.of(label, List.of(part)).svg());
    }
    page.paragraph("From the shapers' counters, for the first seed.");
  }
}
