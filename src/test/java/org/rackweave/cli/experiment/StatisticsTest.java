package org.rackweave.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void quantileLiesBetweenNeighbours() {
    double[] values = {4, 1, 3, 2};
    assertEquals(1, Statistics.quantile(values, 0));
    assertEquals(2.5, Statistics.quantile(values, 0.5));
    assertEquals(3.85, Statistics.quantile(values, 0.95), 1e-12);
    assertEquals(4, Statistics.quantile(values, 1));
  }

  @Test
  void variationIsDeviationOverMean() {
    assertEquals(0.4, Statistics.variation(new double[] {2, 4, 4, 4, 5, 5, 7, 9}), 1e-12);
    assertEquals(0, Statistics.variation(new double[] {3, 3, 3}));
    assertEquals(0, Statistics.variation(new double[] {0, 0}));
  }

  @Test
  void nothingHasNoMean() {
    assertEquals(Double.NaN, Statistics.mean(new double[0]));
    assertEquals(Double.NaN, Statistics.quantile(new double[0], 0.5));
  }
}
