package org.rackweave.hadoop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rackweave.hadoop.SuiteOutcome.Result;

/** What each class of Hadoop's tests did on stock HDFS and with Rackweave, side by side. */
final class SuiteTable {
  private static final String ROW = "%-44s %6s %6s %6s %6s %6s %2s %6s %6s %6s %6s %6s%n";

  private final List<String> rows = new ArrayList<>();

  /**
   * @param way with which settings of Rackweave's, when not with the usual ones; else empty
   * @param stock {@code null} where it was not run
   * @param again what became of tests that failed with Rackweave only and were run again
   */
  synchronized void add(
      String testClass, String way, SuiteOutcome stock, SuiteOutcome ours, Iterable<String> again) {
    Object[] cells = new Object[12];
    cells[0] = (testClass.substring(testClass.lastIndexOf('.') + 1) + " " + way).strip();
    fill(cells, 1, stock);
    cells[6] = "";
    fill(cells, 7, ours);
    StringBuilder row = new StringBuilder(ROW.formatted(cells));
    again.forEach(line -> row.append("  again: ").append(line).append(System.lineSeparator()));
    rows.add(row.toString());
  }

  private static void fill(Object[] cells, int from, SuiteOutcome outcome) {
    if (outcome == null) {
      Arrays.fill(cells, from, from + 5, "-");
      return;
    }
    cells[from] = outcome.results().size();
    cells[from + 1] = outcome.count(Result.PASSED);
    cells[from + 2] = outcome.count(Result.FAILED) + outcome.count(Result.HUNG);
    cells[from + 3] = outcome.count(Result.SKIPPED);
    cells[from + 4] = outcome.seconds() + (outcome.complete() ? "" : "!");
  }

  /** The table as text; seconds of a JVM that had to be killed end with an exclamation mark. */
  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    text.append(ROW.formatted("", "stock", "", "", "", "", "", "with", "Rackweave", "", "", ""));
    text.append(
        ROW.formatted(
            "class", "found", "passed", "failed", "skip", "s", "", "found", "passed", "failed",
            "skip", "s"));
    rows.stream().sorted().forEach(text::append);
    return text.toString();
  }
}
