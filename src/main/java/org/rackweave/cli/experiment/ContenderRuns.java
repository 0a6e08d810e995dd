package org.rackweave.cli.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.TimeChart;
import org.rackweave.cli.TextTable;

/**
 * What was measured of contenders, and the tables and charts that show all of them.
 *
 * @param <M> what is measured of a run
 * @param byContender runs of each by seed; contenders in the order in which they are shown
 */
public record ContenderRuns<M>(Map<? extends Contender, List<M>> byContender) {
  private static final double WIDTH = 900;

  /** Every figure of each: mean over seeds, and standard deviation between them. */
  public TextTable figures(List<Figure<M>> figures) {
    return figures(figures, List.of());
  }

  /**
   * The same; where there are two contenders, with the first's figure over the second's.
   *
   * @param compared the figures that are compared
   */
  public TextTable figures(List<Figure<M>> figures, List<Figure<M>> compared) {
    boolean hasRatio = !compared.isEmpty() && byContender.size() == 2;
    List<String> head = new ArrayList<>(List.of(""));
    byContender.keySet().forEach(contender -> head.add(contender.label()));
    head.addAll(hasRatio ? List.of("ratio") : List.of());
    List<List<String>> rows = new ArrayList<>();
    for (Figure<M> figure : figures) {
      List<String> row = new ArrayList<>(List.of(figure.label()));
      byContender.values().forEach(runs -> row.add(figure.text(figure.spread(runs))));
      if (hasRatio) {
        row.add(compared.contains(figure) ? ratio(figure).text() : "");
      }
      rows.add(row);
    }
    return new TextTable(head, rows);
  }

  /** The first contender's figure over the second's. */
  public Spread ratio(Figure<M> figure) {
    List<List<M>> both = List.copyOf(byContender.values());
    return Spread.ofRatio(figure.bySeed(both.get(0)), figure.bySeed(both.get(1)));
  }

  /** How values of each are distributed, all seeds together. */
  public String distribution(
      String label, double[] range, double width, Function<M, double[]> values) {
    List<Series> series = new ArrayList<>();
    byContender.forEach(
        (contender, runs) -> {
          double[] all = runs.stream().map(values).flatMapToDouble(Arrays::stream).toArray();
          series.add(new Series(contender.label(), contender.colour(), all));
        });
    return new CumulativeChart(label, "seconds", series, range, width).svg();
  }

  /** The same on a page's full width, as wide a range as it takes. */
  public String distribution(String label, Function<M, double[]> values) {
    return distribution(label, range(List.of(values)), WIDTH, values);
  }

  /** The range of several such charts. */
  public double[] range(List<Function<M, double[]>> all) {
    return CumulativeChart.rangeOf(
        byContender.values().stream()
            .flatMap(List::stream)
            .flatMap(run -> all.stream().map(values -> values.apply(run)))
            .toList());
  }

  /**
   * One line for every run.
   *
   * @param values at these times; one that is NaN is left out
   */
  public String lines(
      String label,
      String unit,
      String time,
      Function<M, double[]> times,
      Function<M, double[]> values) {
    List<TimeChart.Line> lines = new ArrayList<>();
    byContender.forEach(
        (contender, runs) ->
            runs.forEach(run -> lines.add(line(contender, times.apply(run), values.apply(run)))));
    return new TimeChart(label, unit, time, lines).svg();
  }

  private static TimeChart.Line line(Contender contender, double[] times, double[] values) {
    int[] known =
        IntStream.range(0, values.length).filter(i -> Double.isFinite(values[i])).toArray();
    return new TimeChart.Line(
        contender.label(),
        contender.colour(),
        IntStream.of(known).mapToDouble(i -> times[i]).toArray(),
        IntStream.of(known).mapToDouble(i -> values[i]).toArray());
  }

  /** Bars of each contender's values, group by group. */
  public String bars(
      String label, String unit, List<String> groups, Function<List<M>, double[]> values) {
    List<Series> series = new ArrayList<>();
    byContender.forEach(
        (contender, runs) ->
            series.add(new Series(contender.label(), contender.colour(), values.apply(runs))));
    return new GroupedBars(label, unit, groups, series).svg();
  }
}
