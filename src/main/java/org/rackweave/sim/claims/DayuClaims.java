package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;

/**
 * Dayu's claims (Wang, Zhang, Wang, Yang, Zhu, USENIX ATC 2019, section 5). Limits that the paper
 * leaves open are stated in each claim. A seed is a failure case.
 */
public final class DayuClaims implements ClaimSet {
  private static final String PAIRS = "dayu-pairs";
  private static final String G1 = "dayu-g1";
  private static final String PANGU = "dayu-pangu";
  private static final String CAUSES = "dayu-causes";
  private static final String OVERLAP = "dayu-overlap";
  private static final String SCALE = "dayu-scale";
  private static final String SCALE_G1 = "dayu-scale-g1";
  private static final String ABLATION = "dayu-ablation";
  private static final String SWEEP = "dayu-sweep";

  private static final String DAYU = "dayu";
  private static final String DAYU_WSS = "dayu-wss";

  private static final double OVER_IDEAL = 1.14;
  private static final double VERY_SMALL_PERCENT = 2;
  private static final double OVER_G1 = 1.12;

  @Override
  public List<String> scenarios() {
    return List.of(PAIRS, G1, PANGU, CAUSES, OVERLAP, SCALE, SCALE_G1, ABLATION, SWEEP);
  }

  @Override
  public List<Claim> judge(Map<String, ScenarioResult> results) {
    List<Claim> claims = new ArrayList<>();
    if (results.containsKey(PAIRS) && results.containsKey(CAUSES)) {
      claims.add(overIdeal(results));
      claims.add(interference(results));
    }
    if (results.containsKey(OVERLAP)) {
      claims.add(DayuOverlap.claim(results.get(OVERLAP)));
    }
    if (results.containsKey(G1)) {
      claims.add(vsG1(results.get(G1)));
    }
    if (results.containsKey(SCALE) && results.containsKey(SCALE_G1)) {
      claims.add(DayuScale.claim(results.get(SCALE), results.get(SCALE_G1)));
    }
    if (results.containsKey(ABLATION)) {
      claims.add(DayuTechniques.straggler(results.get(ABLATION)));
      claims.add(DayuTechniques.priority(results.get(ABLATION)));
    }
    if (results.containsKey(SWEEP)) {
      claims.add(DayuTechniques.alpha(results.get(SWEEP)));
      claims.add(DayuTechniques.beta(results.get(SWEEP)));
    }
    return claims;
  }

  private static Claim overIdeal(Map<String, ScenarioResult> results) {
    ScenarioResult pairs = results.get(PAIRS);
    ScenarioResult causes = results.get(CAUSES);
    Estimate ours = Recoveries.overIdeal(pairs, DAYU_WSS);
    boolean met = ours.mean() <= OVER_IDEAL;
    List<Detail> details = new ArrayList<>();
    details.add(new Detail("ideal", "s", 51, ideal(pairs)));
    details.add(detail("recovery", "s", Recoveries.seconds(pairs, DAYU_WSS)));
    for (ScenarioResult result : withPairs(results)) {
      for (String policy : result.policies()) {
        boolean again = result != pairs && pairs.policies().contains(policy);
        if (!again) {
          details.add(detail(policy + counted(result), "", Recoveries.overIdeal(result, policy)));
        }
      }
    }
    causes
        .cases()
        .forEach(
            (what, result) -> details.add(detail(what, "", Recoveries.overIdeal(result, DAYU))));
    return new Claim(
        "dayu-over-ideal",
        "Recovery time over the ideal one, at which every node uses all that Eq. 1 allows at every"
            + " moment: 250,000 chunks, 3,500 nodes, reports and plans once a slot as in the paper; met"
            + " up to 1.14. The goal of 1.10 is judged by dayu-overlap, which plans as the NameNode.",
        true,
        "times",
        OVER_IDEAL,
        ours,
        met,
        met ? "" : whyOverIdeal(causes),
        details);
  }

  /** The scenarios that make up the table of all pairs, with Pangu's limits beside them. */
  private static List<ScenarioResult> withPairs(Map<String, ScenarioResult> results) {
    List<ScenarioResult> found = new ArrayList<>();
    for (String name : List.of(PAIRS, G1, PANGU)) {
      if (results.containsKey(name)) {
        found.add(results.get(name));
      }
    }
    return found;
  }

  private static String counted(ScenarioResult result) {
    int cases = result.scenario().run().runs();
    return ", " + cases + (cases == 1 ? " case" : " cases");
  }

  private static Estimate ideal(ScenarioResult result) {
    return Recoveries.figure(result, DAYU_WSS, RecoveryOutcome::idealSec);
  }

