package org.rackweave.sim.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SampleTest {
  private static Sample of(double... values) {
    return new Sample(values);
  }

  @Test
  void quantilesLieBetweenNeighbours() {
    Sample sample = of(4, 1, 3, 2);
    assertEquals(1, sample.quantile(0));
    assertEquals(2.5, sample.median());
    assertEquals(3.85, sample.quantile(0.95), 1e-12);
    assertEquals(4, sample.quantile(1));
    assertEquals(1, sample.min());
    assertEquals(4, sample.max());
    assertEquals(0.5, sample.shareAtLeast(3));
  }

  @Test
  void variationIsDeviationOverMean() {
    assertEquals(Math.sqrt(1.25) / 2.5, of(4, 1, 3, 2).variation(), 1e-12);
    assertEquals(0.4, of(2, 4, 4, 4, 5, 5, 7, 9).variation(), 1e-12);
    assertEquals(0, of(3, 3, 3).variation());
    assertEquals(0, of(0, 0).variation());
  }

  @Test
  void whatTheNumbersAreASampleOfDiffersMore() {
    assertEquals(2, of(2, 4, 4, 4, 5, 5, 7, 9).deviation(), 1e-12);
    assertEquals(Math.sqrt(32 / 7.0), of(2, 4, 4, 4, 5, 5, 7, 9).sampleDeviation(), 1e-12);
    assertEquals(Double.NaN, of(7).sampleDeviation());
  }

  @Test
  void nothingHasNoMean() {
    assertEquals(Double.NaN, of().mean());
    assertEquals(Double.NaN, of().median());
    assertEquals(Double.NaN, of().max());
  }

  @Test
  void anEstimateHasStudentsInterval() {
    Estimate estimate = Estimate.of(1, 2, 3, 4);
    assertEquals(2.5, estimate.mean());
    // t(3) = 3.182; s = 1.29099; over the root of 4.
    assertEquals(3.182 * 1.2909944 / 2, estimate.halfWidth(), 1e-6);
    assertEquals("2.5 +-2.1", estimate.text(1));
    assertEquals("7.00", Estimate.of(7).text(2));
    assertEquals(Double.NaN, Estimate.of(7).halfWidth());
  }
}
