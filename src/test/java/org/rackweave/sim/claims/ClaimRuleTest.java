package org.rackweave.sim.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.claims.Claim.Verdict;
import org.rackweave.sim.claims.ClaimRule.Judgement;
import org.rackweave.sim.statistics.Estimate;

/** What each claim asks, and on which side of that it is met. */
class ClaimRuleTest {

  private static final List<ClaimRule> RULES =
      Stream.of("sinbad", "ear", "dayu", "eafr")
          .flatMap(paper -> ClaimRule.of(paper).stream())
          .toList();

  @Test
  void asksWhatThePapersFound() {
    List<String> asked = new ArrayList<>();
    for (ClaimRule rule : RULES) {
      rule.conditions().forEach(condition -> asked.add(rule.id() + ": " + condition));
    }
    assertEquals(
        List.of(
            "sinbad-mean-write: the better of times over 1.58 and of share of the optimum's"
                + " gain over 0.65 at least 1.000",
            "sinbad-shares: faster at least 0.410",
            "sinbad-shares: slower at most 0.120",
            "sinbad-optimum: times at least 1.890",
            "sinbad-optimum: times more than Sinbad's on every seed above 0.000",
            "sinbad-cv: towards the core at most -0.300",
            "sinbad-cv: towards the racks at most -0.280",
            "sinbad-no-disk: times at least 1.790",
            "sinbad-storage-balance: times stock's at most 1.100",
            "sinbad-load: twice the load over once below 1.000",
            "sinbad-interval: 10 s over none at most 1.050",
            "sinbad-shipped: the least of all scenarios at least 0.950",
            "ear-cross-rack: EAR's most at most 0.000",
            "ear-cross-rack: EAR's most at most 0.000",
            "ear-cross-rack: RR's distance from k (1 - 2/R) at most 0.050",
            "ear-cross-rack: RR's distance from k (1 - 2/R) at most 0.050",
            "ear-relocation: EAR's most at most 0.000",
            "ear-relocation: EAR's most at most 0.000",
            "ear-draws: draws over the bound, the worst at most 1.020",
            "ear-b2-k: the least of encoding and writing at least 1.000",
            "ear-b2-parity: the least of encoding and writing at least 1.000",
            "ear-b2-bandwidth: the least of encoding and writing at least 1.000",
            "ear-b2-write-rate: the least of encoding and writing at least 1.000",
            "ear-b2-c: the least of encoding and writing at least 1.000",
            "ear-b2-replicas: the least of encoding and writing at least 1.000",
            "ear-encoding-throughput: k = 4 at least 0.149",
            "ear-encoding-throughput: k = 10 at least 0.547",
            "ear-encoding-throughput: k = 8, alone at least 0.525",
            "ear-encoding-throughput: beside 800 Mb/s at least 1.147",
            "ear-write-response: saved at least 0.074",
            "ear-encoding-time: saved at least 0.266",
            "ear-b1-write: per cent off at most 4.300",
            "ear-b1-encode: per cent off at most 4.300",
            "ear-storage-balance: times RR's at most 1.100",
            "ear-read-balance: times RR's at most 1.100",
            "ear-mapreduce: reads, saved by EAR between -0.050 and 0.050",
            "ear-mapreduce: writes, saved by EAR between -0.050 and 0.050",
            "dayu-over-ideal: the figure at most 1.140",
            "dayu-interference: the figure below 2.000",
            "dayu-overlap: the figure at most 1.100",
            "dayu-overlap: interference factor below 2.000",
            "dayu-vs-g1: the figure at least 1.120",
            "dayu-scale: the figure at least 25000.000",
            "dayu-straggler: saved at least 0.126",
            "dayu-priority: saved at least 0.042",
            "dayu-alpha: saved between 0.061 and 0.121",
            "dayu-alpha: a step's time over the one's before below 1.000",
            "dayu-alpha: points of interference more with a step above 0.000",
            "dayu-beta: the figure at most 1.010",
            "dayu-beta: points that interference differs by at most 0.100",
            "eafr-replicas-latency: the figure between 2.200 and 3.300",
            "eafr-concurrency: the figure above 1.000",
            "eafr-arrival: the figure above 1.000",
            "eafr-replication-time: the figure at least 0.250",
            "eafr-energy: the figure above 150.000",
            "eafr-overload: the figure below 0.000",
            "eafr-storage: the figure below 1.000",
            "eafr-maintenance: the figure below 1.000",
            "eafr-failures: points more than HDFS and CDRM above 0.000",
            "eafr-failures: with r = 2 points more than HDFS or CDRM below 0.000",
            "eafr-rate: the figure below 1.000",
            "eafr-net: the figure below 1.000",
            "eafr-load: the figure below 1.000",
            "eafr-never-worse: 99th percentile at most 1.000",
            "eafr-never-worse: median at most 1.000",
            "eafr-never-worse: late at most 0.000",
            "eafr-never-worse: overloaded at most 0.000"),
        asked);
  }

