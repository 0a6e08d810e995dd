package org.rackweave.cli.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.HeatMap;
import org.rackweave.chart.Page;
import org.rackweave.sim.claims.Claim;
import org.rackweave.sim.claims.ClaimStudy;
import org.rackweave.sim.report.Improvement;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.run.PolicyRecord.RackLook;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.statistics.Sample;

/** Pages of what was simulated. */
final class SimReport {
  private static final double WIDTH = 900;
  private static final double HALF_WIDTH = 430;

  /** A curve of more points shows nothing more. */
  private static final int POINTS_MAX = 400;

  /** More cells than so many racks by so many looks cannot be told apart. */
  private static final int RACKS_MAX = 30;

  private static final int LOOKS_MAX = 240;

  private static final List<String> STYLES =
      List.of("stock", "sinbad", "third", "fourth", "fifth", "sixth");

  private SimReport() {}

  /** The page of one scenario. */
  static String scenario(ScenarioResult result) {
    Page page = new Page("Simulation: " + result.scenario().name());
    page.paragraph(result.scenario().about());
    result.notices().forEach(page::paragraph);
    addScenario(page, result);
    page.section("Scenario").text(result.scenario().text());
    return page.html();
  }

  private static void addScenario(Page page, ScenarioResult result) {
    ResultTable table = new ResultTable(result);
    page.section("Figures").table(table.head(), table.cells());
    page.paragraph(
        String.format(
            Locale.ROOT,
            "Means over %d seeds, with the half width of the 95 %% confidence interval. A write's"
                + " time runs from its placement. Figures against %s compare the same blocks;"
                + " faster and slower mean by more than %.0f %%.",
            result.scenario().run().runs(),
            result.baseline(),
            100 * Improvement.SAME));
    if (RecoveryCharts.suit(result)) {
      page.section("Recovery");
      RecoveryCharts.add(page, result);
      return;
    }
    page.section("Block write times").chart(writeTimes(result, WIDTH));
    page.section("Balance");
    page.charts(
        List.of("Rack links towards the racks", "Bytes stored in racks"),
        List.of(
            cumulative(
                result, "Variation of load every 10 s", "Cv", HALF_WIDTH, PolicyRecord::cvDown),
            cumulative(
                result,
                "Bytes in a rack over the mean of all",
                "times the mean",
                HALF_WIDTH,
                SimReport::overMean)));
    addLooks(page, result);
    if (!result.cases().isEmpty() && result.hasSameBlocks()) {
      page.section("Variations");
      addVariations(page, result);
    }
  }

  /** Rack by rack over time, for the first seed and every case. */
  private static void addLooks(Page page, ScenarioResult result) {
    if (result.of(result.baseline()).get(0).looks().isEmpty()) {
      return;
    }
    page.section("Load of the links towards the racks");
    page.heatKey("written into the rack, of what its nodes' own work leaves", "the rack is free");
    result.policies().forEach(policy -> page.part(policy).chart(looks(policy, result)));
    result
        .cases()
        .forEach(
            (what, varied) ->
                varied
                    .policies()
                    .forEach(
                        policy -> page.part(policy + ", " + what).chart(looks(policy, varied))));
  }

  private static String looks(String policy, ScenarioResult result) {
    List<RackLook> looks = result.of(policy).get(0).looks();
    looks = looks.subList(0, Math.min(LOOKS_MAX, looks.size()));
    int racks = Math.min(RACKS_MAX, looks.get(0).load().length);
    double[][] load = new double[racks][looks.size()];
    boolean[][] free = new boolean[racks][looks.size()];
    List<String> columns = new ArrayList<>();
    List<HeatMap.Section> minutes = new ArrayList<>();
    double lookSec = result.scenario().run().lookMs() / 1e3;
    int perMinute = (int) Math.max(1, Math.round(60 / lookSec));
    for (int look = 0; look < looks.size(); look++) {
      int column = look;
      for (int rack = 0; rack < racks; rack++) {
        load[rack][look] = looks.get(look).load()[rack];
      }
      looks.get(look).freeRacks().filter(rack -> rack < racks).forEach(r -> free[r][column] = true);
      columns.add(String.format(Locale.ROOT, "%.1f s", look * lookSec));
      if (look % perMinute == 0) {
        int length = Math.min(perMinute, looks.size() - look);
        minutes.add(new HeatMap.Section(columns.get(look), length));
      }
    }
    List<String> rows = IntStream.range(0, racks).mapToObj(rack -> "rack " + rack).toList();
    return new HeatMap(policy, rows, load, free, minutes, columns).svg();
  }

  private static String writeTimes(ScenarioResult result, double width) {
    return cumulative(
        result,
        "Block write times",
        "seconds",
        width,
        one -> PolicyFigures.writeSeconds(one).values());
  }

