package org.rackweave.cli.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.chart.TimeChart;
import org.rackweave.chart.TimeChart.Line;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;
import org.rackweave.sim.statistics.Sample;

/**
 * All features beside none: the figures and the charts of both sides.
 *
 * @param outcomes of every side, one of each seed, stock's first
 */
public record SidesResult(Map<? extends Contender, List<SideOutcome>> outcomes) {
  private static final double WIDTH = 900;
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
    return String.format(
        Locale.ROOT,
        "With Rackweave a block is written %.1f times as fast as with stock HDFS, 99 %% of reads of"
            + " hot files end %.1f times as soon, and a byte that becomes part of a stripe takes %s"
            + " bytes across racks in place of %s",
        ratio(BLOCK_MEAN).mean(),
        ratio(READ_P99).mean(),
        CROSS_RACK.text(CROSS_RACK.spread(sides().get(1)).mean()),
        CROSS_RACK.text(CROSS_RACK.spread(sides().get(0)).mean()));
  }

  private List<List<SideOutcome>> sides() {
    return List.copyOf(outcomes.values());
  }

  private boolean isComparison() {
    return outcomes.size() == 2;
  }

  private Spread ratio(Figure<SideOutcome> figure) {
    return Spread.ofRatio(figure.bySeed(sides().get(0)), figure.bySeed(sides().get(1)));
  }

  /** The figures for people; where there are two sides, with stock's over the other's. */
  public TextTable table() {
    List<String> head = new ArrayList<>(List.of(""));
    outcomes.keySet().forEach(side -> head.add(side.label()));
    if (isComparison()) {
      head.add("ratio");
    }
    List<List<String>> rows = new ArrayList<>();
    for (Figure<SideOutcome> figure : FIGURES) {
      List<String> row = new ArrayList<>(List.of(figure.label()));
      outcomes.values().forEach(side -> row.add(figure.text(figure.spread(side))));
      if (isComparison()) {
        row.add(COMPARED.contains(figure) ? ratio(figure).text() : "");
      }
      rows.add(row);
    }
    return new TextTable(head, rows);
  }

  /** Adds the figures for programs: an object for each side under its name, means over seeds. */
  public void putTo(ObjectNode root) {
    outcomes.forEach(
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
        .chart(cumulative("Block write times", one -> one.writes().seconds()));
    page.heatKey("what a rack's DataNodes receive, of 100 %", "rack with background load");
    outcomes.forEach(
        (side, its) ->
            page.part(side.label())
                .chart(
                    links
                        .of(
                            "Link load by rack and second with " + side.label(),
                            List.of(
                                new LinkLoadChart.Part("writes", its.get(0).writes().windows())))
                        .svg()));
    page.section("A file gets hot")
        .chart(
            lines(
                "Mean time of reads by the second in which they were due",
                "seconds",
                one -> IntStream.range(0, one.reads().bySecond().length).asDoubleStream(),
                one -> one.reads().bySecond()))
        .chart(cumulative("Read times while the file is hot", one -> one.reads().seconds()));
    page.section("A DataNode dies")
        .chart(
            lines(
                "Blocks that lack a replica or a unit",
                "blocks",
                one -> one.recovery().watch().missing().stream().mapToDouble(Missing::seconds),
                one ->
                    one.recovery().watch().missing().stream()
                        .mapToDouble(Missing::blocks)
                        .toArray()))
        .paragraph(
            "Seconds run from the death. Until the NameNode knows of it, nothing lacks as far as it"
                + " can tell.");
  }

  private String cumulative(String label, Function<SideOutcome, double[]> seconds) {
    List<Series> series = new ArrayList<>();
    outcomes.forEach(
        (side, its) ->
            series.add(
                new Series(
                    side.label(),
                    side.colour(),
                    its.stream()
                        .flatMapToDouble(one -> Arrays.stream(seconds.apply(one)))
                        .toArray())));
    double[] range = CumulativeChart.rangeOf(series.stream().map(Series::values).toList());
    return new CumulativeChart(label, "seconds", series, range, WIDTH).svg();
  }

  private String lines(
      String label,
      String unit,
      Function<SideOutcome, DoubleStream> times,
      Function<SideOutcome, double[]> values) {
    List<Line> lines = new ArrayList<>();
    outcomes.forEach(
        (side, its) ->
            its.forEach(
                one -> lines.add(line(side, times.apply(one).toArray(), values.apply(one)))));
    return new TimeChart(label, unit, "seconds", lines).svg();
  }

  /** Seconds in which nothing was due have no value. */
  private static Line line(Contender side, double[] times, double[] values) {
    int[] known =
        IntStream.range(0, values.length).filter(i -> Double.isFinite(values[i])).toArray();
    return new Line(
        side.label(),
        side.colour(),
        IntStream.of(known).mapToDouble(i -> times[i]).toArray(),
        IntStream.of(known).mapToDouble(i -> values[i]).toArray());
  }
}
