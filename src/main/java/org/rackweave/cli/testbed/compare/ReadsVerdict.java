package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.experiment.TextTable;

/** What is wanted of EAFR: a 99th percentile that much better than stock's. */
final class ReadsVerdict {
  private static final double P99_SPEED_UP_MIN = 1.3;

  private ReadsVerdict() {}

  private static boolean isPossible(Results<ReadsRun> results) {
    return results.compared().contains(ReadsMethod.EAFR);
  }

  private static BesideBaseline<ReadsRun> eafr(Results<ReadsRun> results) {
    return results.beside(ReadsMethod.EAFR);
  }

  private static boolean isReached(Spread p99) {
    return p99.mean() >= P99_SPEED_UP_MIN;
  }

  /** What was reached; empty unless both ran. */
  static TextTable table(Results<ReadsRun> results) {
    List<String> head = List.of("eafr beside stock", "is", "wanted", "reached");
    if (!isPossible(results)) {
      return new TextTable(head, List.of());
    }
    BesideBaseline<ReadsRun> eafr = eafr(results);
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
    if (!isPossible(results)) {
      return;
    }
    BesideBaseline<ReadsRun> eafr = eafr(results);
    Spread p99 = eafr.speedUp(ReadsFigures.P99);
    ObjectNode wanted = root.putObject("eafr_wanted");
    wanted.put("read_p99_speed_up", p99.mean());
    wanted.put("read_p99_speed_up_min", P99_SPEED_UP_MIN);
    wanted.put("reached", isReached(p99));
    ObjectNode beside = root.putObject("beside_stock").putObject(ReadsMethod.EAFR.label());
    ResultJson.putSpread(beside.putObject("read_p50_speed_up"), eafr.speedUp(ReadsFigures.P50));
    ResultJson.putSpread(beside.putObject("read_p95_speed_up"), eafr.speedUp(ReadsFigures.P95));
    ResultJson.putSpread(beside.putObject("read_p99_speed_up"), p99);
    ResultJson.putSpread(beside.putObject("read_mean_speed_up"), eafr.speedUp(ReadsFigures.MEAN));
    ResultJson.putSpread(
        beside.putObject("stored_mib_difference"), eafr.difference(ReadsFigures.STORED));
  }
}
