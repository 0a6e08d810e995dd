package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.testbed.compare.ResultTables.number;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.compare.ClassSpeeds.ClassSpeed;

/** The result of a comparison of writes as tables of text. */
final class WritesTable {

  private static final List<Figure<WritesRun>> OF_EVERY_RUN =
      List.of(
          Figure.seconds("", "mean", WritesFigures.MEAN.of()),
          Figure.seconds("", "writer cold", WritesFigures.COLD_WRITER_MEAN.of()),
          Figure.seconds("", "latest start", WritesRun::latestStartSeconds));

  private final WritesResult result;

  WritesTable(WritesResult result) {
    this.result = result;
  }

  /** Everything. */
  String text() {
    StringBuilder text = new StringBuilder(figures().text());
    for (Contender contender : result.results().compared()) {
      text.append('\n').append(beside(contender).text());
      text.append('\n').append(classes(contender).text());
    }
    return text.append('\n').append(runs().text()).toString();
  }

  TextTable figures() {
    return ResultTables.figures(result.results(), WritesFigures.ALL);
  }

  TextTable runs() {
    return ResultTables.runs(result.results(), OF_EVERY_RUN);
  }

  static List<Figure<WritesRun>> ofEveryRun() {
    return OF_EVERY_RUN;
  }

  /** What a policy reached beside stock, with intervals. */
  TextTable beside(Contender contender) {
    WritesBesideStock beside = result.beside(contender);
    List<List<String>> rows = new ArrayList<>();
    for (WritesBesideStock.Must must : beside.musts()) {
      rows.add(
          List.of(
              must.what(), number(must.reached()), must.wanted(), must.met() ? "met" : "missed"));
    }
    rows.add(
        List.of(
            "writer cold until the end: times as fast",
            number(beside.runs().speedUp(WritesFigures.COLD_WHILE_WRITTEN)),
            "",
            ""));
    rows.add(
        List.of(
            "all blocks: times as fast as stock",
            number(beside.runs().speedUp(WritesFigures.MEAN)),
            "ceiling " + number(beside.ceilingSpeedUp()),
            ""));
    rows.add(
        List.of(
            "all blocks, p95: times as fast",
            number(beside.runs().speedUp(WritesFigures.P95)),
            "",
            ""));
    rows.add(
        List.of(
            "received by racks, Cv less stock's",
            number(beside.runs().difference(WritesFigures.UPLINK_CV)),
            "",
            ""));
    return new TextTable(
        List.of(contender.label() + " beside stock", "reached", "wanted", ""), rows);
  }

  /** Every class of a policy's blocks beside stock's, and at the end the slowest. */
  TextTable classes(Contender contender) {
    List<ClassSpeed> classes = result.beside(contender).classes();
    List<List<String>> rows = new ArrayList<>();
    classes.forEach(one -> rows.add(row(one.label(), one)));
    ClassSpeeds.slowest(classes).ifPresent(one -> rows.add(row("slowest: " + one.label(), one)));
    return new TextTable(
        List.of(contender.label() + ", times as fast as stock", "", "blocks", "stock's", ""), rows);
  }

  private static List<String> row(String name, ClassSpeed one) {
    String verdict = one.isSlower() ? "slower" : "";
    return List.of(
        name,
        one.isKnown() ? number(one.speedUp()) : "-",
        String.valueOf(one.blocks()),
        String.valueOf(one.stockBlocks()),
        one.isKnown() ? verdict : "too few");
  }
}
