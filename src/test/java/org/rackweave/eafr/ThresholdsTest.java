package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.eafr.Thresholds.PAPER;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Section 3.2.2 and Eq. 6, with the thresholds of section 4 unless said otherwise. */
class ThresholdsTest {

  private static FileReads reads(double... replicas) {
    return FileReads.ofReplicas(replicas);
  }

  @Test
  void aFileIsHotAboveTauUpperReadsPerReplica() {
    Thresholds onlyTotal = new Thresholds(20, 10, 1000, 1, 0.5, 0.5, 0.8);
    assertNull(onlyTotal.hot(reads(20, 20, 20), 3));
    assertEquals(new Finding(Equation.EQ2, 61 / 3.0, 20), onlyTotal.hot(reads(20, 20, 21), 3));
  }

  @Test
  void sharesAreOfWhatAServerServesAndReadsAreReads() {
    Thresholds quiet = ThresholdRule.RELATIVE.at(100);
    assertEquals(new Thresholds(10, 5, 4, 0.5, 0.5, 0.3, 0.8), quiet);
    Thresholds busy = ThresholdRule.RELATIVE.at(4000);
    assertEquals(
        new Thresholds(400, PAPER.tauLower(), 160, PAPER.sigmaLower(), 0.5, 0.3, 0.8),
        busy,
        "who is read as much is not cold");
    assertEquals(
        new Thresholds(4, 0.05, 2, 0.005, 0.5, 0.3, 0.8),
        ThresholdRule.RELATIVE.at(0),
        "a few reads gain nothing from another replica");
    assertEquals(PAPER, ThresholdRule.PAPER.at(400));
  }

  @Test
  void moreThanHalfOfTheServersAreToBeOverloaded() {
    Servers servers =
        Clusters.of(1, 4)
            .reads(0, 9)
            .reads(1, 1)
            .linkLoad(1, 0.81)
            .reads(2, 1)
            .linkLoad(2, 0.8)
            .linkLoad(3, 1)
            .build();
    assertTrue(servers.isAnyOverloaded(0.8));
    assertFalse(servers.isAnyOverloaded(0.9), "nobody reads from the last");
    assertEquals(
        new Finding(Equation.EQ6, 2 / 3.0, 0.5), PAPER.overloaded(new int[] {0, 1, 2}, servers));
    assertNull(PAPER.overloaded(new int[] {1, 2}, servers), "one of two is not more than half");
  }

  @Test
  void aFileIsHotWhenMoreThanGammaOfItsReplicasAre() {
    assertNull(PAPER.hot(reads(9, 9, 8, 0), 4), "half of them is not more than half");
    assertEquals(new Finding(Equation.EQ3, 0.75, 0.5), PAPER.hot(reads(9, 9, 9, 0), 4));
  }

  @Test
  void aFileIsColdOnlyWhenBothEquationsSaySo() {
    assertEquals(new Finding(Equation.EQ4_AND_5, 5 / 3.0, 10), PAPER.cold(reads(0, 0, 5), 3));
    assertNull(PAPER.cold(reads(1, 1, 0), 3), "Eq. 4 alone");
    assertNull(PAPER.cold(reads(0, 0, 30), 3), "Eq. 5 alone");
    assertEquals(Temperature.COLD, PAPER.temperature(reads(0, 0, 5), 3));
    assertEquals(Temperature.NORMAL, PAPER.temperature(reads(1, 1, 0), 3));
  }

  @Test
  void whatIsBothHotAndColdIsHot() {
    Thresholds fewDecide = new Thresholds(20, 10, 8, 1, 0.3, 0.5, 0.8);
    FileReads skewed = reads(9, 9, 0, 0);
    assertTrue(fewDecide.cold(skewed, 4) != null && fewDecide.hot(skewed, 4) != null);
    assertEquals(Temperature.HOT, fewDecide.temperature(skewed, 4));
  }

