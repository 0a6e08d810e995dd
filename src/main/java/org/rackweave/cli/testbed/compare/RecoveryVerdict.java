package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.Contender;

/**
 * What is wanted of Dayu: close to the ideal, and faster than every setting of stock HDFS that
 * disturbs others no more than Dayu does. Other settings are faster for whom they disturb.
 */
final class RecoveryVerdict {
  private static final double OVER_IDEAL_MAX = 1.3;

  private RecoveryVerdict() {}

  /**
   * Dayu beside a setting of stock.
   *
   * @param speedUp of the rebuild, the mean over seeds
   * @param rise stock's p90 of other writes during the recovery over before
   * @param dayuRise Dayu's
   */
  private record Beside(Contender stock, double speedUp, double rise, double dayuRise) {
    boolean isGentle() {
      return rise <= dayuRise;
    }

    String wanted() {
      return isGentle() ? "more than 1" : "nothing: it disturbs more";
    }

    boolean isReached() {
      return !isGentle() || speedUp > 1;
    }
  }

  /** Dayu with whichever settings. */
  private static List<Contender> judged(Results<RecoveryRun> results) {
    return results.contenders().stream()
        .<Contender>map(one -> one)
        .filter(RecoveryExperiment.DAYU::is)
        .toList();
  }

  private static List<Beside> besides(Results<RecoveryRun> results, Contender dayu) {
    List<Beside> all = new ArrayList<>();
    List<RecoveryRun> runs = results.of(dayu);
    double dayuRise = results.spread(dayu, RecoveryFigures.RISE).mean();
    for (Contender stock : results.contenders()) {
      if (stock instanceof Method method && method.isStock()) {
        double speedUp =
            new Results.Pair<>(results.of(stock), runs).speedUp(RecoveryFigures.REBUILD).mean();
        double rise = results.spread(stock, RecoveryFigures.RISE).mean();
        all.add(new Beside(stock, speedUp, rise, dayuRise));
      }
    }
    return all;
  }

  private static double overIdeal(Results<RecoveryRun> results, Contender dayu) {
    return results.spread(dayu, RecoveryFigures.OVER_IDEAL).mean();
  }

  /** For Dayu a line for the ideal and for every setting of stock; none without Dayu. */
  static TextTable table(Results<RecoveryRun> results) {
    List<List<String>> rows = new ArrayList<>();
    for (Contender dayu : judged(results)) {
      // Said where it is not Dayu as it is asked for first.
      String whose = dayu.equals(RecoveryExperiment.DAYU) ? "" : dayu.label() + ": ";
      double overIdeal = overIdeal(results, dayu);
      rows.add(
          row(
              whose + "rebuild over ideal",
              overIdeal,
              String.format(Locale.ROOT, "%.1f at most", OVER_IDEAL_MAX),
              overIdeal <= OVER_IDEAL_MAX));
      for (Beside beside : besides(results, dayu)) {
        rows.add(
            row(
                String.format(
                    Locale.ROOT,
                    "%srebuild, times as fast as %s (p90 x %.2f, dayu x %.2f)",
                    whose,
                    beside.stock().label(),
                    beside.rise(),
                    beside.dayuRise()),
                beside.speedUp(),
                beside.wanted(),
                beside.isReached()));
      }
    }
    return new TextTable(List.of("dayu", "is", "wanted", "reached"), rows);
  }

  private static List<String> row(String name, double value, String wanted, boolean reached) {
    return List.of(name, String.format(Locale.ROOT, "%.2f", value), wanted, reached ? "yes" : "no");
  }

  /** The same for programs. */
  static void put(ObjectNode root, Results<RecoveryRun> results) {
    for (Contender dayu : judged(results)) {
      ObjectNode wanted = root.putObject(dayu.label() + "_wanted");
      double overIdeal = overIdeal(results, dayu);
      wanted.put("over_ideal", overIdeal);
      wanted.put("over_ideal_max", OVER_IDEAL_MAX);
      wanted.put("over_ideal_reached", overIdeal <= OVER_IDEAL_MAX);
      ObjectNode beside = wanted.putObject("beside");
      for (Beside one : besides(results, dayu)) {
        ObjectNode node = beside.putObject(one.stock().label());
        node.put("rebuild_speed_up", one.speedUp());
        node.put("foreground_p90_ratio", one.rise());
        node.put("faster_is_wanted", one.isGentle());
        node.put("reached", one.isReached());
      }
    }
  }
}
