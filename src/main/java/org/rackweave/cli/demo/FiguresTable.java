package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.sim.statistics.Sample;

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
    addTimes("block write", one -> one.writes().blockSeconds());
    for (Situation situation : Situation.values()) {
      Function<PolicyFigures, double[]> seconds = one -> one.writes().bySituation().get(situation);
      addTimes("  " + situation.label(), seconds);
      addText(
          "  " + situation.label() + ", blocks", one -> String.valueOf(seconds.apply(one).length));
    }
    addSeconds("file, mean", one -> new Sample(one.fileSeconds()).mean());
    addText(
        "blocks sent to no hot target",
        one -> format("%.0f %%", 100 * one.writes().hotTargetAvoided()));
    addNumber("link load over DataNodes, Cv (median)", one -> one.writes().linkCvMedian());
    addText(
        "background load of hot links",
        one -> format("%.0f %%", 100 * one.writes().backgroundLoad()));
    addNumber("bytes placed over DataNodes, Cv", one -> one.writes().storageCv());
    addText("blocks", one -> String.valueOf(one.writes().blocks()));
    addText("decisions left to stock", one -> String.valueOf(one.writes().fallbacks()));
    addText("verified by checksum", one -> mebibytes(one.writes().bytesVerified()));
  }

  TextTable table() {
    return new TextTable(head, rows);
  }

  private void addTimes(String label, Function<PolicyFigures, double[]> seconds) {
    addSeconds(label + ", mean", one -> new Sample(seconds.apply(one)).mean());
    addSeconds(label + ", p95", one -> new Sample(seconds.apply(one)).quantile(0.95));
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
}
