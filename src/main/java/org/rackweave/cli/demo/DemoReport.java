package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.chart.HeatMap;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.LinkLoadChart;

/** The page a person looks at after the demo. */
final class DemoReport {

  private static final double MEBIBYTE = 1 << 20;

  private final DemoResult result;
  private final DemoSettings settings;
  private final ContenderRuns<PolicyFigures> policies;

  DemoReport(DemoResult result) {
    this.result = result;
    this.settings = result.settings();
    this.policies = result.byPolicy();
  }

  String html() {
    Page page = new Page(headline(result));
    page.paragraph(
        String.format(
            Locale.ROOT,
            "A real HDFS (%s) with %d racks of %d DataNodes ran in one process. Block moves kept"
                + " %.0f %% of the links of %d racks busy, other racks every %d seconds. Writers"
                + " copied real files meanwhile; each round was run again with the same files,"
                + " writers and loaded racks for the other policy.",
            VersionInfo.getVersion(),
            settings.racks(),
            settings.nodesPerRack(),
            100 * (1 - settings.foregroundShare()),
            settings.hotRacks(),
            settings.hotPeriodMs() / 1000));
    addFigures(page);
    addLinkLoad(page);
    addPlaced(page);
    addWriteTimes(page);
    addSettings(page);
    return page.html();
  }

  /** The result in one sentence. */
  static String headline(DemoResult result) {
    double speedUp = result.speedUp();
    if (Double.isFinite(speedUp)) {
      return String.format(
          Locale.ROOT, "Sinbad writes a block %.1f times as fast as stock HDFS", speedUp);
    }
    return "Block writes with " + result.options().policies().get(0).label() + " placement";
  }

  private void addFigures(Page page) {
    TextTable table = result.table();
    page.section("Figures").table(table.head(), table.rows());
    page.paragraph(
        "A block's time runs from asking the NameNode for it to the last DataNode's"
            + " acknowledgement. Writer and targets are hot or free when the block is asked for; a"
            + " writer on a hot DataNode keeps its first replica there under both policies, so"
            + " placement cannot help it much. The ratio is stock over Sinbad.");
  }

  private void addLinkLoad(Page page) {
    page.section("Link load by rack")
        .heatKey("received by a rack's DataNodes, %", "rack with background load");
    for (Placement policy : result.options().policies()) {
      page.part(policy.label()).chart(linkLoad(policy).svg());
    }
    page.paragraph("One column is one second, measured by the DataNodes' own byte counters.");
  }

  private HeatMap linkLoad(Placement policy) {
    List<LinkLoadChart.Part> parts =
        result.roundsOf(policy).stream()
            .map(round -> new LinkLoadChart.Part("round " + (round.pair() + 1), round.windows()))
            .toList();
    return new LinkLoadChart(settings.racks(), settings.nodesPerRack(), settings.linkBytesPerSec())
        .of("Link load by rack and second with " + policy.label() + " placement", parts);
  }

  private void addPlaced(Page page) {
    List<String> nodes = new ArrayList<>();
    for (int node = 0; node < settings.nodes(); node++) {
      int rack = settings.rackOf(node);
      nodes.add((rack + 1) + " " + (char) ('a' + node - rack * settings.nodesPerRack()));
    }
    page.section("Where the blocks went")
        .chart(policies.bars("Replicas by DataNode", "MiB", nodes, DemoReport::placedMebibytes))
        .paragraph("Replicas placed on each DataNode, named by rack and DataNode, in all rounds.");
  }

  private void addWriteTimes(Page page) {
    page.section("Block write times")
        .chart(writeTimes("all blocks", one -> one.writes().blockSeconds(), 900));
    List<String> headings = new ArrayList<>();
    List<String> charts = new ArrayList<>();
    for (Situation situation : Situation.values()) {
      headings.add(situation.label());
      charts.add(
          writeTimes(situation.label(), one -> one.writes().bySituation().get(situation), 320));
    }
    page.charts(headings, charts)
        .paragraph(
            "Share of blocks written within a time. Under each class only its own blocks count, and"
                + " Sinbad turns blocks of the second class into blocks of the first.");
  }

  private String writeTimes(String what, Function<PolicyFigures, double[]> seconds, double width) {
    double[] range = policies.range(List.of(one -> one.writes().blockSeconds()));
    return policies.distribution("Block write times, " + what, range, width, seconds);
  }

  private void addSettings(Page page) {
    List<List<String>> rows =
        load(settings, result.options().seed(), result.options().input().toString());
    rows.add(
        List.of(
            "writers", "one on every DataNode, " + settings.outsiders() + " outside the cluster"));
    rows.add(List.of("block size, replicas", block()));
    rows.add(List.of("rounds of each policy", String.valueOf(settings.roundPairs())));
    rows.add(List.of("heartbeat", settings.heartbeatMs() + " ms"));
    rows.add(List.of("racks loaded, period by period", periods(result.schedule())));
    page.section("Settings").table(List.of("", ""), rows);
    page.paragraph("bin/rackweave demo --seed " + result.options().seed() + " repeats the run.");
  }

  private String block() {
    return mebibytes(settings.blockBytes()) + ", " + DemoSettings.REPLICATION;
  }

  /** What is written under which load. */
  static List<List<String>> load(DemoSettings settings, long seed, String input) {
    return new ArrayList<>(
        List.of(
            List.of("seed", String.valueOf(seed)),
            List.of("files from", input),
            List.of("link of a DataNode", rate(settings.linkBytesPerSec())),
            List.of("left for writes on a hot DataNode", rate(settings.hotWriteBytesPerSec())),
            List.of("offered by all writers", rate(settings.offeredBytesPerSec()))));
  }

  /** Every period's racks as people count them, from 1. */
  static String periods(HotSchedule schedule) {
    return String.join(
        ", ",
        schedule.periods().stream()
            .map(
                racks ->
                    String.join("+", racks.stream().map(rack -> String.valueOf(rack + 1)).toList()))
            .toList());
  }

  private static double[] placedMebibytes(List<PolicyFigures> figures) {
    return Arrays.stream(figures.get(0).writes().placedBytes())
        .mapToDouble(bytes -> bytes / MEBIBYTE)
        .toArray();
  }

  static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
  }

  static String rate(double bytesPerSec) {
    return String.format(Locale.ROOT, "%.1f MiB/s", bytesPerSec / MEBIBYTE);
  }
}