  /** On either side of every limit, the others being held. */
  @Test
  void verdictsTurnAtTheirLimits() {
    for (ClaimRule rule : RULES) {
      List<Estimate> held =
          rule.asked().stream().map(one -> Estimate.of(within(one.bound()))).toList();
      assertEquals(new Judgement(Verdict.MET, ""), rule.judge(held), rule.id());
      for (int i = 0; i < held.size(); i++) {
        Bound bound = rule.asked().get(i).bound();
        for (double limit : limits(bound)) {
          for (double value : List.of(Math.nextDown(limit), limit, Math.nextUp(limit))) {
            boolean holds =
                bound.hasEnds()
                    ? value >= bound.low() && value <= bound.high()
                    : value > bound.low() && value < bound.high();
            List<Estimate> seen = new ArrayList<>(held);
            seen.set(i, Estimate.of(value));
            Verdict verdict = holds ? Verdict.MET : Verdict.NOT_MET;
            assertEquals(verdict, rule.judge(seen).verdict(), rule.id() + " at " + value);
          }
        }
      }
    }
  }

  /** An interval that lies on both sides of a limit decides nothing. */
  @Test
  void intervalsAcrossALimitAreUndecided() {
    for (ClaimRule rule : RULES) {
      for (int i = 0; i < rule.asked().size(); i++) {
        for (double limit : limits(rule.asked().get(i).bound())) {
          List<Estimate> seen =
              new ArrayList<>(
                  rule.asked().stream().map(one -> Estimate.of(within(one.bound()))).toList());
          seen.set(i, Estimate.of(limit - 0.001, limit + 0.001));
          Judgement judgement = rule.judge(seen);
          assertEquals(Verdict.UNDECIDED, judgement.verdict(), rule.id() + " at " + limit);
          assertTrue(judgement.why().contains(" and not for certain "), judgement.why());
        }
      }
    }
  }

  @Test
  void intervalsBesideALimitDecide() {
    Bound bound = Bound.parse("at most 1.1").with(0.05);
    assertEquals(Verdict.MET, bound.of(Estimate.of(1.0, 1.01)));
    assertEquals(Verdict.UNDECIDED, bound.of(Estimate.of(1.0, 1.1)));
    assertEquals(Verdict.NOT_MET, bound.of(Estimate.of(1.3, 1.31)));
  }

  @Test
  void whatIsUndecidedIsNotMetWhereAnythingElseIsNot() {
    ClaimRule rule = RULES.stream().filter(one -> one.id().equals("sinbad-shares")).findAny().get();
    Judgement judgement = rule.judge(List.of(Estimate.of(0.4, 0.42), Estimate.of(0.2)));
    assertEquals(Verdict.NOT_MET, judgement.verdict());
    assertEquals(
        "faster is 0.410 +-0.127 and not for certain at least 0.410;"
            + " slower is 0.200 and not at most 0.120",
        judgement.why());
  }

  @Test
  void whatWasNotSeenIsNotMet() {
    for (ClaimRule rule : RULES) {
      List<Estimate> nothing = Collections.nCopies(rule.asked().size(), Estimate.of(Double.NaN));
      assertEquals(Verdict.NOT_MET, rule.judge(nothing).verdict(), rule.id());
    }
  }

  @Test
  void everyClaimAsksSomething() {
    assertEquals(RULES.size(), RULES.stream().map(ClaimRule::id).distinct().count());
    RULES.forEach(rule -> assertFalse(rule.asked().isEmpty(), rule.id()));
  }

  private static List<Double> limits(Bound bound) {
    return Stream.of(bound.low(), bound.high()).filter(Double::isFinite).distinct().toList();
  }

  private static double within(Bound bound) {
    if (Double.isInfinite(bound.high())) {
      return bound.low() + 1e-3;
    }
    return Double.isInfinite(bound.low()) ? bound.high() - 1e-3 : (bound.low() + bound.high()) / 2;
  }
}
