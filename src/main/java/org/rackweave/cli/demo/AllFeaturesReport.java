package org.rackweave.cli.demo;

import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.LinkLoadChart;

/** The page a person looks at after the demo of all features. */
final class AllFeaturesReport {

  private final AllFeaturesResult result;
  private final AllFeaturesSettings settings;
  private final DemoSettings cluster;

  AllFeaturesReport(AllFeaturesResult result) {
    this.result = result;
    this.settings = result.settings();
    this.cluster = settings.cluster();
  }

  String html() {
    Page page = new Page(result.sides().headline());
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
    TextTable table = result.sides().table();
    page.section("Figures").table(table.head(), table.rows());
    page.paragraph(
        "The ratio is stock over Rackweave: more than 1 is less time or fewer bytes with"
            + " Rackweave. Bytes across racks are taken from the DataNodes' logs.");
    result
        .sides()
        .addTo(
            page,
            new LinkLoadChart(cluster.racks(), cluster.nodesPerRack(), cluster.linkBytesPerSec()));
    addSettings(page);
    return page.html();
  }

  private void addSettings(Page page) {
    List<List<String>> rows = DemoReport.load(cluster, result.seed(), result.input().toString());
    rows.add(List.of("reads in a second", text(settings.readsPerSec())));
    rows.add(List.of("block size", DemoReport.mebibytes(cluster.blockBytes())));
    rows.add(
        List.of(
            "files that become stripes",
            settings.warehouseFiles() + " of " + settings.dataUnits() + " blocks"));
    rows.add(List.of("blocks on the DataNode that dies, at least", text(settings.lostFiles())));
    SideProperties.minutesAsSeconds().forEach((key, value) -> rows.add(List.of(key, value)));
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