  private static String whyOverIdeal(ScenarioResult causes) {
    return String.format(
        Locale.ROOT,
        "a report does not tell of the slot that follows: with a foreground that stays as reported it"
            + " is %.2f; where foreground and recovery share links in proportion %.2f; where the"
            + " foreground takes all it wants %.2f",
        over(causes, "foreground.slot", "1h"),
        over(causes, "recovery.contention", "proportional"),
        over(causes, "recovery.contention", "foreground-first"));
  }

  private static double over(ScenarioResult causes, String target, String value) {
    return Recoveries.overIdeal(causes.variation(target, value), DAYU).mean();
  }

  private static Claim interference(Map<String, ScenarioResult> results) {
    ScenarioResult pairs = results.get(PAIRS);
    ScenarioResult causes = results.get(CAUSES);
    Estimate ours = Recoveries.interference(pairs, DAYU_WSS);
    boolean met = ours.mean() < VERY_SMALL_PERCENT;
    List<Detail> details = new ArrayList<>();
    details.add(percent("the worst slot", pairs, RecoveryOutcome::worstSlot));
    details.add(
        percent("the foreground without recovery", pairs, RecoveryOutcome::foregroundAlone));
    details.add(
        percent("all that Eq. 1 allows, the foreground known", pairs, RecoveryOutcome::allowed));
    for (ScenarioResult result : withPairs(results)) {
      for (String policy : result.policies()) {
        if (result == pairs || !pairs.policies().contains(policy)) {
          details.add(
              detail(policy + counted(result), "%", Recoveries.interference(result, policy)));
        }
      }
    }
    causes
        .cases()
        .forEach(
            (what, result) ->
                details.add(detail(what, "%", Recoveries.interference(result, DAYU))));
    return new Claim(
        "dayu-interference",
        "Interference factor (Eq. 3 and 4), on average over the recovery; met below 2 %, which the"
            + " paper calls very small. Its p90 latency of +4 % was measured, not simulated.",
        false,
        "%",
        VERY_SMALL_PERCENT,
        ours,
        met,
        met ? "" : whyInterference(pairs, causes),
        details);
  }

  private static String whyInterference(ScenarioResult pairs, ScenarioResult causes) {
    double all = Recoveries.interference(pairs, DAYU_WSS).mean();
    double alone =
        100 * Recoveries.figure(pairs, DAYU_WSS, RecoveryOutcome::foregroundAlone).mean();
    double allowed = 100 * Recoveries.figure(pairs, DAYU_WSS, RecoveryOutcome::allowed).mean();
    double stays = Recoveries.interference(causes.variation("foreground.slot", "1h"), DAYU).mean();
    return String.format(
        Locale.ROOT,
        "of %.2f %% the foreground alone makes %.2f; B_min, which Eq. 1 gives whatever the foreground"
            + " takes, up to %.2f more; the rest is what the foreground grows by between a report and"
            + " the slot: with one that stays it is %.2f %%",
        all,
        alone,
        allowed - alone,
        stays);
  }

  private static Detail percent(
      String what, ScenarioResult result, ToDoubleFunction<RecoveryOutcome> figure) {
    return detail(
        what,
        "%",
        Recoveries.figure(result, DAYU_WSS, outcome -> 100 * figure.applyAsDouble(outcome)));
  }

  private static Claim vsG1(ScenarioResult g1) {
    Estimate ours = Recoveries.ratio(g1, "g1-measured", "dayu-measured");
    Estimate atPapersSpeed = Recoveries.ratio(g1, "g1-paper-speed", "hull-paper-speed");
    boolean met = ours.mean() >= OVER_G1;
    double planSec = Recoveries.figure(g1, "g1-measured", RecoveryOutcome::planSec).mean();
    return new Claim(
        "dayu-vs-g1",
        "Recovery time with Greedy1, which looks at every node for every chunk, over that with dayu,"
            + " each with the time its planner takes here; met from 1.12 on.",
        false,
        "times",
        OVER_G1,
        ours,
        met,
        met
            ? ""
            : String.format(
                Locale.ROOT,
                "g1 chooses as well as dayu and loses only the time it plans, which is %.2f s for most"
                    + " plans here; at the speeds the paper gives, 30,000 tasks/s and 210,000 with the"
                    + " hull, it is %.2f",
                planSec,
                atPapersSpeed.mean()),
        List.of(
            new Detail("hull over g1 at the paper's speeds", "times", OVER_G1, atPapersSpeed),
            detail(
                "planning taken as half a second for both",
                "times",
                Recoveries.ratio(g1, "g1-wss", "dayu-wss")),
            detail(
                "g1 plans a slot in",
                "s",
                Recoveries.figure(g1, "g1-measured", RecoveryOutcome::planSec)),
            detail(
                "dayu plans a slot in",
                "s",
                Recoveries.figure(g1, "dayu-measured", RecoveryOutcome::planSec))));
  }

  private static Detail detail(String what, String unit, Estimate ours) {
    return new Detail(what, unit, Double.NaN, ours);
  }
}
