package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.experiment.TextTable;

/** What every comparison shows as tables of text. */
final class ResultTables {

  private ResultTables() {}

  /** Every figure of every contender: mean over seeds and standard deviation between them. */
  static <R extends MeasuredRun> TextTable figures(Results<R> results, List<Figure<R>> figures) {
    List<String> head = new ArrayList<>(List.of(""));
    results.contenders().forEach(contender -> head.add(contender.label()));
    List<List<String>> rows = new ArrayList<>();
    for (Figure<R> figure : figures) {
      List<String> row = new ArrayList<>(List.of(figure.label()));
      for (Contender contender : results.contenders()) {
        row.add(text(figure, results.spread(contender, figure)));
      }
      rows.add(row);
    }
    return new TextTable(head, rows);
  }

  private static String text(Figure<?> figure, Spread spread) {
    String mean = figure.text(spread.mean());
    return Double.isFinite(spread.sd())
        ? mean + " ± " + figure.text(spread.sd()).replace(" s", "")
        : mean;
  }

  /** A number with its 95 % interval, if there are enough seeds for one. */
  static String number(Spread spread) {
    return Double.isFinite(spread.low())
        ? String.format(
            Locale.ROOT, "%.2f (%.2f to %.2f)", spread.mean(), spread.low(), spread.high())
        : String.format(Locale.ROOT, "%.2f", spread.mean());
  }

  /** What was measured on. */
  static TextTable facts(Results<?> results) {
    List<List<String>> rows = new ArrayList<>();
    results.facts().forEach((name, value) -> rows.add(List.of(name + ": " + value)));
    return new TextTable(List.of("measured on"), rows);
  }

  /** Every run that counts, with some of its figures. */
  static <R extends MeasuredRun> TextTable runs(Results<R> results, List<Figure<R>> figures) {
    List<String> head = new ArrayList<>(List.of(""));
    figures.forEach(figure -> head.add(figure.label()));
    head.addAll(List.of("foreign", "busy", "repeats", ""));
    List<List<String>> rows = new ArrayList<>();
    for (R run : results.runs()) {
      List<String> row = new ArrayList<>();
      row.add("seed " + run.seed() + ", " + run.contender().label());
      figures.forEach(figure -> row.add(figure.textOf(run)));
      row.add(String.format(Locale.ROOT, "%.3f", run.foreignCpuShare()));
      row.add(String.format(Locale.ROOT, "%.2f", run.busyCpuShare()));
      row.add(String.valueOf(run.attempt()));
      row.add(results.trials().isDisturbed(run) ? "disturbed" : "");
      rows.add(row);
    }
    return new TextTable(head, rows);
  }
}
