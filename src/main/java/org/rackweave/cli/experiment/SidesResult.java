package org.rackweave.cli.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;
import org.rackweave.sim.statistics.Sample;

/**
 * All features beside none: the figures and the charts of both sides.
 *
 * @param sides stock first
 */
public record SidesResult(ContenderRuns<SideOutcome> sides) {
  private static final Figure<SideOutcome> BLOCK_MEAN =
      new Figure<>(
          "block_write_mean_s",
          "writes under moving load: a block, mean",
          "%.3f s",
          one -> new Sample(one.writes().seconds()).mean());
  private static final Figure<SideOutcome> READ_P99 =
      new Figure<>("read_p99_s", "  99th percentile", "%.3f s", SideOutcome::readP99Seconds);
  private static final Figure<SideOutcome> CROSS_RACK =
      new Figure<>(
          "cross_rack_bytes_per_encoded_byte",
          "files become stripes: bytes across racks per byte",
          "%.2f",
          SideOutcome::crossRackBytesPerEncodedByte);
  private static final Figure<SideOutcome> REBUILD =
      new Figure<>(
          "rebuild_s",
          "  from then until every block is whole",
          "%.1f s",
          one -> one.recovery().watch().rebuildSeconds());

  private static final Figure<SideOutcome> BLOCK_P95 =
      new Figure<>(
          "block_write_p95_s",
          "  95th percentile",
          "%.3f s",
          one -> new Sample(one.writes().seconds()).quantile(0.95));
  private static final Figure<SideOutcome> READ_MEAN =
      new Figure<>(
          "read_mean_s",
          "reads while a file is hot: mean",
          "%.3f s",
          one -> new Sample(one.reads().seconds()).mean());
  private static final Figure<SideOutcome> ENCODE_TIME =
      new Figure<>("encode_s", "  time", "%.1f s", one -> one.encoded().seconds());
  private static final Figure<SideOutcome> DEGRADED =
      new Figure<>(
          "degraded_read_mean_s",
          "a DataNode dies: reads of striped files, mean",
          "%.3f s",
          one -> new Sample(one.recovery().degradedSeconds()).mean());
  private static final Figure<SideOutcome> STORED =
      new Figure<>(
          "stored_bytes_per_byte",
          "stored bytes per byte",
          "%.2f",
          one -> (double) one.kept().storedBytes() / one.kept().fileBytes());

  /** Bytes that did not read back as they were written. */
  public static final Figure<SideOutcome> LOST =
      Figure.count("bytes_lost", "bytes lost", one -> one.kept().lostBytes());

  /** Shown of every run where there are several. */
  public static final List<Figure<SideOutcome>> OF_EVERY_RUN =
      List.of(
          BLOCK_MEAN.labelled("block write, mean"),
          READ_P99.labelled("read, p99"),
          CROSS_RACK.labelled("bytes across racks per byte"),
          REBUILD.labelled("rebuild"),
          LOST);

  /** All, in the order in which they are shown. */
  public static final List<Figure<SideOutcome>> FIGURES =
      List.of(
          BLOCK_MEAN,
          BLOCK_P95,
          Figure.count("blocks", "  blocks", one -> one.writes().blocks().size()),
          Figure.number("hot_target_avoided", "  sent to no hot target", SidesResult::avoided),
          READ_MEAN,
          READ_P99,
          Figure.count("reads", "  reads", one -> one.reads().seconds().length),
          Figure.count("hot_file_replicas", "  replicas of the hot file", SideOutcome::hotReplicas),
          CROSS_RACK,
          ENCODE_TIME,
          Figure.bytes("bytes_encoded", "  data encoded", one -> one.encoded().bytes()),
          DEGRADED,
          new Figure<>(
              "detection_s",
              "  until it counts as dead",
              "%.1f s",
              one -> one.recovery().watch().detectionSeconds()),
          REBUILD,
          STORED,
          Figure.bytes(
              "bytes_verified",
              "read back as it was written",
              one -> one.kept().fileBytes() - one.kept().lostBytes()),
          LOST,
          Figure.count(
              "reads_failed",
              "reads that failed",
              one -> one.reads().failed() + one.recovery().failed()),
          Figure.count("fallbacks", "decisions left to stock", SideOutcome::fallbacks));

