package org.rackweave.chart;

import java.util.List;
import org.rackweave.chart.Svg.Anchor;

/**
 * Values over time as lines.
 *
 * @param label what is shown
 * @param unit of the values
 * @param timeUnit of the times
 * @param lines what is compared
 */
public record TimeChart(String label, String unit, String timeUnit, List<Line> lines) {

  private static final double WIDTH = 900;
  private static final double HEIGHT = 240;
  private static final double LEFT = 52;
  private static final double RIGHT = 14;
  private static final double BOTTOM = 40;
  private static final double TOP = 24;

  /**
   * One line.
   *
   * @param name in the legend; lines of the same name share their entry
   * @param style name of its colour in the page's style sheet
   * @param times ascending, from 0
   * @param values at these times, at least 0
   */
  public record Line(String name, String style, double[] times, double[] values) {}

  /** Draws the chart. */
  public String svg() {
    Scale x = Scale.linear(largest(true), LEFT, WIDTH - RIGHT);
    Scale y = Scale.linear(largest(false), HEIGHT - BOTTOM, TOP);
    Svg svg = new Svg(WIDTH, HEIGHT, label);
    svg.text(0, TOP - 10, Anchor.START, "small", unit);
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick), tick == 0 ? "axis" : "grid");
      svg.text(LEFT - 8, y.at(tick) + 4, Anchor.END, "small", Scale.label(tick));
    }
    for (double tick : x.ticks()) {
      svg.line(x.at(tick), TOP, x.at(tick), HEIGHT - BOTTOM, tick == 0 ? "axis" : "grid");
      svg.text(x.at(tick), HEIGHT - BOTTOM + 16, Anchor.MIDDLE, "small", Scale.label(tick));
    }
    svg.text((LEFT + WIDTH) / 2, HEIGHT - 6, Anchor.MIDDLE, "small", timeUnit);
    for (Line line : lines) {
      double[] xy = new double[2 * line.times().length];
      for (int i = 0; i < line.times().length; i++) {
        xy[2 * i] = x.at(line.times()[i]);
        xy[2 * i + 1] = y.at(line.values()[i]);
      }
      svg.polyline(xy, "line stroke-" + line.style());
    }
    Legend.draw(svg, entries(), WIDTH, TOP - 10);
    return svg.end();
  }

  private List<GroupedBars.Series> entries() {
    return lines.stream()
        .map(line -> List.of(line.name(), line.style()))
        .distinct()
        .map(entry -> new GroupedBars.Series(entry.get(0), entry.get(1), new double[0]))
        .toList();
  }

  private double largest(boolean times) {
    double largest = 0;
    for (Line line : lines) {
      for (double value : times ? line.times() : line.values()) {
        largest = Math.max(largest, value);
      }
    }
    return largest;
  }
}
