package org.rackweave.cli.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.report.Improvement;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.statistics.Estimate;

/** The figures of a scenario: one row for each figure, one column for each policy. */
final class ResultTable {
  private static final int NAME_CHARS = 30;

  private record Figure(String name, int decimals, ToDoubleFunction<PolicyFigures> of) {}

  private record Against(String name, int decimals, ToDoubleFunction<Improvement> of) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("blocks written", 0, PolicyFigures::blocks),
          new Figure("blocks lost", 0, PolicyFigures::lost),
          new Figure("write time, mean s", 2, PolicyFigures::meanSec),
          new Figure("write time, median s", 2, PolicyFigures::medianSec),
          new Figure("write time, p95 s", 2, PolicyFigures::p95Sec),
          new Figure("with the wait, mean s", 2, PolicyFigures::meanWithWaitSec),
          new Figure("blocks read", 0, PolicyFigures::readBlocks),
          new Figure("blocks not read", 0, PolicyFigures::unread),
          new Figure("read time, mean s", 2, PolicyFigures::readMeanSec),
          new Figure("read time, p99 s", 2, PolicyFigures::readP99Sec),
          new Figure("rack links' Cv, up", 3, PolicyFigures::cvUp),
          new Figure("rack links' Cv, down", 3, PolicyFigures::cvDown),
          new Figure("free racks: load, %", 1, one -> 100 * one.freeLoad()),
          new Figure("free racks: its swing, %", 1, one -> 100 * one.freeSwing()),
          new Figure("racks' bytes, Cv", 3, PolicyFigures::rackBytesCv),
          new Figure("energy, kWh", 2, PolicyFigures::kilowattHours),
          new Figure("placed by stock instead", 0, PolicyFigures::fallbacks),
          new Figure("stripes encoded", 0, PolicyFigures::stripes),
          new Figure("stripes' data, MB/s", 1, one -> one.encodingBytesPerSec() / 1e6),
          new Figure("stripe's cross-rack downloads", 2, PolicyFigures::crossRackDownloads),
          new Figure("stripe's relocations", 2, PolicyFigures::relocations),
          new Figure("recovery, s", 1, one -> one.recovery().seconds()),
          new Figure(
              "recovery: GB/s",
              1,
              one -> one.recovery().recoveredBytes() / one.recovery().seconds() / 1e9),
          new Figure("recovery over ideal", 3, one -> one.recovery().overIdeal()),
          new Figure("recovery: interference, %", 2, one -> 100 * one.recovery().interference()),
          new Figure("recovery: worst slot, %", 2, one -> 100 * one.recovery().worstSlot()),
          new Figure(
              "recovery: foreground alone, %", 2, one -> 100 * one.recovery().foregroundAlone()),
          new Figure("recovery: stragglers, %", 2, one -> 100 * one.recovery().stragglersPerCopy()),
          new Figure(
              "recovery: copied in vain, GB", 2, one -> one.recovery().lostProgressBytes() / 1e9),
          new Figure("recovery: chunks missing", 0, one -> one.recovery().missing()));

  private static final List<Against> AGAINST =
      List.of(
          new Against("times as fast, mean", 3, Improvement::ofMeans),
          new Against("times as fast, median", 3, Improvement::median),
          new Against("times as fast, with the wait", 3, Improvement::ofMeansWithWait),
          new Against("blocks faster, %", 1, one -> 100 * one.improved()),
          new Against("blocks the same, %", 1, one -> 100 * one.same()),
          new Against("blocks slower, %", 1, one -> 100 * one.slower()),
          new Against("at least twice as fast, %", 1, one -> 100 * one.twice()),
          new Against("transfers as fast, times", 3, Improvement::ofTransfers));

  private final ScenarioResult result;
  private final Map<String, List<String>> rows = new LinkedHashMap<>();

  ResultTable(ScenarioResult result) {
    this.result = result;
    boolean hasReads = hasAny(record -> !record.reads().isEmpty());
    boolean hasStripes = hasAny(record -> !record.encoding().stripes().isEmpty());
    boolean hasLooks = hasAny(record -> !record.looks().isEmpty());
    boolean hasRecovery = result.scenario().recovery().recovers();
    for (Figure figure : FIGURES) {
      boolean isOfRecovery = figure.name().startsWith("recovery");
      boolean isIdle =
          isOfRecovery != hasRecovery
              || !hasReads && figure.name().contains("read")
              || !hasLooks && figure.name().startsWith("free racks")
              || !hasStripes && figure.name().contains("stripe");
      if (isIdle) {
        continue;
      }
      List<String> row = new ArrayList<>();
      for (String policy : result.policies()) {
        row.add(result.figure(policy, figure.of()).text(figure.decimals()));
      }
      rows.put(figure.name(), row);
    }
    for (Against against : AGAINST) {
      List<String> row = new ArrayList<>();
      for (String policy : result.policies()) {
        row.add(
            policy.equals(result.baseline())
                ? ""
                : result.improvement(policy, against.of()).text(against.decimals()));
      }
      if (result.policies().size() > 1 && !hasRecovery && result.hasSameBlocks()) {
        rows.put(against.name(), row);
      }
    }
  }

  private boolean hasAny(Predicate<PolicyRecord> what) {
    return result.records().values().stream().flatMap(List::stream).anyMatch(what);
  }

  List<String> head() {
    List<String> head = new ArrayList<>(List.of(""));
    head.addAll(result.policies());
    return head;
  }

  List<List<String>> cells() {
    List<List<String>> cells = new ArrayList<>();
    rows.forEach(
        (name, row) -> {
          List<String> line = new ArrayList<>(List.of(name));
          line.addAll(row);
          cells.add(line);
        });
    return cells;
  }

  /** For the terminal, and for what scenarios expect. */
  List<String> lines() {
    int[] widths = new int[result.policies().size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] =
          Math.max(
              result.policies().get(i).length(),
              rows.values().stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
    List<String> lines = new ArrayList<>();
    lines.add(line("", result.policies(), widths));
    rows.forEach((name, row) -> lines.add(line(name, row, widths)));
    return lines;
  }

  private static String line(String name, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder(String.format("%-" + NAME_CHARS + "s", name));
    for (int i = 0; i < widths.length; i++) {
      line.append("  ").append(String.format("%" + widths[i] + "s", cells.get(i)));
    }
    return line.toString().stripTrailing();
  }

  /** One row for each policy, seed and figure. */
  List<String> csv() {
    List<String> lines = new ArrayList<>(List.of("scenario,policy,seed,figure,value"));
    for (String policy : result.policies()) {
      for (int run = 0; run < result.of(policy).size(); run++) {
        String start =
            result.scenario().name()
                + ","
                + policy
                + ","
                + (result.scenario().run().seed() + run)
                + ",";
        PolicyFigures figures = PolicyFigures.of(result.of(policy).get(run));
        for (Figure figure : FIGURES) {
          lines.add(
              start + quoted(figure.name()) + "," + number(figure.of().applyAsDouble(figures)));
        }
        Improvement improvement = result.improvements(policy).get(run);
        for (Against against : AGAINST) {
          lines.add(
              start
                  + quoted(against.name())
                  + ","
                  + number(against.of().applyAsDouble(improvement)));
        }
      }
    }
    return lines;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6g", value) : "";
  }

  static Map<String, Estimate> figures(ScenarioResult result, String policy) {
    Map<String, Estimate> figures = new LinkedHashMap<>();
    for (Figure figure : FIGURES) {
      figures.put(figure.name(), result.figure(policy, figure.of()));
    }
    for (Against against : AGAINST) {
      figures.put(against.name(), result.improvement(policy, against.of()));
    }
    return figures;
  }
}
