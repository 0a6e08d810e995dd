package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.TextTable;

/** What every comparison shows on its page. */
final class ResultPage {

  private ResultPage() {}

  /** Adds the figures of all contenders. */
  static <R extends MeasuredRun> void addFigures(
      Page page, Results<R> results, List<Figure<R>> figures) {
    TextTable table = ResultTables.figures(results, figures);
    page.section("Figures").table(table.head(), table.rows());
    page.paragraph("Mean over seeds and standard deviation between them.");
  }

  /** Adds every run and what it was measured on. */
  static <R extends MeasuredRun> void addRunsAndFacts(
      Page page, Results<R> results, List<Figure<R>> figures) {
    TextTable runs = ResultTables.runs(results, figures);
    page.section("Runs").table(runs.head(), runs.rows());
    page.paragraph(
        String.format(
            Locale.ROOT,
            "A run is repeated, %d times at most, when others use more than %.0f %% of the processors"
                + " while it lasts; %d were. Foreign and busy are shares of all processors' time.",
            results.trials().repeatsMax(),
            100 * results.trials().foreignCpuLimit(),
            results.rejected().size()));
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, String> fact : results.facts().entrySet()) {
      rows.add(List.of(fact.getKey(), fact.getValue()));
    }
    page.section("Measured on").table(List.of("", ""), rows);
  }

  /** A contender's values in its colour. */
  static Series series(Contender contender, double[] values) {
    return new Series(contender.label(), contender.colour(), values);
  }
}
