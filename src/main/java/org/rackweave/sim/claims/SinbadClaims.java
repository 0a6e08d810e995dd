package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.rackweave.sim.claims.ScenarioClaim.Asked;
import org.rackweave.sim.claims.ScenarioClaim.Figure;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.Improvement;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;

/** Sinbad's claims (Chowdhury, Kandula, Stoica, SIGCOMM 2013, section 7). */
public final class SinbadClaims implements ClaimSet {
  private static final String MAIN = "sinbad";
  private static final String MEMORY = "sinbad-memory";
  private static final String DAY = "sinbad-day";
  private static final String LOAD = "sinbad-load";
  private static final String INTERVAL = "sinbad-interval";
  private static final String MORE_WRITES = "sinbad-more-writes";
  private static final String MADE_UP = "sinbad-made-up";

  private static final String SINBAD = "sinbad";
  private static final String AT_ONCE = "sinbad-at-once";
  private static final String OPTIMUM = "optimum";
  private static final String DISK_RATE = "sinbad-disk-rate";

  private static final double MEAN_WRITE = 1.58;
  private static final double NO_DISK = 1.79;
  private static final double BEST = 1.89;

  /** (1.58 - 1) / (1.89 - 1). */
  private static final double SHARE_OF_BEST = 0.65;

  /** By which a share of blocks, a change of Cv or a quotient may miss the paper's. */
  private static final double TOLERANCE = 0.05;

  /** How much worse than uniform a balance may be and still be as good, as a fraction. */
  private static final double BALANCE_TOLERANCE = 0.1;

  private static final Figure FASTER =
      new Figure(
          MAIN,
          "faster",
          "of blocks",
          0.46,
          result -> result.improvement(SINBAD, Improvement::improved));

  private static final Figure SLOWER = share(MAIN, "slower", 0.07, SINBAD, Improvement::slower);
  private static final Figure BEST_TIMES = times(MAIN, "times", BEST, OPTIMUM);
  private static final Figure UP = change("towards the core", -0.35, PolicyFigures::cvUp);
  private static final Figure DOWN = change("towards the racks", -0.33, PolicyFigures::cvDown);
  private static final Figure IN_MEMORY = times(MEMORY, "times", NO_DISK, SINBAD);

  private static final Figure TWICE_THE_LOAD =
      quotient(LOAD, "twice the load over once", "shuffles.speed", "2", "1");

  private static final Figure WAITING =
      quotient(INTERVAL, "10 s over none", "sinbad.decision-interval", "10s", "0ms");

