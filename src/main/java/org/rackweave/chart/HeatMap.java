package org.rackweave.chart;

import java.util.List;
import java.util.Locale;
import org.rackweave.chart.Svg.Anchor;
import org.rackweave.chart.Svg.Box;

/**
 * Values over time, one row each: the fuller, the stronger the colour. Cells can carry a mark,
 * drawn as a frame around all neighbours in a row that carry it.
 *
 * @param label what is shown
 * @param rows names of the rows
 * @param values by row, then by column, 0 to 1; NaN leaves a gap
 * @param marked by row, then by column
 * @param sections what groups of columns are called, in order
 * @param columns what single columns are called when the pointer rests on them
 */
public record HeatMap(
    String label,
    List<String> rows,
    double[][] values,
    boolean[][] marked,
    List<Section> sections,
    List<String> columns) {

  private static final double WIDTH = 900;
  private static final double LEFT = 64;
  private static final double TOP = 22;
  private static final double ROW_HEIGHT = 20;
  private static final double ROW_GAP = 3;
  private static final double SECTION_GAP = 6;

  /**
   * A group of columns, set a little apart from its neighbours.
   *
   * @param columns how many
   */
  public record Section(String name, int columns) {}

  /** Draws the chart. */
  public String svg() {
    double height = TOP + rows.size() * (ROW_HEIGHT + ROW_GAP) + 4;
    Svg svg = new Svg(WIDTH, height, label);
    double[] x = columnStarts();
    double cell = cellWidth();
    int column = 0;
    for (Section section : sections) {
      svg.text(x[column], TOP - 8, Anchor.START, "small", section.name());
      column += section.columns();
    }
    for (int row = 0; row < rows.size(); row++) {
      double y = TOP + row * (ROW_HEIGHT + ROW_GAP);
      svg.text(LEFT - 8, y + ROW_HEIGHT * 0.7, Anchor.END, "small", rows.get(row));
      for (int c = 0; c < columns.size(); c++) {
        drawCell(svg, row, c, new Box(x[c], y, cell, ROW_HEIGHT));
      }
      drawMarks(svg, row, x, y);
    }
    return svg.end();
  }

  private void drawCell(Svg svg, int row, int column, Box box) {
    double value = values[row][column];
    if (Double.isNaN(value)) {
      return;
    }
    double shade = Math.min(1, Math.max(0, value));
    String title =
        String.format(
            Locale.ROOT, "%s, %s: %.0f %%", rows.get(row), columns.get(column), 100 * value);
    svg.box(box, "heat-ground", 1, null).box(box, "heat", shade, title);
  }

  private void drawMarks(Svg svg, int row, double[] x, double y) {
    int begin = -1;
    for (int c = 0; c <= columns.size(); c++) {
      boolean on = c < columns.size() && marked[row][c];
      boolean apart = c > 0 && c < columns.size() && x[c] - x[c - 1] > cellWidth() + 0.01;
      if (begin >= 0 && (!on || apart)) {
        double width = x[c - 1] + cellWidth() - x[begin];
        svg.box(new Box(x[begin], y, width, ROW_HEIGHT), "mark", 1, null);
        begin = -1;
      }
      if (on && begin < 0) {
        begin = c;
      }
    }
  }

  private double cellWidth() {
    double gaps = SECTION_GAP * Math.max(0, sections.size() - 1);
    return (WIDTH - LEFT - 2 - gaps) / Math.max(1, columns.size());
  }

  private double[] columnStarts() {
    double[] starts = new double[Math.max(1, columns.size())];
    double x = LEFT;
    int column = 0;
    for (Section section : sections) {
      for (int i = 0; i < section.columns(); i++) {
        starts[column++] = x;
        x += cellWidth();
      }
      x += SECTION_GAP;
    }
    return starts;
  }
}