  private static String cumulative(
      ScenarioResult result,
      String label,
      String unit,
      double width,
      Function<PolicyRecord, double[]> values) {
    List<Series> series = new ArrayList<>();
    for (String policy : result.policies()) {
      double[] all =
          result.of(policy).stream().map(values).flatMapToDouble(Arrays::stream).toArray();
      series.add(new Series(policy, style(result, policy), thinned(all)));
    }
    double[] range = CumulativeChart.rangeOf(series.stream().map(Series::values).toList());
    return new CumulativeChart(label, unit, series, range, width).svg();
  }

  private static double[] thinned(double[] values) {
    if (values.length <= POINTS_MAX) {
      return values;
    }
    Sample sample = new Sample(values);
    double[] points = new double[POINTS_MAX];
    for (int i = 0; i < points.length; i++) {
      points[i] = sample.quantile(i / (points.length - 1.0));
    }
    return points;
  }

  private static double[] overMean(PolicyRecord record) {
    double mean = new Sample(record.rackBytes()).mean();
    return Arrays.stream(record.rackBytes()).map(bytes -> bytes / mean).toArray();
  }

  private static String style(ScenarioResult result, String policy) {
    return STYLES.get(result.policies().indexOf(policy) % STYLES.size());
  }

  private static void addVariations(Page page, ScenarioResult result) {
    for (Scenario.Variation variation : result.scenario().variations()) {
      page.part("Improvement of the mean write time by " + variation.target());
      page.chart(improvements(result, variation));
    }
  }

  private static String improvements(ScenarioResult result, Scenario.Variation variation) {
    List<String> values = variation.cases().stream().map(Scenario.Case::value).toList();
    List<Series> series = new ArrayList<>();
    for (String policy : result.policies()) {
      if (!policy.equals(result.baseline())) {
        double[] improvements =
            values.stream()
                .map(value -> result.variation(variation.target(), value))
                .mapToDouble(one -> one.improvement(policy, Improvement::ofMeans).mean())
                .toArray();
        series.add(new Series(policy, style(result, policy), improvements));
      }
    }
    return new GroupedBars(variation.target(), "times", values, series).svg();
  }

  /** The page of all claims. */
  static String claims(
      List<Claim> claims,
      Map<String, ScenarioResult> results,
      List<ClaimStudy.Chart> charts,
      boolean isQuick) {
    long met = claims.stream().filter(Claim::met).count();
    Page page = new Page(met + " of " + claims.size() + " claims reproduced");
    if (isQuick) {
      page.paragraph(
          "A quick run: minutes of simulated time in place of an hour, one seed. It shows that all"
              + " works; its figures mean nothing.");
    }
    results.values().stream()
        .flatMap(result -> result.notices().stream())
        .distinct()
        .forEach(page::paragraph);
    List<List<String>> rows = new ArrayList<>();
    for (Claim claim : claims) {
      rows.add(
          List.of(
              claim.id() + (claim.isHeadline() ? " (headline)" : ""),
              figure(claim.paper(), claim.unit()),
              claim.ours().text(2),
              claim.verdict().text()));
    }
    page.section("Claims").table(List.of("claim", "paper", "here", ""), rows);
    for (Claim claim : claims) {
      page.part(claim.id()).paragraph(claim.about());
      if (!claim.met()) {
        page.paragraph("Bounds: " + claim.why() + ".");
      }
      List<List<String>> details = new ArrayList<>();
      for (Claim.Detail detail : claim.details()) {
        details.add(
            List.of(
                detail.what() + (detail.unit().isEmpty() ? "" : ", " + detail.unit()),
                figure(detail.paper(), ""),
                detail.ours().text(2)));
      }
      page.table(List.of("", "paper", "here"), details);
    }
    for (ScenarioResult result : results.values()) {
      page.section("Scenario " + result.scenario().name()).paragraph(result.scenario().about());
      if (RecoveryCharts.suit(result)) {
        RecoveryCharts.add(page, result);
        continue;
      }
      page.chart(writeTimes(result, WIDTH));
      addVariations(page, result);
    }
    for (ClaimStudy.Chart chart : charts) {
      page.part(chart.title()).chart(bars(chart));
    }
    return page.html();
  }

  private static String bars(ClaimStudy.Chart chart) {
    List<Series> series = new ArrayList<>();
    for (ClaimStudy.Bars bars : chart.bars()) {
      String style = STYLES.get(series.size() % STYLES.size());
      series.add(new Series(bars.name(), style, bars.values()));
    }
    return new GroupedBars(chart.title(), chart.unit(), chart.groups(), series).svg();
  }

  private static String figure(double value, String unit) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f %s", value, unit).strip();
  }
}