  @Test
  void anErrorOfTheCountersNeverDecides() {
    FileReads unsure = new FileReads(0, 100, new double[] {0, 0, 0}, new double[] {100, 100, 100});
    assertEquals(Temperature.NORMAL, PAPER.temperature(unsure, 3));
  }

  @Test
  void serversDoNotSufficeWhenMoreThanGammaOfThemAreOverloaded() {
    Servers servers = Clusters.of(1, 4).reads(0, 8).reads(1, 9).reads(2, 9).reads(3, 0).build();
    assertNull(PAPER.overloaded(new int[] {0, 1, 3}, servers), "8 of 10 is not above 0.8");
    assertNull(PAPER.overloaded(new int[] {1, 2, 0, 3}, servers));
    assertEquals(
        new Finding(Equation.EQ6, 2 / 3.0, 0.5), PAPER.overloaded(new int[] {1, 2, 3}, servers));
  }

  /** The equations word by word. */
  @Test
  void agreesWithTheEquationsOnRandomReads() {
    long first = System.nanoTime();
    System.out.println("Eq. 2 to 5, first seed " + first);
    for (long seed = first; seed < first + 5000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] v =
          DoubleStream.generate(() -> random.nextInt(30)).limit(1 + random.nextInt(6)).toArray();
      double gamma = (1 + random.nextInt(7)) / 8.0;
      Thresholds t = new Thresholds(10 + random.nextInt(10), 5, 6, 3, gamma, 0.5, 1);
      double r = v.length;
      double sum = DoubleStream.of(v).sum();
      boolean eq2 = sum / r > t.tauUpper();
      boolean eq3 = DoubleStream.of(v).filter(x -> x > t.sigmaUpper()).count() > r * gamma;
      boolean eq4 = sum / r < t.tauLower();
      boolean eq5 = DoubleStream.of(v).filter(x -> x < t.sigmaLower()).count() > r * gamma;
      Temperature expected =
          eq2 || eq3 ? Temperature.HOT : eq4 && eq5 ? Temperature.COLD : Temperature.NORMAL;
      assertEquals(expected, t.temperature(reads(v), v.length), "seed " + seed);
    }
  }

  @Test
  void aFileThatWouldBeHotAgainIsKnownBeforeItLosesAReplica() {
    assertTrue(PAPER.mayBeHotWith(reads(11, 11, 11, 11), 4, 2));
    assertFalse(PAPER.mayBeHotWith(reads(0, 1, 0, 0), 4, 3));
    assertTrue(PAPER.mayBeHotWith(reads(0), 1, 0), "nothing is left without replicas");
  }

  @Test
  void refusesThresholdsOutOfOrderByName() {
    assertEquals(
        "tau_l is 20.0, allowed is (0, tau_u), 20.0", refusal(20, 20, 8, 1, 0.5, 0.5, 0.8));
    assertEquals(
        "sigma_l is 9.0, allowed is (0, sigma_u), 8.0", refusal(20, 10, 8, 9, 0.5, 0.5, 0.8));
    assertEquals("gamma_v is 0.0, allowed is (0, 1)", refusal(20, 10, 8, 1, 0, 0.5, 0.8));
    assertEquals("gamma_s is 1.0, allowed is (0, 1)", refusal(20, 10, 8, 1, 0.5, 1, 0.8));
    assertEquals("tau_c is NaN, allowed is (0, 1]", refusal(20, 10, 8, 1, 0.5, 0.5, Double.NaN));
    assertEquals("tau_u is -1.0, allowed is positive", refusal(-1, 10, 8, 1, 0.5, 0.5, 0.8));
  }

  private static String refusal(
      double tauU, double tauL, double sigmaU, double sigmaL, double v, double s, double c) {
    return assertThrows(
            IllegalArgumentException.class,
            () -> new Thresholds(tauU, tauL, sigmaU, sigmaL, v, s, c))
        .getMessage();
  }
}
