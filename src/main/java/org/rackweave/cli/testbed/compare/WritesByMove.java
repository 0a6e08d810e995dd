package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.testbed.compare.ClassSpeeds.ClassSpeed;

/**
 * Comparisons of writes that differ in how long background load stays where it is.
 *
 * @param reports by the seconds it stays, in the order asked for
 */
record WritesByMove(Map<Integer, Report<WritesRun>> reports) {
  private static String heading(int move) {
    return "Load that moves every " + move + " s";
  }

  /** What matters most, a row for every policy and time. */
  TextTable summary() {
    List<List<String>> rows = new ArrayList<>();
    reports.forEach(
        (move, report) ->
            report.results().compared().forEach(one -> rows.add(row(move, report, one))));
    return new TextTable(
        List.of(
            "load moves every",
            "",
            "hot targets avoided",
            "writer cold",
            "all blocks",
            "slowest class",
            ""),
        rows);
  }

  private static List<String> row(int move, Report<WritesRun> report, Contender contender) {
    Results.Pair<WritesRun> pair = report.results().beside(contender);
    List<ClassSpeed> classes = ClassSpeeds.of(pair);
    return List.of(
        move + " s",
        contender.label(),
        WritesExperiment.AVOIDED.of().apply(pair).text(),
        WritesExperiment.COLD.of().apply(pair).text(),
        WritesExperiment.ALL.of().apply(pair).text(),
        ClassSpeeds.slowest(classes)
            .map(one -> one.label() + " " + one.speedUp().text())
            .orElse("-"),
        classes.stream().anyMatch(ClassSpeed::isSlower) ? "slower" : "");
  }

  String text() {
    StringBuilder text = new StringBuilder(summary().text());
    reports.forEach(
        (move, report) ->
            text.append('\n').append(heading(move)).append("\n\n").append(report.text()));
    return text.toString();
  }

  /** Under {@code moves} what one comparison has, by seconds. */
  ObjectNode json() {
    ObjectNode root = FiguresJson.root();
    root.put("experiment", "writes");
    ObjectNode moves = root.putObject("moves");
    reports.forEach((move, report) -> moves.set(String.valueOf(move), report.json()));
    return root;
  }

  String html() {
    String all = reports.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
    Page page = new Page("Block writes on a testbed, load that moves every " + all + " s");
    page.section("Times as fast as stock").table(summary().head(), summary().rows());
    reports.forEach(
        (move, report) -> {
          page.section(heading(move));
          report.addTo(page);
        });
    return page.html();
  }
}