  /** Those of which less is better, shown beside stock's. */
  public static final List<Figure<SideOutcome>> COMPARED =
      List.of(
          BLOCK_MEAN,
          BLOCK_P95,
          READ_MEAN,
          READ_P99,
          CROSS_RACK,
          ENCODE_TIME,
          DEGRADED,
          REBUILD,
          STORED);

  private static double avoided(SideOutcome one) {
    return one.writes().blocks().stream()
        .mapToDouble(block -> block.targetHot() ? 0 : 1)
        .average()
        .orElse(Double.NaN);
  }

  /** The result in one sentence. */
  public String headline() {
    if (!isComparison()) {
      return "All features at once";
    }
    List<String> crossRack =
        sides.byContender().values().stream()
            .map(runs -> CROSS_RACK.text(CROSS_RACK.spread(runs).mean()))
            .toList();
    return String.format(
        Locale.ROOT,
        "With Rackweave a block is written %.1f times as fast as with stock HDFS, 99 %% of reads of"
            + " hot files end %.1f times as soon, and a byte that becomes part of a stripe takes %s"
            + " bytes across racks in place of %s",
        sides.ratio(BLOCK_MEAN).mean(),
        sides.ratio(READ_P99).mean(),
        crossRack.get(1),
        crossRack.get(0));
  }

  private boolean isComparison() {
    return sides.byContender().size() == 2;
  }

  /** The figures for people; where there are two sides, with stock's over the other's. */
  public TextTable table() {
    return sides.figures(FIGURES, COMPARED);
  }

  /** Adds the figures for programs: an object for each side under its name, means over seeds. */
  public void putTo(ObjectNode root) {
    sides
        .byContender()
        .forEach(
            (side, its) -> {
              ObjectNode node = root.with(side.label());
              FIGURES.forEach(one -> FiguresJson.put(node, one.key(), one.spread(its).mean()));
            });
  }

  /**
   * Adds charts.
   *
   * @param links how the links of DataNodes are drawn
   */
  public void addTo(Page page, LinkLoadChart links) {
    page.paragraph(
        "A read's time runs from when it was due. Stock HDFS gets stripes by copying files into a"
            + " directory with an erasure coding policy; Rackweave encodes blocks where they are.");
    page.section("Writes under moving load")
        .chart(sides.distribution("Block write times", one -> one.writes().seconds()));
    page.heatKey("received by a rack's DataNodes, %", "rack with background load");
    sides
        .byContender()
        .forEach(
            (side, its) ->
                page.part(side.label())
                    .chart(
                        links
                            .of(
                                "Link load by rack and second with " + side.label(),
                                List.of(
                                    new LinkLoadChart.Part(
                                        "writes", its.get(0).writes().windows())))
                            .svg()));
    page.section("A file gets hot")
        .chart(
            sides.lines(
                "Mean time of reads by the second in which they were due",
                "seconds",
                "seconds",
                one -> IntStream.range(0, one.reads().bySecond().length).asDoubleStream().toArray(),
                one -> one.reads().bySecond()))
        .chart(
            sides.distribution("Read times while the file is hot", one -> one.reads().seconds()));
    page.section("A DataNode dies")
        .chart(
            sides.lines(
                "Blocks that lack a replica or a unit",
                "blocks",
                "seconds",
                one ->
                    one.recovery().watch().missing().stream()
                        .mapToDouble(Missing::seconds)
                        .toArray(),
                one ->
                    one.recovery().watch().missing().stream()
                        .mapToDouble(Missing::blocks)
                        .toArray()))
        .paragraph(
            "Seconds since the death. Until the NameNode notices it, no replica counts as"
                + " missing.");
  }
}
