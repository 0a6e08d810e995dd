package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.LinkLoadChart;
import org.rackweave.cli.experiment.Statistics;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;

/** The page a person looks at after a comparison of writes. */
final class WritesReport {

  private static final double MEBIBYTE = 1 << 20;

  private final WritesResult result;
  private final Layout layout;

  WritesReport(WritesResult result, Layout layout) {
    this.result = result;
    this.layout = layout;
  }

  String html() {
    Page page = new Page(headline());
    WritesSettings settings = result.settings();
    page.paragraph(
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. %d racks carried background load at any time,"
                + " other racks every %d seconds. On every DataNode's machine files of %.0f MiB began"
                + " %.1f times a second, whatever became of those before. Every policy met the same"
                + " arrivals and the same loaded racks, in turns; a time runs from the moment a write"
                + " was due.",
            result.facts().get("testbed"),
            settings.hotRacks(),
            settings.hotPeriodMs() / 1000,
            settings.blockBytes() / MEBIBYTE,
            settings.writesPerSec()));
    addFigures(page);
    addTimes(page);
    addLinkLoad(page);
    addPlaced(page);
    addRuns(page);
    addFacts(page);
    return page.html();
  }

  /** The result in one sentence. */
  String headline() {
    for (TestbedPolicy policy : result.compared()) {
      return String.format(
          Locale.ROOT,
          "From a cold rack, %s writes a block %.1f times as fast as stock HDFS",
          policy.label(),
          result.comparison(policy).speedUp(Figure.COLD_WRITER_MEAN).mean());
    }
    return "Block writes on a testbed";
  }

  private void addFigures(Page page) {
    for (TestbedPolicy policy : result.compared()) {
      TextTable table = new WritesTable(result).comparison(policy);
      page.section("Beside stock: " + policy.label()).table(table.head(), table.rows());
      page.paragraph(
          "In brackets the 95 % bootstrap interval over seeds. A hot target of stock counts as avoided"
              + " by as much as the policy's share of blocks that go from a cold writer to a hot rack"
              + " is below stock's. The ceiling is the speed-up of the overall mean if stock's blocks"
              + " from cold writers all took what those take that meet no hot rack.");
    }
    TextTable figures = new WritesTable(result).figures();
    page.section("Figures").table(figures.head(), figures.rows());
    page.paragraph("Mean over seeds and standard deviation between them.");
  }

  private void addTimes(Page page) {
    page.section("Block write times");
    List<String> classes = new ArrayList<>();
    for (Situation situation : Situation.values()) {
      classes.add(situation.label());
    }
    List<Series> means = new ArrayList<>();
    for (TestbedPolicy policy : result.policies()) {
      WriteFigures figures = result.figures(policy);
      double[] values = new double[classes.size()];
      for (Situation situation : Situation.values()) {
        double mean = Statistics.mean(figures.bySituation().get(situation));
        values[situation.ordinal()] = Double.isFinite(mean) ? mean : 0;
      }
      means.add(series(policy, values));
    }
    page.chart(new GroupedBars("Mean write time by class", "s", classes, means).svg());
    page.chart(distribution("all blocks", WriteFigures::blockSeconds, 900));
    List<String> charts = new ArrayList<>();
    for (Situation situation : Situation.values()) {
      charts.add(distribution(situation.label(), one -> one.bySituation().get(situation), 320));
    }
    page.charts(classes, charts)
        .paragraph("Share of blocks written within a time, all seeds together.");
  }

  private String distribution(String what, Function<WriteFigures, double[]> seconds, double width) {
    List<Series> series = new ArrayList<>();
    List<double[]> all = new ArrayList<>();
    for (TestbedPolicy policy : result.policies()) {
      series.add(series(policy, seconds.apply(result.figures(policy))));
      all.add(result.figures(policy).blockSeconds());
    }
    double[] range = CumulativeChart.rangeOf(all);
    return new CumulativeChart("Block write times, " + what, "seconds", series, range, width).svg();
  }

  private void addLinkLoad(Page page) {
    page.section("Received by racks, second by second")
        .heatKey(
            "what a rack's DataNodes receive, of what its uplink carries",
            "rack with background load");
    int nodes = layout.racks().get(0).dataNodes().size();
    LinkLoadChart chart =
        new LinkLoadChart(
            layout.racks().size(), nodes, (double) layout.uplinkBytesPerSec() / nodes);
    for (TestbedPolicy policy : result.policies()) {
      WritesRun first = result.runsOf(policy).get(0);
      String label = "Received by racks with " + policy.label() + " placement";
      page.part(policy.label())
          .chart(
              chart
                  .of(
                      label,
                      List.of(new LinkLoadChart.Part("seed " + first.seed(), first.nodeWindows())))
                  .svg());
    }
    page.paragraph(
        "From the shapers' counters. A block's second copy in a rack comes from the first and does not"
            + " pass the uplink, so a rack can receive more than its uplink carries.");
  }

  private void addPlaced(Page page) {
    List<String> nodes = layout.dataNodes().stream().map(host -> host.name()).toList();
    List<Series> series = new ArrayList<>();
    for (TestbedPolicy policy : result.policies()) {
      long[] placed = result.figures(policy).placedBytes();
      double[] mebibytes = new double[placed.length];
      for (int i = 0; i < placed.length; i++) {
        mebibytes[i] = placed[i] / MEBIBYTE / result.runsOf(policy).size();
      }
      series.add(series(policy, mebibytes));
    }
    page.section("Where the blocks went")
        .chart(new GroupedBars("Stored by DataNodes", "MiB", nodes, series).svg())
        .paragraph("Replicas by DataNode, mean over seeds.");
  }

  private void addRuns(Page page) {
    TextTable runs = new WritesTable(result).runs();
    page.section("Runs").table(runs.head(), runs.rows());
    page.paragraph(
        String.format(
            Locale.ROOT,
            "A run is repeated, %d times at most, when others use more than %.0f %% of the processors"
                + " while it lasts; %d were. Foreign and busy are shares of all processors' time.",
            result.trials().repeatsMax(),
            100 * result.trials().foreignCpuLimit(),
            result.rejected().size()));
  }

  private void addFacts(Page page) {
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, String> fact : result.facts().entrySet()) {
      rows.add(List.of(fact.getKey(), fact.getValue()));
    }
    rows.add(
        List.of(
            "background load",
            result.settings().flowsPerRack()
                + " connections each way and hot rack, at "
                + result.origin().name().toLowerCase(Locale.ROOT)));
    page.section("Measured on").table(List.of("", ""), rows);
  }

  private static Series series(TestbedPolicy policy, double[] values) {
    return new Series(policy.label(), policy.label(), values);
  }
}
