package org.rackweave.cli.sim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rackweave.history.ShadowAccount;
import org.rackweave.sim.run.RecordedHours;
import org.rackweave.sim.run.ReplayRun.Outcome;
import org.rackweave.sim.statistics.Estimate;
import org.rackweave.sim.statistics.Sample;

/** What replays show, by directory and by who placed the blocks. */
final class ReplayFigures {
  private static final int DIRECTORIES_MAX = 10;
  private static final double LATE = 0.99;

  private final RecordedHours hours;

  /** By who placed the blocks, one for each seed. */
  private final Map<String, List<Outcome>> outcomes;

  /** Whose outcomes the others are compared with. */
  private final String stock;

  ReplayFigures(RecordedHours hours, Map<String, List<Outcome>> outcomes, String stock) {
    this.hours = hours;
    this.outcomes = outcomes;
    this.stock = stock;
  }

  /** Adds a row for each directory with most writes, and for all, by who placed the blocks. */
  void addTo(ArrayNode rows) {
    List<Integer> all = IntStream.range(0, hours.writes().size()).boxed().toList();
    Map<String, List<Integer>> groups = new LinkedHashMap<>(Map.of("all", all));
    all.stream().collect(Collectors.groupingBy(this::directory)).entrySet().stream()
        .sorted(Comparator.comparingDouble(group -> -sum(group.getValue(), write -> 1)))
        .limit(DIRECTORIES_MAX)
        .forEach(group -> groups.put(group.getKey(), group.getValue()));
    groups.forEach(
        (directory, writes) ->
            outcomes.keySet().forEach(by -> fill(rows.addObject(), directory, by, writes)));
  }

  private String directory(int write) {
    return ShadowAccount.directory(hours.writes().get(write).decision().path());
  }

  private void fill(ObjectNode row, String directory, String by, List<Integer> writes) {
    List<Outcome> runs = outcomes.get(by);
    row.put("directory", directory).put("by", by);
    row.put("writes", Math.round(sum(writes, write -> 1)));
    Estimate mean = Estimate.of(runs, run -> mean(writes, run));
    put(row, "mean_s", mean.mean());
    put(row, "mean_s_low", mean.low());
    put(row, "mean_s_high", mean.high());
    put(row, "p99_s", Estimate.of(runs, run -> late(writes, run)).mean());
    put(row, "busy_targets_percent", Estimate.of(runs, run -> busy(writes, run)).mean());
    Estimate faster =
        Estimate.of(
            IntStream.range(0, runs.size())
                .mapToDouble(
                    i -> mean(writes, outcomes.get(stock).get(i)) / mean(writes, runs.get(i)))
                .toArray());
    put(row, "times_as_fast", faster.mean());
    put(row, "low", faster.low());
    put(row, "high", faster.high());
  }

  private static void put(ObjectNode row, String name, double value) {
    row.put(name, Double.isFinite(value) ? value : null);
  }

  private double sum(List<Integer> writes, ToDoubleFunction<Integer> figure) {
    return writes.stream()
        .mapToDouble(write -> hours.weight(write) * figure.applyAsDouble(write))
        .sum();
  }

  private static List<Integer> written(List<Integer> writes, Outcome run) {
    return writes.stream().filter(write -> !Double.isNaN(run.seconds()[write])).toList();
  }

  private double mean(List<Integer> writes, Outcome run) {
    List<Integer> written = written(writes, run);
    return sum(written, write -> run.seconds()[write]) / sum(written, write -> 1);
  }

  private double late(List<Integer> writes, Outcome run) {
    List<Integer> written = written(writes, run);
    double rest = (1 - LATE) * sum(written, write -> 1);
    Comparator<Integer> bySeconds = Comparator.comparingDouble(write -> run.seconds()[write]);
    for (int write : written.stream().sorted(bySeconds.reversed()).toList()) {
      rest -= hours.weight(write);
      if (rest <= 0) {
        return run.seconds()[write];
      }
    }
    return Double.NaN;
  }

  private double busy(List<Integer> writes, Outcome run) {
    double busy = sum(writes, write -> run.busy()[write]);
    return 100 * busy / sum(writes, write -> run.targets()[write]);
  }

  /** How far what the NameNode expected is from what the replay gives for the same choices. */
  static String check(RecordedHours hours, Outcome recorded) {
    double expected = 0;
    double replayed = 0;
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < hours.writes().size(); i++) {
      double seconds = hours.writes().get(i).expectedSeconds();
      double ratio = recorded.seconds()[i] / seconds;
      if (Double.isFinite(ratio) && recorded.targets()[i] > 0) {
        expected += hours.weight(i) * seconds;
        replayed += hours.weight(i) * recorded.seconds()[i];
        ratios.add(ratio);
      }
    }
    if (ratios.isEmpty()) {
      return "the NameNode recorded no expected times";
    }
    Sample all = new Sample(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    return String.format(
        Locale.ROOT,
        "where %d blocks went, the replay takes %.2f times what the NameNode expected (half"
            + " of them %.2f to %.2f times); far from 1, the rows say little about this cluster",
        all.size(),
        replayed / expected,
        all.quantile(0.25),
        all.quantile(0.75));
  }
}
