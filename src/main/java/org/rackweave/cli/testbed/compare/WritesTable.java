package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.cli.testbed.TestbedPolicy;

/** The result as tables of text. */
final class WritesTable {

  private final WritesResult result;

  WritesTable(WritesResult result) {
    this.result = result;
  }

  /** Every figure of every policy: mean over seeds and standard deviation. */
  TextTable figures() {
    List<String> head = new ArrayList<>(List.of(""));
    result.policies().forEach(policy -> head.add(policy.label()));
    List<List<String>> rows = new ArrayList<>();
    for (Figure figure : Figure.ALL) {
      List<String> row = new ArrayList<>(List.of(figure.label()));
      for (TestbedPolicy policy : result.policies()) {
        row.add(text(figure, result.spread(policy, figure)));
      }
      rows.add(row);
    }
    return new TextTable(head, rows);
  }

  private static String text(Figure figure, Spread spread) {
    String mean = figure.text(spread.mean());
    return Double.isFinite(spread.sd())
        ? mean + " ± " + figure.text(spread.sd()).replace(" s", "")
        : mean;
  }

  /** What a policy reached beside stock, with intervals. */
  TextTable comparison(TestbedPolicy policy) {
    Comparison comparison = result.comparison(policy);
    List<List<String>> rows = new ArrayList<>();
    for (Comparison.Must must : comparison.musts()) {
      rows.add(
          List.of(
              must.what(), number(must.reached()), must.wanted(), must.met() ? "met" : "missed"));
    }
    rows.add(
        List.of(
            "all blocks: times as fast as stock",
            number(comparison.speedUp(Figure.MEAN)),
            "ceiling " + number(comparison.ceilingSpeedUp()),
            ""));
    rows.add(
        List.of("all blocks, p95: times as fast", number(comparison.speedUp(Figure.P95)), "", ""));
    rows.add(
        List.of(
            "received by racks, Cv less stock's",
            number(comparison.difference(Figure.UPLINK_CV)),
            "",
            ""));
    return new TextTable(List.of(policy.label() + " beside stock", "reached", "wanted", ""), rows);
  }

  /** A number with its 95 % interval, if there are enough seeds for one. */
  static String number(Spread spread) {
    return Double.isFinite(spread.low())
        ? String.format(
            Locale.ROOT, "%.2f (%.2f to %.2f)", spread.mean(), spread.low(), spread.high())
        : String.format(Locale.ROOT, "%.2f", spread.mean());
  }

  /** Every run that counts. */
  TextTable runs() {
    List<List<String>> rows = new ArrayList<>();
    for (WritesRun run : result.runs()) {
      rows.add(
          List.of(
              "seed " + run.seed() + ", " + run.policy().label(),
              Figure.MEAN.text(Figure.MEAN.of().applyAsDouble(run)),
              Figure.COLD_WRITER_MEAN.text(Figure.COLD_WRITER_MEAN.of().applyAsDouble(run)),
              String.format(Locale.ROOT, "%.3f", run.foreignCpuShare()),
              String.format(Locale.ROOT, "%.2f", run.busyCpuShare()),
              String.format(Locale.ROOT, "%.0f ms", 1000 * run.latestStartSeconds()),
              String.valueOf(run.attempt()),
              result.trials().isDisturbed(run) ? "disturbed" : ""));
    }
    return new TextTable(
        List.of("", "mean", "writer cold", "foreign", "busy", "latest start", "repeats", ""), rows);
  }
}
