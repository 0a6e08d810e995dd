package org.rackweave.chart;

import java.util.List;
import org.rackweave.chart.Svg.Anchor;
import org.rackweave.chart.Svg.Box;

/** The key to a chart's colours, in its upper right corner. */
final class Legend {

  private static final double LEAST = 84;
  private static final double AROUND = 34;
  private static final double LETTER = 6.6;

  private Legend() {}

  static void draw(Svg svg, List<GroupedBars.Series> series, double right, double y) {
    double x = right - series.stream().mapToDouble(Legend::width).sum();
    for (GroupedBars.Series one : series) {
      svg.box(new Box(x, y - 9, 10, 10), "fill-" + one.style(), 1, null);
      svg.text(x + 16, y, Anchor.START, "small", one.name());
      x += width(one);
    }
  }

  private static double width(GroupedBars.Series one) {
    return Math.max(LEAST, AROUND + LETTER * one.name().length());
  }
}
