package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DistributionTest {
  private static final int DRAWS = 200_000;
  private static final long SEED = 11;

  static Stream<Distribution> distributions() {
    return Stream.of(
        new Distribution.Fixed(7),
        new Distribution.Uniform(2, 6),
        new Distribution.LogUniform(1, 1000),
        new Distribution.LogUniform(5, 5),
        new Distribution.Exponential(3),
        new Distribution.Normal(15, 3),
        new Distribution.Choice(List.of(1.0, 2.0, 9.0)),
        new Distribution.Mixture(0.3, new Distribution.Fixed(10), new Distribution.Uniform(0, 1)),
        Distribution.Quantiles.evenly(1, 1, 10, 500));
  }

  @ParameterizedTest
  @MethodSource("distributions")
  void drawsWhatItsMeanPromises(Distribution distribution) {
    SplittableRandom random = new SplittableRandom(SEED);
    double mean =
        DoubleStream.generate(() -> distribution.draw(random)).limit(DRAWS).average().orElseThrow();
    assertEquals(1, mean / distribution.mean(), 0.02, "seed " + SEED);
  }

  @Test
  void normalIsNeverNegative() {
    SplittableRandom random = new SplittableRandom(SEED);
    Distribution wide = new Distribution.Normal(1, 5);
    assertTrue(DoubleStream.generate(() -> wide.draw(random)).limit(1000).allMatch(x -> x >= 0));
  }

  @Test
  void quantilesAreMetExactly() {
    Distribution.Quantiles quantiles =
        new Distribution.Quantiles(List.of(0.0, 0.43, 0.96, 1.0), List.of(1.0, 30.0, 400.0, 15e3));
    assertEquals(1, quantiles.at(0));
    assertEquals(30, quantiles.at(0.43), 1e-9);
    assertEquals(400, quantiles.at(0.96), 1e-9);
    assertEquals(15e3, quantiles.at(1), 1e-6);
    assertEquals(Math.sqrt(30), quantiles.at(0.215), 1e-9, "half-way in orders of magnitude");
  }

  @Test
  void refusesParametersThatMakeNoSense() {
    List<Executable> wrong =
        List.of(
            () -> new Distribution.Fixed(Double.NaN),
            () -> new Distribution.Uniform(2, 1),
            () -> new Distribution.LogUniform(0, 1),
            () -> new Distribution.Exponential(0),
            () -> new Distribution.Normal(1, -1),
            () -> new Distribution.Choice(List.of()),
            () ->
                new Distribution.Mixture(1.5, new Distribution.Fixed(1), new Distribution.Fixed(1)),
            () -> new Distribution.Quantiles(List.of(0.0), List.of(1.0)),
            () -> new Distribution.Quantiles(List.of(0.0, 0.9), List.of(1.0, 2.0)),
            () -> new Distribution.Quantiles(List.of(0.0, 1.0), List.of(2.0, 1.0)),
            () -> new Distribution.Quantiles(List.of(0.0, 1.0), List.of(0.0, 1.0)));
    wrong.forEach(one -> assertThrows(IllegalArgumentException.class, one));
  }

  @Test
  void publishedStatisticsHoldWhatThePapersSay() {
    Distribution blocks = PublishedStatistics.sinbadBlockBytes();
    double whole = 0.32 * (256 << 20);
    assertEquals(0.81, whole / blocks.mean(), 0.01, "81 % of the bytes in whole blocks");
    double reads = PublishedStatistics.eafrReadsPerFile().mean();
    assertEquals(1, reads / (3_972_284 / 16_566.0), 0.02, "240 calls a file");
    Distribution.Quantiles marks = (Distribution.Quantiles) PublishedStatistics.eafrReadsPerFile();
    assertEquals(30, marks.at(0.43), 1e-9, "43 % get fewer than 30");
    assertEquals(400, marks.at(0.96), 1e-9, "4 % get more than 400");
    double storedTb = 50_000 * 3 * PublishedStatistics.eafrFileBytes().mean() / 1e12;
    double capacityTb = 300 * PublishedStatistics.eafrCapacityBytes().mean() / 1e12;
    assertTrue(storedTb < capacityTb, storedTb + " TB into " + capacityTb);
  }

  @Test
  void weightedChoiceFollowsItsWeights() {
    WeightedChoice choice = new WeightedChoice(new double[] {0, 3, 0, 1, 0});
    int[] drawn = new int[5];
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < DRAWS; i++) {
      drawn[choice.draw(random)]++;
    }
    assertEquals(DRAWS, drawn[1] + drawn[3], "what weighs nothing is never drawn");
    assertEquals(0.75, (double) drawn[1] / DRAWS, 0.01, "seed " + SEED);
    assertThrows(IllegalArgumentException.class, () -> new WeightedChoice(new double[] {0, 0}));
    assertThrows(IllegalArgumentException.class, () -> new WeightedChoice(new double[] {}));
  }
}
