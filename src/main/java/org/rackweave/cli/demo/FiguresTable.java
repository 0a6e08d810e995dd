package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.rackweave.cli.demo.BlockWrite.Situation;

/** The figures as rows of text, one column for each policy and their ratio if there are two. */
final class FiguresTable {

  private static final String NOTHING = "-";

  private final List<PolicyFigures> figures;
  private final List<String> head = new ArrayList<>(List.of(""));
  private final List<List<String>> rows = new ArrayList<>();

  FiguresTable(Map<Placement, PolicyFigures> figures) {
    this.figures = List.copyOf(figures.values());
    figures.keySet().forEach(policy -> head.add(policy.label()));
    if (figures.size() == 2) {
      head.add("ratio");
    }
    addTimes("block write", PolicyFigures::blockSeconds);
    for (Situation situation : Situation.values()) {
      Function<PolicyFigures, double[]> seconds = one -> one.bySituation().get(situation);
      addTimes("  " + situation.label(), seconds);
      addText(
          "  " + situation.label() + ", blocks", one -> String.valueOf(seconds.apply(one).length));
    }
    addSeconds("file, mean", one -> Statistics.mean(one.fileSeconds()));
    addText("blocks sent to no hot target", one -> format("%.0f %%", 100 * one.hotTargetAvoided()));
    addNumber("link load over DataNodes, Cv (median)", PolicyFigures::linkCvMedian);
    addText("background load of hot links", one -> format("%.0f %%", 100 * one.backgroundLoad()));
    addNumber("bytes placed over DataNodes, Cv", PolicyFigures::storageCv);
    addText("blocks", one -> String.valueOf(one.blocks()));
    addText("decisions left to stock", one -> String.valueOf(one.fallbacks()));
    addText("verified by checksum", one -> mebibytes(one.bytesVerified()));
  }

  List<String> head() {
    return head;
  }

  List<List<String>> rows() {
    return rows;
  }

  private void addTimes(String label, Function<PolicyFigures, double[]> seconds) {
    addSeconds(label + ", mean", one -> Statistics.mean(seconds.apply(one)));
    addSeconds(label + ", p95", one -> Statistics.quantile(seconds.apply(one), 0.95));
  }

  private void addSeconds(String label, ToDoubleFunction<PolicyFigures> value) {
    add(label, one -> format("%.3f s", value.applyAsDouble(one)), value);
  }

  private void addNumber(String label, ToDoubleFunction<PolicyFigures> value) {
    add(label, one -> format("%.2f", value.applyAsDouble(one)), value);
  }

  private void addText(String label, Function<PolicyFigures, String> text) {
    add(label, text, null);
  }

  private void add(
      String label,
      Function<PolicyFigures, String> text,
      ToDoubleFunction<PolicyFigures> comparable) {
    List<String> row = new ArrayList<>(List.of(label));
    figures.forEach(one -> row.add(text.apply(one)));
    if (figures.size() == 2) {
      row.add(comparable == null ? "" : ratio(comparable));
    }
    rows.add(row);
  }

  /** Stock over Sinbad, so that more than 1 means less time and less spread with Sinbad. */
  private String ratio(ToDoubleFunction<PolicyFigures> value) {
    return format(
        "%.2f", value.applyAsDouble(figures.get(0)) / value.applyAsDouble(figures.get(1)));
  }

  private static String format(String pattern, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, pattern, value) : NOTHING;
  }

  static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
  }

  /** The table for a terminal, columns aligned. */
  String text() {
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
      StringBuilder row = new StringBuilder(pad(line.get(0), -widths[0]));
      for (int i = 1; i < widths.length; i++) {
        row.append("  ").append(pad(line.get(i), Math.max(9, widths[i])));
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static String pad(String text, int width) {
    return String.format("%" + width + "s", text);
  }
}
