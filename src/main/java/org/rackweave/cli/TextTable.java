package org.rackweave.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * A table for a terminal: the first column is text, the others are figures.
 *
 * @param head names of the columns
 * @param rows as many cells each as there are columns
 */
public record TextTable(List<String> head, List<List<String>> rows) {

  private static final int LEAST_WIDTH = 9;

  /** The table with its columns aligned, a line each. */
  public String text() {
    int[] widths = new int[head.size()];
    List<List<String>> lines = new ArrayList<>(List.of(head));
    lines.addAll(rows);
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder(pad(line.get(0), -Math.max(1, widths[0])));
      for (int i = 1; i < widths.length; i++) {
        row.append("  ").append(pad(line.get(i), Math.max(LEAST_WIDTH, widths[i])));
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static String pad(String text, int width) {
    return String.format("%" + width + "s", text);
  }
}