  /** All but what ships. */
  static final List<ScenarioClaim> CLAIMS =
      List.of(
          new ScenarioClaim(
              "sinbad-mean-write",
              "7.2",
              "Mean time of a block write, stock over Sinbad",
              true,
              times(MAIN, "times", MEAN_WRITE, SINBAD),
              List.of(
                  new Asked(
                      MAIN,
                      "the better of times over 1.58 and of share of the optimum's gain over 0.65",
                      Bound.atLeast(1),
                      result ->
                          Math.max(
                              improvement(result, SINBAD).mean() / MEAN_WRITE,
                              shareOfBest(result, SINBAD).mean() / SHARE_OF_BEST))),
              meanWriteDetails()),
          new ScenarioClaim(
              "sinbad-shares",
              "7.2",
              "Blocks whose write becomes faster by more than 5 %",
              false,
              FASTER,
              List.of(
                  FASTER.asked(Bound.atLeast(0.46 - TOLERANCE)),
                  SLOWER.asked(Bound.atMost(0.07 + TOLERANCE))),
              List.of(
                  share(MAIN, "same", 0.47, SINBAD, Improvement::same),
                  SLOWER,
                  share(MAIN, "at least twice as fast", 0.16, SINBAD, Improvement::twice),
                  share(MAIN, "faster, q = 0", Double.NaN, AT_ONCE, Improvement::improved),
                  share(MAIN, "slower, q = 0", Double.NaN, AT_ONCE, Improvement::slower))),
          new ScenarioClaim(
              "sinbad-optimum",
              "7.2",
              "Mean improvement if nothing limited a write at its source",
              false,
              BEST_TIMES,
              List.of(
                  BEST_TIMES.asked(Bound.atLeast(BEST)),
                  new Asked(
                      MAIN,
                      "times more than Sinbad's on every seed",
                      Bound.above(0),
                      SinbadClaims::leastLead)),
              List.of(
                  share(MAIN, "faster", 0.58, OPTIMUM, Improvement::improved),
                  share(MAIN, "same", 0.39, OPTIMUM, Improvement::same),
                  share(MAIN, "slower", 0.03, OPTIMUM, Improvement::slower))),
          new ScenarioClaim(
              "sinbad-cv",
              "7.4",
              "Change of the median coefficient of variation of the rack links' load, towards the"
                  + " racks",
              false,
              DOWN,
              List.of(
                  UP.asked(Bound.atMost(-0.35 + TOLERANCE)),
                  DOWN.asked(Bound.atMost(-0.33 + TOLERANCE))),
              List.of(
                  UP,
                  ofStock(MAIN, "stock, towards the racks", "", PolicyFigures::cvDown),
                  ofStock(MAIN, "stock, towards the core", "", PolicyFigures::cvUp))),
          new ScenarioClaim(
              "sinbad-no-disk",
              "7.6",
              "Mean time of a block write where blocks are kept in memory, stock over Sinbad",
              false,
              IN_MEMORY,
              List.of(IN_MEMORY.asked(Bound.atLeast(NO_DISK))),
              List.of(
                  shareOfBest(MEMORY, "share of the optimum's gain", Double.NaN, SINBAD),
                  times(MEMORY, "optimum", Double.NaN, OPTIMUM),
                  share(MEMORY, "faster", 0.64, SINBAD, Improvement::improved),
                  share(MEMORY, "same", 0.29, SINBAD, Improvement::same),
                  share(MEMORY, "slower", 0.07, SINBAD, Improvement::slower))),
          new ScenarioClaim(
              "sinbad-storage-balance",
              "7.4",
              "Coefficient of variation of the bytes in the racks after a day, beside stock's",
              false,
              new Figure(
                  DAY,
                  "",
                  "",
                  result -> result.figure(result.baseline(), PolicyFigures::rackBytesCv).mean(),
                  result -> result.figure(SINBAD, PolicyFigures::rackBytesCv)),
              List.of(
                  new Asked(
                      DAY,
                      "times stock's",
                      Bound.atMost(1 + BALANCE_TOLERANCE),
                      result ->
                          result.figure(SINBAD, PolicyFigures::rackBytesCv).mean()
                              / result
                                  .figure(result.baseline(), PolicyFigures::rackBytesCv)
                                  .mean())),
              List.of(
                  new Figure(
                      DAY,
                      "standard deviation over nodes, of their capacity",
                      "%",
                      0.57,
                      result -> nodeDeviation(result, SINBAD)),
                  new Figure(
                      DAY,
                      "the same under stock",
                      "%",
                      result -> nodeDeviation(result, result.baseline())),
                  times(DAY, "improvement over the day", Double.NaN, SINBAD))),
          new ScenarioClaim(
              "sinbad-load",
              "7.5",
              "Mean improvement with shuffles twice as fast, over that with shuffles as recorded",
              false,
              TWICE_THE_LOAD,
              List.of(TWICE_THE_LOAD.asked(Bound.below(1))),
              List.of(
                  varied(LOAD, "half the speed", "shuffles.speed", "0.5"),
                  varied(LOAD, "as recorded", "shuffles.speed", "1"),
                  varied(LOAD, "twice the speed", "shuffles.speed", "2"))),
          new ScenarioClaim(
              "sinbad-interval",
              "6.2, 7.2",
              "Mean improvement when deciding every 10 s, over that when deciding at once",
              false,
              WAITING,
              List.of(WAITING.asked(Bound.atMost(1 + TOLERANCE))),
              List.of(
                  varied("sinbad.decision-interval", "0ms"),
                  varied("sinbad.decision-interval", "1s"),
                  varied("sinbad.decision-interval", "10s"),
                  varied("sinbad.alpha", "0.05"),
                  varied("sinbad.alpha", "0.5"),
                  varied("sinbad.alpha", "1"),
                  varied("sinbad.interval", "3s"),
                  varied("sinbad.interval", "10s"))));

  @Override
  public List<String> scenarios() {
    return List.of(MAIN, MEMORY, DAY, LOAD, INTERVAL, MORE_WRITES, MADE_UP);
  }

  @Override
  public List<Claim> judge(Map<String, ScenarioResult> results) {
    List<Claim> claims = new ArrayList<>(ScenarioClaim.judge(CLAIMS, results));
    Map<String, ScenarioResult> all = new LinkedHashMap<>(results);
    all.keySet().retainAll(scenarios());
    if (!all.isEmpty()) {
      claims.add(SinbadShipped.claim(all));
    }
    return claims;
  }

