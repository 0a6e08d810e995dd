package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;

/**
 * A claim that scenarios judge, as data.
 *
 * @param id for programs, {@code <paper>-<what>}
 * @param section of the paper
 * @param about what is compared
 * @param isHeadline whether the paper stands or falls with it
 * @param figure what is shown beside the paper's; its scenario must have been run
 * @param asked what must hold for the claim to be met, all of it
 * @param details further figures, of scenarios that were run
 */
record ScenarioClaim(
    String id,
    String section,
    String about,
    boolean isHeadline,
    Figure figure,
    List<Asked> asked,
    List<Figure> details) {

  /**
   * A figure of a scenario.
   *
   * @param unit as people write it; may be empty
   * @param paper the paper's figure, NaN where it gives none
   */
  record Figure(
      String scenario,
      String what,
      String unit,
      ToDoubleFunction<ScenarioResult> paper,
      Function<ScenarioResult, Estimate> ours) {

    Figure(
        String scenario,
        String what,
        String unit,
        double paper,
        Function<ScenarioResult, Estimate> ours) {
      this(scenario, what, unit, result -> paper, ours);
    }

    /** One that the paper does not give. */
    Figure(String scenario, String what, String unit, Function<ScenarioResult, Estimate> ours) {
      this(scenario, what, unit, Double.NaN, ours);
    }

    /** A bound for its mean over the seeds. */
    Asked asked(Bound bound) {
      return new Asked(scenario, what, bound, result -> ours.apply(result).mean());
    }
  }

  /** What must hold of a scenario, if that was run. */
  record Asked(String scenario, String what, Bound bound, ToDoubleFunction<ScenarioResult> seen) {}

  /** Judges all claims whose scenario was run. */
  static List<Claim> judge(List<ScenarioClaim> claims, Map<String, ScenarioResult> results) {
    return claims.stream()
        .filter(claim -> results.containsKey(claim.figure.scenario))
        .map(claim -> claim.judge(results))
        .toList();
  }

  private Claim judge(Map<String, ScenarioResult> results) {
    ScenarioResult result = results.get(figure.scenario);
    List<Claim.Detail> seen = new ArrayList<>();
    for (Figure one : details) {
      ScenarioResult its = results.get(one.scenario);
      if (its != null) {
        seen.add(
            new Claim.Detail(
                one.what, one.unit, one.paper.applyAsDouble(its), one.ours.apply(its)));
      }
    }
    List<Asked> run = asked.stream().filter(one -> results.containsKey(one.scenario)).toList();
    String why =
        whyNot(
            run,
            run.stream()
                .mapToDouble(one -> one.seen.applyAsDouble(results.get(one.scenario)))
                .toArray());
    return new Claim(
        id,
        String.format("%s (section %s); met with %s.", about, section, wanted()),
        isHeadline,
        figure.unit,
        figure.paper.applyAsDouble(result),
        figure.ours.apply(result),
        why.isEmpty(),
        why,
        seen);
  }

  private String wanted() {
    return asked.stream()
        .map(one -> one.what + " " + one.bound)
        .distinct()
        .collect(Collectors.joining(", and "));
  }

  /**
   * The verdict.
   *
   * @param seen of what is asked, in its order
   * @return what does not hold, or nothing when the claim is met
   */
  static String whyNot(List<Asked> asked, double... seen) {
    List<String> missed = new ArrayList<>();
    for (int i = 0; i < seen.length; i++) {
      Asked one = asked.get(i);
      if (!one.bound.holds(seen[i])) {
        missed.add(
            String.format(Locale.ROOT, "%s is %.3f and not %s", one.what, seen[i], one.bound));
      }
    }
    return String.join("; ", missed);
  }
}
