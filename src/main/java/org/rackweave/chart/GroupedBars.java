package org.rackweave.chart;

import java.util.List;
import org.rackweave.chart.Svg.Anchor;
import org.rackweave.chart.Svg.Box;

/**
 * Bars side by side, one group for each name on the axis.
 *
 * @param label what is shown
 * @param unit of the values
 * @param groups names under the axis
 * @param series what is compared, each with a value for every group
 */
public record GroupedBars(String label, String unit, List<String> groups, List<Series> series) {

  private static final double WIDTH = 900;
  private static final double HEIGHT = 240;
  private static final double LEFT = 52;
  private static final double BOTTOM = 36;
  private static final double TOP = 22;

  /**
   * What is compared.
   *
   * @param style name of its colour in the page's style sheet
   */
  public record Series(String name, String style, double[] values) {}

  /** Draws the chart. */
  public String svg() {
    double max = 0;
    for (Series one : series) {
      for (double value : one.values()) {
        max = Math.max(max, value);
      }
    }
    Scale y = Scale.linear(max, HEIGHT - BOTTOM, TOP);
    Svg svg = new Svg(WIDTH, HEIGHT, label);
    svg.text(0, TOP - 10, Anchor.START, "small", unit);
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), WIDTH, y.at(tick), tick == 0 ? "axis" : "grid");
      svg.text(LEFT - 8, y.at(tick) + 4, Anchor.END, "small", Scale.label(tick));
    }
    double slot = (WIDTH - LEFT) / Math.max(1, groups.size());
    for (int group = 0; group < groups.size(); group++) {
      drawGroup(svg, y, group, LEFT + group * slot, slot);
    }
    Legend.draw(svg, series, WIDTH, TOP - 10);
    return svg.end();
  }

  private void drawGroup(Svg svg, Scale y, int group, double x, double slot) {
    double bar = slot * 0.72 / Math.max(1, series.size());
    double left = x + slot * 0.14;
    for (int i = 0; i < series.size(); i++) {
      Series one = series.get(i);
      double value = one.values()[group];
      double top = y.at(value);
      Box box = new Box(left + i * bar, top, bar - 2, y.at(0) - top);
      String title = groups.get(group) + ", " + one.name() + ": " + Scale.label(value) + " " + unit;
      svg.box(box, "fill-" + one.style(), 1, title);
    }
    svg.text(x + slot / 2, HEIGHT - BOTTOM + 18, Anchor.MIDDLE, "small", groups.get(group));
  }
}