  private static List<Figure> meanWriteDetails() {
    return List.of(
        new Figure(
            MAIN,
            "median over blocks",
            "times",
            result -> result.improvement(SINBAD, Improvement::median)),
        shareOfBest(MAIN, "share of the optimum's gain", SHARE_OF_BEST, SINBAD),
        times(MAIN, "optimum", BEST, OPTIMUM),
        new Figure(
            MAIN,
            "with the wait for the decision",
            "times",
            result -> result.improvement(SINBAD, Improvement::ofMeansWithWait)),
        times(MAIN, "deciding at once (q = 0)", Double.NaN, AT_ONCE),
        shareOfBest(MAIN, "deciding at once, share of the optimum's gain", Double.NaN, AT_ONCE),
        onWorstSeed("deciding at once, the same on its worst seed", AT_ONCE),
        times(MAIN, "variant disk-rate", Double.NaN, DISK_RATE),
        shareOfBest(
            MAIN, "variant disk-rate, share of the optimum's gain", SHARE_OF_BEST, DISK_RATE),
        onWorstSeed("variant disk-rate, the same on its worst seed", DISK_RATE),
        new Figure(
            MAIN,
            "shuffles, by their bytes",
            "times",
            1.18,
            result -> result.improvement(SINBAD, Improvement::ofTransfers)),
        times(MADE_UP, "made-up shuffles: optimum", Double.NaN, OPTIMUM),
        times(MADE_UP, "made-up shuffles: " + AT_ONCE, Double.NaN, AT_ONCE),
        shareOfBest(
            MADE_UP,
            "made-up shuffles: " + AT_ONCE + ", share of the optimum's gain",
            Double.NaN,
            AT_ONCE),
        times(MADE_UP, "made-up shuffles: " + DISK_RATE, Double.NaN, DISK_RATE),
        shareOfBest(
            MADE_UP,
            "made-up shuffles: " + DISK_RATE + ", share of the optimum's gain",
            Double.NaN,
            DISK_RATE));
  }

  private static Figure times(String scenario, String what, double paper, String policy) {
    return new Figure(scenario, what, "times", paper, result -> improvement(result, policy));
  }

  private static Figure share(
      String scenario,
      String what,
      double paper,
      String policy,
      ToDoubleFunction<Improvement> share) {
    return new Figure(scenario, what, "", paper, result -> result.improvement(policy, share));
  }

  private static Figure shareOfBest(String scenario, String what, double paper, String policy) {
    return new Figure(scenario, what, "", paper, result -> shareOfBest(result, policy));
  }

  private static Figure onWorstSeed(String what, String policy) {
    return new Figure(MAIN, what, "", result -> Estimate.of(shareOfBest(result, policy).least()));
  }

  private static Figure ofStock(
      String scenario, String what, String unit, ToDoubleFunction<PolicyFigures> figure) {
    return new Figure(scenario, what, unit, result -> result.figure(result.baseline(), figure));
  }

  private static Figure varied(String target, String value) {
    return varied(INTERVAL, target + "=" + value, target, value);
  }

  private static Figure varied(String scenario, String what, String target, String value) {
    Function<ScenarioResult, Estimate> ours =
        result -> improvement(result.variation(target, value), SINBAD);
    return new Figure(scenario, what, "times", ours);
  }

  private static Estimate improvement(ScenarioResult result, String policy) {
    return result.improvement(policy, Improvement::ofMeans);
  }

  private static Estimate nodeDeviation(ScenarioResult result, String policy) {
    double capacity = result.scenario().cluster().capacityBytes().mean();
    return result.figure(policy, figures -> 100 * figures.nodeDeviationBytes() / capacity);
  }

  /** The improvement with one value of a setting over that with another. */
  private static Figure quotient(
      String scenario, String what, String target, String over, String under) {
    Function<ScenarioResult, Estimate> ours =
        result ->
            Estimate.of(
                improvement(result.variation(target, over), SINBAD).mean()
                    / improvement(result.variation(target, under), SINBAD).mean());
    return new Figure(scenario, what, "", 1, ours);
  }

  /** Share of the optimum's (gain - 1), seed by seed. */
  private static Estimate shareOfBest(ScenarioResult result, String policy) {
    return Estimate.of(
        bySeed(result, policy, (ours, best) -> (ours.ofMeans() - 1) / (best.ofMeans() - 1)));
  }

  private static double leastLead(ScenarioResult result) {
    return Estimate.of(bySeed(result, SINBAD, (ours, best) -> best.ofMeans() - ours.ofMeans()))
        .least();
  }

  private static double[] bySeed(
      ScenarioResult result,
      String policy,
      ToDoubleBiFunction<Improvement, Improvement> withOptimum) {
    List<Improvement> ours = result.improvements(policy);
    List<Improvement> best = result.improvements(OPTIMUM);
    return IntStream.range(0, ours.size())
        .mapToDouble(seed -> withOptimum.applyAsDouble(ours.get(seed), best.get(seed)))
        .toArray();
  }

  private static Figure change(String what, double paper, ToDoubleFunction<PolicyFigures> figure) {
    return new Figure(MAIN, what, "", paper, result -> change(result, figure));
  }

  private static Estimate change(ScenarioResult result, ToDoubleFunction<PolicyFigures> figure) {
    double[] changes = new double[result.of(SINBAD).size()];
    for (int seed = 0; seed < changes.length; seed++) {
      changes[seed] =
          figure.applyAsDouble(PolicyFigures.of(result.of(SINBAD).get(seed)))
              - figure.applyAsDouble(PolicyFigures.of(result.of(result.baseline()).get(seed)));
    }
    return Estimate.of(changes);
  }
}
