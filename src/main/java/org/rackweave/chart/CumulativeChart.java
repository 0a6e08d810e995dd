package org.rackweave.chart;

import java.util.Arrays;
import java.util.List;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Svg.Anchor;

/**
 * How many values of a sample are at most so large, on a logarithmic axis: the further left a line
 * runs, the smaller its values.
 *
 * @param label what is shown
 * @param unit of the values
 * @param series samples to compare, in any order; values above 0, an empty sample draws nothing
 * @param range least and greatest value on the axis, so that several charts can share theirs
 * @param width of the picture in pixels
 */
public record CumulativeChart(
    String label, String unit, List<Series> series, double[] range, double width) {

  private static final double HEIGHT = 230;
  private static final double LEFT = 44;
  private static final double RIGHT = 14;
  private static final double BOTTOM = 40;
  private static final double TOP = 24;
  private static final double LABEL_SPACE = 34;

  /** The range that holds all of {@code samples}, for values from a thousandth up. */
  public static double[] rangeOf(List<double[]> samples) {
    double min = Double.MAX_VALUE;
    double max = 0;
    for (double[] sample : samples) {
      for (double value : sample) {
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    }
    return max > 0
        ? new double[] {Math.max(1e-3, min), Math.max(2e-3, max)}
        : new double[] {0.1, 1};
  }

  /** Draws the chart. */
  public String svg() {
    Scale x = Scale.logarithmic(range[0], range[1], LEFT, width - RIGHT);
    Scale y = Scale.linear(100, HEIGHT - BOTTOM, TOP);
    Svg svg = new Svg(width, HEIGHT, label);
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), width - RIGHT, y.at(tick), tick == 0 ? "axis" : "grid");
      svg.text(LEFT - 8, y.at(tick) + 4, Anchor.END, "small", Scale.label(tick) + " %");
    }
    double labelled = 0;
    for (double tick : x.ticks()) {
      svg.line(x.at(tick), TOP, x.at(tick), HEIGHT - BOTTOM, "grid");
      if (x.at(tick) - labelled >= LABEL_SPACE) {
        labelled = x.at(tick);
        svg.text(labelled, HEIGHT - BOTTOM + 16, Anchor.MIDDLE, "small", Scale.label(tick));
      }
    }
    svg.text((LEFT + width) / 2, HEIGHT - 6, Anchor.MIDDLE, "small", unit);
    for (Series one : series) {
      svg.polyline(steps(one.values(), x, y), "line stroke-" + one.style());
    }
    Legend.draw(svg, series, width, TOP - 10);
    return svg.end();
  }

  private static double[] steps(double[] values, Scale x, Scale y) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double[] xy = new double[sorted.length * 4];
    for (int i = 0; i < sorted.length; i++) {
      xy[4 * i] = x.at(sorted[i]);
      xy[4 * i + 1] = y.at(100.0 * i / sorted.length);
      xy[4 * i + 2] = x.at(sorted[i]);
      xy[4 * i + 3] = y.at(100.0 * (i + 1) / sorted.length);
    }
    return xy;
  }
}
