package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.experiment.TextTable;

/** What is wanted of EAFR: a 99th percentile that much better than stock's. */
final class ReadsVerdict {
  private static final double P99_SPEED_UP_MIN = 1.3;

  private ReadsVerdict() {}

  /** EAFR with whichever settings; nobody unless stock ran, too. */
  private static List<Contender> judged(Results<ReadsRun> results) {
    return results.compared().stream()
        .filter(one -> Retuned.methodOf(one) == ReadsMethod.EAFR)
        .toList();
  }

  private static boolean isReached(Spread p99) {
    return p99.mean() >= P99_SPEED_UP_MIN;
  }

  /** What was reached, a table for every setting; none unless stock ran, too. */
  static List<TextTable> tables(Results<ReadsRun> results) {
    return judged(results).stream().map(one -> table(one, results.beside(one))).toList();
  }

  private static TextTable table(Contender contender, BesideBaseline<ReadsRun> eafr) {
    List<String> head = List.of(contender.label() + " beside stock", "is", "wanted", "reached");
    Spread p99 = eafr.speedUp(ReadsFigures.P99);
    return new TextTable(
        head,
        List.of(
            List.of(
                "read, p99: times as fast",
                ResultTables.number(p99),
                String.format(Locale.ROOT, "%.1f or more", P99_SPEED_UP_MIN),
                isReached(p99) ? "yes" : "no"),
            row("read, p95: times as fast", eafr.speedUp(ReadsFigures.P95)),
            row("read, median: times as fast", eafr.speedUp(ReadsFigures.P50)),
            row("read, mean: times as fast", eafr.speedUp(ReadsFigures.MEAN)),
            row("replicas of a file, more than stock", eafr.difference(ReadsFigures.REPLICAS)),
            row("stored, MiB more than stock", eafr.difference(ReadsFigures.STORED))));
  }

  private static List<String> row(String name, Spread value) {
    return List.of(name, ResultTables.number(value), "", "");
  }

  /** The same for programs. */
  static void put(ObjectNode root, Results<ReadsRun> results) {
    for (Contender contender : judged(results)) {
      BesideBaseline<ReadsRun> eafr = results.beside(contender);
      Spread p99 = eafr.speedUp(ReadsFigures.P99);
      ObjectNode wanted = root.putObject(contender.label() + "_wanted");
      wanted.put("read_p99_speed_up", p99.mean());
      wanted.put("read_p99_speed_up_min", P99_SPEED_UP_MIN);
      wanted.put("reached", isReached(p99));
      ObjectNode beside = root.with("beside_stock").putObject(contender.label());
      ResultJson.putSpread(beside.putObject("read_p50_speed_up"), eafr.speedUp(ReadsFigures.P50));
      ResultJson.putSpread(beside.putObject("read_p95_speed_up"), eafr.speedUp(ReadsFigures.P95));
      ResultJson.putSpread(beside.putObject("read_p99_speed_up"), p99);
      ResultJson.putSpread(beside.putObject("read_mean_speed_up"), eafr.speedUp(ReadsFigures.MEAN));
      ResultJson.putSpread(
          beside.putObject("stored_mib_difference"), eafr.difference(ReadsFigures.STORED));
    }
  }
}
