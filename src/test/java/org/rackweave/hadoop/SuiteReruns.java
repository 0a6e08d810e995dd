package org.rackweave.hadoop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tests that passed on stock HDFS and failed with Rackweave, run again both ways, side by side as
 * the first time. Some of Hadoop's own race, with a sleep in place of a wait. One that fails with
 * Rackweave again has failed, unless it fails on stock, too, run as often, and passes once with
 * Rackweave: then it is excused. One that fails never again has lost a race once; the table says
 * so.
 *
 * <p>What a class did not come to within its time, on stock as with Rackweave, has not been judged
 * yet: for such a test to pass with Rackweave, run again, is enough.
 */
final class SuiteReruns {
  /** Times that tests are run again at most. */
  static final int MAX = 6;

  private final Map<String, Tally> tallies = new TreeMap<>();

  private static final class Tally {
    final boolean isUnjudged;
    int runs;
    int failedWithOurs;
    int failedOnStock;

    Tally(boolean isUnjudged) {
      this.isUnjudged = isUnjudged;
    }

    boolean hasPassed() {
      return failedWithOurs == 0 && runs >= (isUnjudged ? 1 : MAX);
    }

    boolean isExcused() {
      return failedWithOurs < runs && failedOnStock > 0;
    }

    String verdict() {
      return hasPassed() ? "passed" : isExcused() ? "excused" : "FAILED";
    }
  }

  /**
   * Runs tests again until all are excused, or as often as may be.
   *
   * @param unjudged those of them that neither way came to
   * @param ours runs methods with Rackweave
   * @param stock runs methods on stock HDFS
   */
  SuiteReruns(
      List<String> lost,
      Set<String> unjudged,
      Function<Set<String>, SuiteOutcome> ours,
      Function<Set<String>, SuiteOutcome> stock) {
    lost.forEach(test -> tallies.put(test, new Tally(unjudged.contains(test))));
    for (int run = 0; run < MAX && !failed().isEmpty(); run++) {
      List<String> tests = failed();
      Set<String> methods =
          tests.stream().map(SuiteOutcome::method).collect(Collectors.toCollection(TreeSet::new));
      CompletableFuture<SuiteOutcome> onStock =
          CompletableFuture.supplyAsync(() -> stock.apply(methods));
      SuiteOutcome withOurs = ours.apply(methods);
      for (String test : tests) {
        Tally tally = tallies.get(test);
        tally.runs++;
        tally.failedWithOurs += withOurs.hasPassed(test) ? 0 : 1;
        tally.failedOnStock += onStock.join().hasPassed(test) ? 0 : 1;
      }
    }
  }

  /** Tests that have not passed and are not excused. */
  List<String> failed() {
    List<String> failed = new ArrayList<>(tallies.keySet());
    failed.removeIf(test -> tallies.get(test).hasPassed() || tallies.get(test).isExcused());
    return failed;
  }

  /** A line for each test, for people. */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    tallies.forEach(
        (test, tally) ->
            lines.add(
                "%s, of %d runs failed %d with Rackweave, %d on stock: %s"
                    .formatted(
                        test,
                        tally.runs,
                        tally.failedWithOurs,
                        tally.failedOnStock,
                        tally.verdict())));
    return lines;
  }
}
