package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.experiment.FiguresJson.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.Spread;

/**
 * What came out of an experiment, for people and for programs.
 *
 * @param <M> what is measured of a run
 */
record Report<M>(Experiment<M> experiment, Results<M> results) {
  /** Tables for a terminal. */
  String text() {
    List<TextTable> tables = new ArrayList<>(List.of(figures()));
    results.compared().stream()
        .filter(one -> !experiment.definition().beside().isEmpty())
        .forEach(one -> tables.add(beside(one)));
    tables.addAll(experiment.tables(results));
    tables.add(runs());
    tables.add(facts("measured on"));
    return tables.stream().map(TextTable::text).collect(Collectors.joining("\n"));
  }

  /** Every figure of every contender: mean over seeds and standard deviation between them. */
  TextTable figures() {
    return results.byContender().figures(experiment.definition().figures());
  }

  /** A contender beside the baseline, with 95 % intervals, and what it has to reach, if it has. */
  TextTable beside(Contender contender) {
    List<Experiment.Beside<M>> all = experiment.definition().beside();
    boolean isAnyJudged = all.stream().anyMatch(one -> one.judged().test(contender));
    List<String> head =
        new ArrayList<>(List.of(contender.label() + " beside " + results.baseline().label(), "is"));
    head.addAll(isAnyJudged ? List.of("wanted", "reached") : List.of());
    List<List<String>> rows = new ArrayList<>();
    for (Experiment.Beside<M> one : all) {
      Spread spread = one.of().apply(results.beside(contender));
      List<String> row = new ArrayList<>(List.of(one.label(), spread.text()));
      if (one.judged().test(contender)) {
        row.addAll(List.of(one.wanted(), one.isReached().test(spread.mean()) ? "yes" : "no"));
      } else if (isAnyJudged) {
        row.addAll(List.of("", ""));
      }
      rows.add(row);
    }
    return new TextTable(head, rows);
  }

  /** Every run that counts, with some of its figures. */
  TextTable runs() {
    List<String> head = new ArrayList<>(List.of(""));
    experiment.definition().ofEveryRun().forEach(figure -> head.add(figure.label()));
    head.addAll(List.of("foreign", "busy", "repeats", ""));
    List<List<String>> rows = new ArrayList<>();
    for (Results.Run<M> run : results.runs()) {
      List<String> row = new ArrayList<>();
      row.add("seed " + run.seed() + ", " + run.contender().label());
      experiment.definition().ofEveryRun().forEach(figure -> row.add(figure.textOf(run.figures())));
      row.add(String.format(Locale.ROOT, "%.3f", run.foreignCpuShare()));
      row.add(String.format(Locale.ROOT, "%.2f", run.measured().busyCpuShare()));
      row.add(String.valueOf(run.attempt()));
      row.add(results.trials().isDisturbed(run) ? "disturbed" : "");
      rows.add(row);
    }
    return new TextTable(head, rows);
  }

  /** What was measured on; in one column, which can be as wide as names of classes take. */
  private TextTable facts(String head) {
    List<List<String>> rows = new ArrayList<>();
    results.facts().forEach((name, value) -> rows.add(List.of(name + ": " + value)));
    return new TextTable(List.of(head), rows);
  }

  /**
   * Under each contender's name the mean over seeds of every figure, and in {@code spread} how it
   * varies; beside them the environment, the same for all, and every run.
   */
  ObjectNode json() {
    ObjectNode root = FiguresJson.root();
    root.put("experiment", experiment.definition().name());
    ObjectNode facts = root.putObject("facts");
    results.facts().forEach(facts::put);
    root.put("foreign_cpu_limit", results.trials().foreignCpuLimit());
    for (Contender contender : results.contenders()) {
      ObjectNode node = root.putObject(contender.label());
      for (Figure<M> figure : experiment.definition().figures()) {
        put(node, figure.key(), results.spread(contender, figure).mean());
      }
      ObjectNode spreads = node.putObject("spread");
      for (Figure<M> figure : experiment.definition().figures()) {
        putSpread(spreads.putObject(figure.key()), results.spread(contender, figure));
      }
    }
    putBeside(root.putObject("beside_" + results.baseline().label()));
    experiment.addJson(root, results);
    results.runs().forEach(run -> putRun(root.withArray("runs").addObject(), run));
    results.rejected().forEach(run -> putRun(root.withArray("rejected").addObject(), run));
    return root;
  }

  private void putBeside(ObjectNode root) {
    for (Contender contender : results.compared()) {
      ObjectNode node = root.putObject(contender.label());
      for (Experiment.Beside<M> one : experiment.definition().beside()) {
        Spread spread = one.of().apply(results.beside(contender));
        ObjectNode row = node.putObject(one.key());
        putSpread(row, spread);
        if (one.judged().test(contender)) {
          row.put("wanted", one.wanted());
          row.put("met", one.isReached().test(spread.mean()));
        }
      }
    }
  }

  private static void putSpread(ObjectNode node, Spread spread) {
    put(node, "mean", spread.mean());
    put(node, "sd", spread.sd());
    put(node, "low", spread.low());
    put(node, "high", spread.high());
    node.put("seeds", spread.seeds());
  }

  private void putRun(ObjectNode node, Results.Run<M> run) {
    node.put("policy", run.contender().label());
    node.put("seed", run.seed());
    node.put("attempt", run.attempt());
    experiment
        .definition()
        .figures()
        .forEach(figure -> put(node, figure.key(), figure.of().applyAsDouble(run.figures())));
    put(node, "foreign_cpu", run.foreignCpuShare());
    put(node, "busy_cpu", run.measured().busyCpuShare());
  }

  /** A page of charts. */
  String html() {
    Page page = new Page(experiment.title(results));
    addTo(page);
    return page.html();
  }

  /** Adds all of it but the heading. */
  void addTo(Page page) {
    experiment.introduction(results).forEach(page::paragraph);
    if (!experiment.definition().beside().isEmpty()) {
      for (Contender contender : results.compared()) {
        add(
            page,
            "Beside " + results.baseline().label() + ": " + contender.label(),
            beside(contender));
      }
      page.paragraph("In brackets the 95 % bootstrap interval over seeds, if there are several.");
    }
    experiment.tables(results).forEach(table -> page.table(table.head(), table.rows()));
    add(page, "Figures", figures());
    page.paragraph("Mean over seeds and standard deviation between them.");
    experiment.addCharts(page, results);
    add(page, "Runs", runs());
    page.paragraph(
        String.format(
            Locale.ROOT,
            "A run is repeated, at most %d times, if other processes use more than %.0f %% of the"
                + " CPUs during it; %d runs were. Foreign and busy are shares of the total CPU"
                + " time.",
            results.trials().repeatsMax(),
            100 * results.trials().foreignCpuLimit(),
            results.rejected().size()));
    add(page, "Measured on", facts(""));
  }

  private static void add(Page page, String heading, TextTable table) {
    page.section(heading).table(table.head(), table.rows());
  }
}
