package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.LinkLoadChart;
import org.rackweave.cli.experiment.Statistics;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.cli.testbed.Layout;

/** The page a person looks at after a comparison of writes. */
final class WritesReport {

  private static final double MEBIBYTE = 1 << 20;

  private final WritesResult result;
  private final Results<WritesRun> results;
  private final Layout layout;

  WritesReport(WritesResult result, Layout layout) {
    this.result = result;
    this.results = result.results();
    this.layout = layout;
  }

  String html() {
    Page page = new Page(headline());
    addTo(page);
    return page.html();
  }

  /** Adds all of it but the heading. */
  void addTo(Page page) {
    WritesSettings settings = result.settings();
    page.paragraph(
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. %d racks carried background load at any time,"
                + " other racks every %d seconds. On every DataNode's machine files of %.0f MiB began"
                + " %.2f times a second, whatever became of those before. Every policy met the same"
                + " arrivals and the same loaded racks, in turns; a time runs from the moment a write"
                + " was due.",
            results.facts().get("testbed"),
            settings.hotRacks(),
            settings.hotPeriodMs() / 1000,
            settings.blockBytes() / MEBIBYTE,
            settings.writesPerSec()));
    addFigures(page);
    addTimes(page);
    addLinkLoad(page);
    addPlaced(page);
    ResultPage.addRunsAndFacts(page, results, WritesTable.ofEveryRun());
  }

  /** The result in one sentence. */
  String headline() {
    for (Contender contender : results.compared()) {
      return String.format(
          Locale.ROOT,
          "Where the writer's rack is cold, %s writes a block %.1f times as fast as stock HDFS",
          contender.label(),
          result.beside(contender).runs().speedUp(WritesFigures.COLD_WRITER_MEAN).mean());
    }
    return "Block writes on a testbed";
  }

  private void addFigures(Page page) {
    for (Contender contender : results.compared()) {
      TextTable table = new WritesTable(result).beside(contender);
      page.section("Beside stock: " + contender.label()).table(table.head(), table.rows());
      page.paragraph(
          "In brackets the 95 % bootstrap interval over seeds. A hot target of stock counts as avoided"
              + " by as much as the policy's share of blocks that go from a cold writer to a hot rack"
              + " is below stock's. The ceiling is the speed-up of the overall mean if stock's blocks"
              + " from cold writers all took what those take that meet no hot rack.");
      TextTable classes = new WritesTable(result).classes(contender);
      page.part("By class").table(classes.head(), classes.rows());
      page.paragraph(
          "By the racks that are hot when a write is due, and by those that are hot at any moment"
              + " until it is done. A class is slower where even the upper end of its interval is below 1.");
    }
    ResultPage.addFigures(page, results, WritesFigures.ALL);
  }

  private void addTimes(Page page) {
    page.section("Block write times");
    List<String> classes = new ArrayList<>();
    for (Situation situation : Situation.values()) {
      classes.add(WritesFigures.label(situation));
    }
    List<Series> means = new ArrayList<>();
    for (Contender contender : results.contenders()) {
      WriteFigures figures = result.figures(contender);
      double[] values = new double[classes.size()];
      for (Situation situation : Situation.values()) {
        double mean = Statistics.mean(figures.bySituation().get(situation));
        values[situation.ordinal()] = Double.isFinite(mean) ? mean : 0;
      }
      means.add(ResultPage.series(contender, values));
    }
    page.chart(new GroupedBars("Mean write time by class", "s", classes, means).svg());
    page.chart(distribution("all blocks", WriteFigures::blockSeconds, 900));
    List<String> charts = new ArrayList<>();
    for (Situation situation : Situation.values()) {
      charts.add(
          distribution(
              WritesFigures.label(situation), one -> one.bySituation().get(situation), 320));
    }
    page.charts(classes, charts)
        .paragraph("Share of blocks written within a time, all seeds together.");
  }

  private String distribution(String what, Function<WriteFigures, double[]> seconds, double width) {
    List<Series> series = new ArrayList<>();
    List<double[]> all = new ArrayList<>();
    for (Contender contender : results.contenders()) {
      series.add(ResultPage.series(contender, seconds.apply(result.figures(contender))));
      all.add(result.figures(contender).blockSeconds());
    }
    double[] range = CumulativeChart.rangeOf(all);
    return new CumulativeChart("Block write times, " + what, "seconds", series, range, width).svg();
  }

  private void addLinkLoad(Page page) {
    page.section("Received by racks, second by second")
        .heatKey("what a rack receives from the core, of 100 %", "rack with background load");
    LinkLoadChart chart = new LinkLoadChart(layout.racks().size(), 1, layout.uplinkBytesPerSec());
    for (Contender contender : results.contenders()) {
      WritesRun first = results.runsOf(contender).get(0);
      LinkLoadChart.Part part =
          new LinkLoadChart.Part("seed " + first.seed(), first.uplinkWindows());
      String label = "Received by racks with " + contender.label() + " placement";
      page.part(contender.label()).chart(chart.of(label, List.of(part)).svg());
    }
    page.paragraph("From the shapers' counters, for the first seed.");
  }

  private void addPlaced(Page page) {
    List<String> nodes = layout.dataNodes().stream().map(host -> host.name()).toList();
    List<Series> series = new ArrayList<>();
    for (Contender contender : results.contenders()) {
      long[] placed = result.figures(contender).placedBytes();
      double[] mebibytes = new double[placed.length];
      for (int i = 0; i < placed.length; i++) {
        mebibytes[i] = placed[i] / MEBIBYTE / results.runsOf(contender).size();
      }
      series.add(ResultPage.series(contender, mebibytes));
    }
    page.section("Where the blocks went")
        .chart(new GroupedBars("Stored by DataNodes", "MiB", nodes, series).svg())
        .paragraph("Replicas by DataNode, mean over seeds.");
  }
}
