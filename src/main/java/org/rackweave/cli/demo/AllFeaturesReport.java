package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.chart.TimeChart;
import org.rackweave.chart.TimeChart.Line;
import org.rackweave.cli.experiment.LinkLoadChart;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;
import org.rackweave.cli.experiment.TextTable;

/** The page a person looks at after the demo of all features. */
final class AllFeaturesReport {
  private static final double WIDTH = 900;

  private final AllFeaturesResult result;
  private final AllFeaturesSettings settings;
  private final DemoSettings cluster;

  AllFeaturesReport(AllFeaturesResult result) {
    this.result = result;
    this.settings = result.settings();
    this.cluster = settings.cluster();
  }

  String html() {
    Page page = new Page(result.headline());
    page.paragraph(
        String.format(
            Locale.ROOT,
            "A real HDFS (%s) with %d racks of %d DataNodes ran in one process, with Rackweave as"
                + " conf/hdfs-site-rackweave.xml sets it, all features active, and again without"
                + " it. Both wrote the same files while block moves kept %.0f %% of the links of %d"
                + " racks busy, other racks every %d seconds; served the same reads, of which"
                + " %.0f %% went to one file from second %d on; turned a directory into %s stripes;"
                + " lost a DataNode; and read every byte back.",
            VersionInfo.getVersion(),
            cluster.racks(),
            cluster.nodesPerRack(),
            100 * (1 - cluster.foregroundShare()),
            cluster.hotRacks(),
            cluster.hotPeriodMs() / 1000,
            100 * settings.hotShare(),
            settings.hotFromMs() / 1000,
            settings.code()));
    TextTable table = result.table();
    page.section("Figures").table(table.head(), table.rows());
    page.paragraph(
        "The ratio is stock over Rackweave: more than 1 is less time or fewer bytes with Rackweave."
            + " A read's time runs from when it was due. Stock HDFS gets stripes by copying files"
            + " into a directory with an erasure coding policy; Rackweave encodes blocks where they"
            + " are. Bytes across racks are those that DataNodes tell of in their logs.");
    addWrites(page);
    addReads(page);
    addRecovery(page);
    addSettings(page);
    return page.html();
  }

  private void addWrites(Page page) {
    page.section("Writes under moving load")
        .chart(cumulative("Block write times", SideOutcome::blockSeconds));
    page.heatKey("what a rack's DataNodes receive, of 100 %", "rack with background load");
    LinkLoadChart links =
        new LinkLoadChart(cluster.racks(), cluster.nodesPerRack(), cluster.linkBytesPerSec());
    result
        .outcomes()
        .forEach(
            (side, outcome) ->
                page.part(side.label())
                    .chart(
                        links
                            .of(
                                "Link load by rack and second with " + side.label(),
                                List.of(new LinkLoadChart.Part("writes", outcome.windows())))
                            .svg()));
  }

  private void addReads(Page page) {
    page.section("A file gets hot")
        .chart(
            lines(
                "Mean time of reads by the second in which they were due",
                "seconds",
                outcome -> IntStream.range(0, outcome.readsBySecond().length).asDoubleStream(),
                SideOutcome::readsBySecond))
        .chart(cumulative("Read times while the file is hot", SideOutcome::readSeconds));
  }

  private void addRecovery(Page page) {
    page.section("A DataNode dies")
        .chart(
            lines(
                "Blocks that lack a replica or a unit",
                "blocks",
                outcome -> outcome.missing().stream().mapToDouble(Missing::seconds),
                outcome -> outcome.missing().stream().mapToDouble(Missing::blocks).toArray()))
        .paragraph(
            "Seconds run from the death. Until the NameNode knows of it, nothing lacks as far as it"
                + " can tell.");
  }

  private String cumulative(String label, Function<SideOutcome, double[]> seconds) {
    List<Series> series = new ArrayList<>();
    result
        .outcomes()
        .forEach(
            (side, outcome) ->
                series.add(new Series(side.label(), side.colour(), seconds.apply(outcome))));
    double[] range = CumulativeChart.rangeOf(series.stream().map(Series::values).toList());
    return new CumulativeChart(label, "seconds", series, range, WIDTH).svg();
  }

  private String lines(
      String label,
      String unit,
      Function<SideOutcome, java.util.stream.DoubleStream> times,
      Function<SideOutcome, double[]> values) {
    List<Line> lines = new ArrayList<>();
    result
        .outcomes()
        .forEach(
            (side, outcome) ->
                lines.add(line(side, times.apply(outcome).toArray(), values.apply(outcome))));
    return new TimeChart(label, unit, "seconds", lines).svg();
  }

  /** Seconds in which nothing was due have no value. */
  private static Line line(Side side, double[] times, double[] values) {
    int[] known =
        IntStream.range(0, values.length).filter(i -> Double.isFinite(values[i])).toArray();
    return new Line(
        side.label(),
        side.colour(),
        IntStream.of(known).mapToDouble(i -> times[i]).toArray(),
        IntStream.of(known).mapToDouble(i -> values[i]).toArray());
  }

  private void addSettings(Page page) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("seed", String.valueOf(result.seed())));
    rows.add(List.of("files from", result.input().toString()));
    rows.add(List.of("link of a DataNode", DemoReport.rate(cluster.linkBytesPerSec())));
    rows.add(
        List.of(
            "left for writes on a hot DataNode", DemoReport.rate(cluster.hotWriteBytesPerSec())));
    rows.add(List.of("offered by all writers", DemoReport.rate(cluster.offeredBytesPerSec())));
    rows.add(List.of("reads in a second", text(settings.readsPerSec())));
    rows.add(List.of("block size", FiguresTable.mebibytes(cluster.blockBytes())));
    rows.add(
        List.of(
            "files that become stripes",
            settings.warehouseFiles() + " of " + settings.dataUnits() + " blocks"));
    rows.add(List.of("blocks on the DataNode that dies, at least", text(settings.lostFiles())));
    Side.minutesAsSeconds().forEach((key, value) -> rows.add(List.of(key, value)));
    page.section("Settings").table(List.of("", ""), rows);
    page.paragraph(
        "Rackweave's periods of minutes and hours are seconds here, as the demo lasts no longer."
            + " bin/rackweave demo --seed "
            + result.seed()
            + " repeats the run.");
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
