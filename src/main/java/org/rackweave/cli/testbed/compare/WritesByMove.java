package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.testbed.compare.ResultTables.number;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.ClassSpeeds.ClassSpeed;

/**
 * Comparisons of writes that differ in how long background load stays where it is.
 *
 * @param results by the seconds it stays, in the order asked for
 */
record WritesByMove(Map<Integer, WritesResult> results) {

  private static String heading(int move) {
    return "Load that moves every " + move + " s";
  }

  /** What matters most, a row for every policy and time. */
  TextTable summary() {
    List<List<String>> rows = new ArrayList<>();
    results.forEach(
        (move, result) ->
            result.results().compared().forEach(one -> rows.add(row(move, result, one))));
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

  private static List<String> row(int move, WritesResult result, Contender contender) {
    WritesBesideStock beside = result.beside(contender);
    List<ClassSpeed> classes = beside.classes();
    return List.of(
        move + " s",
        contender.label(),
        number(beside.hotTargetAvoided()),
        number(beside.runs().speedUp(WritesFigures.COLD_WRITER_MEAN)),
        number(beside.runs().speedUp(WritesFigures.MEAN)),
        ClassSpeeds.slowest(classes)
            .map(one -> one.label() + " " + number(one.speedUp()))
            .orElse("-"),
        classes.stream().anyMatch(ClassSpeed::isSlower) ? "slower" : "");
  }

  String text() {
    StringBuilder text = new StringBuilder(summary().text());
    results.forEach(
        (move, result) ->
            text.append('\n')
                .append(heading(move))
                .append("\n\n")
                .append(new WritesTable(result).text()));
    return text.toString();
  }

  /** Under {@code moves} what one comparison has, by seconds. */
  ObjectNode json() {
    ObjectNode root = FiguresJson.root();
    root.put("experiment", "writes");
    ObjectNode moves = root.putObject("moves");
    results.forEach((move, result) -> moves.set(String.valueOf(move), WritesJson.tree(result)));
    return root;
  }

  String html(Layout layout) {
    Page page =
        new Page(
            "Block writes on a testbed, load that moves every "
                + results.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "))
                + " s");
    TextTable summary = summary();
    page.section("Times as fast as stock").table(summary.head(), summary.rows());
    page.paragraph("In brackets the 95 % bootstrap interval over seeds.");
    results.forEach(
        (move, result) -> {
          page.section(heading(move));
          new WritesReport(result, layout).addTo(page);
        });
    return page.html();
  }
}
