package org.rackweave.cli.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.statistics.Estimate;

/** Charts of recoveries: how long they take, what they do to the foreground. */
final class RecoveryCharts {
  private static final List<String> STYLES =
      List.of("sinbad", "stock", "third", "fourth", "fifth", "sixth");
  private static final double WIDTH = 900;

  /** More curves in one picture tell nobody anything. */
  private static final int CURVES_MAX = 6;

  private record Figure(String name, String unit, ToDoubleFunction<RecoveryOutcome> of) {}

  private static final Figure OVER_IDEAL =
      new Figure("Recovery time over the ideal", "times", RecoveryOutcome::overIdeal);

  private static final Figure INTERFERENCE =
      new Figure("Interference factor", "%", one -> 100 * one.interference());

  private static final Figure SECONDS =
      new Figure("Recovery time", "seconds", RecoveryOutcome::seconds);

  private static final Figure SPEED =
      new Figure("Recovered", "GB/s", one -> one.recoveredBytes() / one.seconds() / 1e9);

  private RecoveryCharts() {}

  static boolean suit(ScenarioResult result) {
    return result.scenario().recovery().recovers();
  }

  static void add(Page page, ScenarioResult result) {
    boolean endless = result.scenario().recovery().endless();
    for (Figure figure : List.of(endless ? SPEED : OVER_IDEAL, INTERFERENCE)) {
      page.part(figure.name).chart(bars(result, figure));
    }
    if (!endless && result.scenario().run().runs() > 1 && result.policies().size() <= CURVES_MAX) {
      page.part("Recovery times of the cases").chart(times(result));
    }
    for (Scenario.Variation variation : result.scenario().variations()) {
      for (Figure figure : List.of(endless ? SPEED : SECONDS, INTERFERENCE)) {
        page.part(figure.name + " by " + variation.target());
        page.chart(varied(result, variation, figure));
      }
    }
  }

  /** A group for each algorithm and a bar for either way to give rates, where that is compared. */
  private static String bars(ScenarioResult result, Figure figure) {
    Set<String> groups = new LinkedHashSet<>();
    Set<String> rates = new LinkedHashSet<>();
    for (PolicySpec policy : result.scenario().policies()) {
      groups.add(groupOf(policy));
      rates.add(ratesOf(policy));
    }
    List<Series> series = new ArrayList<>();
    for (String rate : rates) {
      double[] values = new double[groups.size()];
      int i = 0;
      for (String group : groups) {
        values[i++] =
            result.scenario().policies().stream()
                .filter(one -> groupOf(one).equals(group) && ratesOf(one).equals(rate))
                .mapToDouble(one -> mean(result, one.name(), figure))
                .findFirst()
                .orElse(0);
      }
      series.add(new Series(rate, STYLES.get(series.size() % STYLES.size()), values));
    }
    return new GroupedBars(figure.name, figure.unit, List.copyOf(groups), series).svg();
  }

  private static String groupOf(PolicySpec policy) {
    String ending = "-" + ratesOf(policy);
    String name = policy.name();
    return name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
  }

  private static String ratesOf(PolicySpec policy) {
    if (policy instanceof PolicySpec.Dayu dayu) {
      return switch (dayu.rates()) {
        case WSS -> "wss";
        case DEADLINE -> "deadline";
      };
    }
    return "fixed";
  }

  private static double mean(ScenarioResult result, String policy, Figure figure) {
    return Estimate.of(result.of(policy), record -> figure.of.applyAsDouble(record.recovery()))
        .mean();
  }

  private static String times(ScenarioResult result) {
    List<Series> series = new ArrayList<>();
    for (String policy : result.policies()) {
      double[] seconds =
          result.of(policy).stream().mapToDouble(one -> one.recovery().seconds()).toArray();
      series.add(new Series(policy, STYLES.get(series.size() % STYLES.size()), seconds));
    }
    double[] ideal =
        result.of(result.baseline()).stream()
            .mapToDouble(one -> one.recovery().idealSec())
            .toArray();
    if (series.size() < STYLES.size()) {
      series.add(new Series("ideal", STYLES.get(series.size()), ideal));
    }
    double[] range = CumulativeChart.rangeOf(series.stream().map(Series::values).toList());
    return new CumulativeChart("Recovery times", "seconds", series, range, WIDTH).svg();
  }

  /** The scenario as written comes first, and with it what the variation leaves as it was. */
  private static String varied(ScenarioResult result, Scenario.Variation variation, Figure figure) {
    List<String> groups = new ArrayList<>(List.of("as written"));
    variation.cases().forEach(one -> groups.add(one.value()));
    List<Series> series = new ArrayList<>();
    for (String policy : result.policies()) {
      double[] values = new double[groups.size()];
      values[0] = mean(result, policy, figure);
      for (int i = 1; i < values.length; i++) {
        values[i] = mean(result.variation(variation.target(), groups.get(i)), policy, figure);
      }
      if (Arrays.stream(values).skip(1).anyMatch(value -> value != values[0])) {
        series.add(new Series(policy, STYLES.get(series.size() % STYLES.size()), values));
      }
    }
    return new GroupedBars(variation.target(), figure.unit, groups, series).svg();
  }
}
