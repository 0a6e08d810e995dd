package org.rackweave.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void tellsMeanDeviationAndAnIntervalAroundTheMean() {
    Spread spread = Spread.of(new double[] {2, 4, 4, 4, 6});
    assertEquals(4, spread.mean(), 1e-12);
    assertEquals(Math.sqrt(2), spread.sd(), 1e-12);
    assertEquals(5, spread.seeds());
    assertTrue(spread.low() >= 2 && spread.low() < 4, spread.toString());
    assertTrue(spread.high() > 4 && spread.high() <= 6, spread.toString());
  }

  @Test
  void hasNoWidthWhereSeedsAgree() {
    Spread spread = Spread.of(new double[] {3, 3, 3});
    assertEquals(0, spread.sd());
    assertEquals(3, spread.low());
    assertEquals(3, spread.high());
  }

  @Test
  void saysNothingAboutSpreadForOneSeed() {
    Spread spread = Spread.of(new double[] {3});
    assertEquals(3, spread.mean());
    assertTrue(Double.isNaN(spread.sd()));
    assertTrue(Double.isNaN(spread.low()));
  }

  @Test
  void ratioIsOfSumsAndNotAMeanOfRatios() {
    Spread spread = Spread.ofRatio(new double[] {1, 9}, new double[] {1, 1});
    assertEquals(5, spread.mean());
    spread = Spread.ofRatio(new double[] {1, 1}, new double[] {1, 9});
    assertEquals(0.2, spread.mean(), 1e-12);
  }

  @Test
  void ratioDrawsSeedsAsPairs() {
    // Seeds differ a hundredfold, but each time one side is exactly twice the other.
    Spread spread = Spread.ofRatio(new double[] {2, 20, 200}, new double[] {1, 10, 100});
    assertEquals(2, spread.low());
    assertEquals(2, spread.high());
  }
}
