package org.rackweave.sim.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What each claim asks, and on which side of that it is met. */
class ScenarioClaimTest {

  private static final List<ScenarioClaim> CLAIMS =
      Stream.of(SinbadClaims.CLAIMS, EarClaims.CLAIMS).flatMap(List::stream).toList();

  @Test
  void asksWhatThePapersFound() {
    List<String> asked = new ArrayList<>();
    for (ScenarioClaim claim : CLAIMS) {
      claim.asked().forEach(one -> asked.add(claim.id() + ": " + one.what() + " " + one.bound()));
    }
    assertEquals(
        List.of(
            "sinbad-mean-write: the better of times over 1.58 and of share of the optimum's g"
                + "ain over 0.65 at least 1.000",
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
            "ear-mapreduce: from 1 at most 0.050"),
        asked);
  }

  /** On either side of every limit, the others being held. */
  @Test
  void verdictsTurnAtTheirLimits() {
    for (ScenarioClaim claim : CLAIMS) {
      double[] held =
          claim.asked().stream().mapToDouble(one -> besideLimit(one.bound(), true)).toArray();
      assertEquals("", ScenarioClaim.whyNot(claim.asked(), held), claim.id());
      for (int i = 0; i < held.length; i++) {
        double[] missed = held.clone();
        missed[i] = besideLimit(claim.asked().get(i).bound(), false);
        String why = ScenarioClaim.whyNot(claim.asked(), missed);
        assertTrue(why.startsWith(claim.asked().get(i).what() + " is "), claim.id() + ": " + why);
      }
    }
  }

  @Test
  void whatWasNotSeenIsNotMet() {
    for (ScenarioClaim claim : CLAIMS) {
      double[] nothing = new double[claim.asked().size()];
      Arrays.fill(nothing, Double.NaN);
      assertFalse(ScenarioClaim.whyNot(claim.asked(), nothing).isEmpty(), claim.id());
    }
  }

  /** The number nearest to a bound's limit on which it holds, or does not. */
  private static double besideLimit(Bound bound, boolean holds) {
    double limit = Double.isInfinite(bound.low()) ? bound.high() : bound.low();
    if (bound.hasEnds() == holds) {
      return limit;
    }
    return holds == Double.isInfinite(bound.high()) ? Math.nextUp(limit) : Math.nextDown(limit);
  }
}
