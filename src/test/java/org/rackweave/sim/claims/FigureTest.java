package org.rackweave.sim.claims;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.claims.Figure.Comparison;
import org.rackweave.sim.claims.Figure.Other;
import org.rackweave.sim.claims.Figure.Pick;

class FigureTest {

  /** Two seeds of two systems under two loads. */
  private static final Map<String, double[]> SEEN =
      Map.of(
          "a in x", new double[] {1, 2},
          "b in x", new double[] {4, 4},
          "a in y", new double[] {3, 5},
          "b in y", new double[] {6, 20});

  private static final Metrics<Map<String, double[]>> METRICS =
      new Metrics<>() {
        @Override
        public double[] of(Map<String, double[]> seen, String metric, Target target) {
          return seen.get(target.of() + " in " + target.in());
        }

        @Override
        public Stream<Target> all(Map<String, double[]> seen, Target target) {
          return target.in().equals("both")
              ? Stream.of("x", "y").map(in -> new Target(target.of(), in, target.with()))
              : Stream.of(target);
        }
      };

  private static Figure figure(
      List<String> of, List<String> in, Comparison how, String against, Pick pick) {
    Other other = against == null ? null : new Other(null, against, null, null);
    return new Figure(
        "{of} under {in}", "s", null, null, "any", of, in, null, how, other, pick, null, null, 0);
  }

  @Test
  void comparesSeedBySeed() {
    assertEquals(0.375, mean(figure(List.of("a"), List.of("x"), Comparison.RATIO, "b", null)));
    assertEquals(0.625, mean(figure(List.of("a"), List.of("x"), Comparison.SAVED, "b", null)));
    assertEquals(2, mean(figure(List.of("b"), List.of("x"), Comparison.GAIN, "a", null)));
    assertEquals(-2.5, mean(figure(List.of("a"), List.of("x"), Comparison.LESS, "b", null)));
  }

  @Test
  void picksByTheMean() {
    List<String> loads = List.of("both");
    assertEquals(0.375, mean(figure(List.of("a"), loads, Comparison.RATIO, "b", Pick.LEAST)), 1e-9);
    assertEquals(13, mean(figure(List.of("a", "b"), loads, null, null, Pick.MOST)));
  }

  @Test
  void namesEachOfSeveral() {
    List<Detail> details =
        figure(List.of("a", "b"), List.of("both"), null, null, null)
            .details(SEEN, METRICS)
            .toList();
    assertEquals(
        List.of("a under x", "a under y", "b under x", "b under y"),
        details.stream().map(Detail::what).toList());
    assertArrayEquals(
        new double[] {1.5, 4, 4, 13},
        details.stream().mapToDouble(one -> one.ours().mean()).toArray());
  }

  @Test
  void oneFigureIsNotSeveral() {
    Figure several = figure(List.of("a", "b"), List.of("x"), null, null, null);
    assertThrows(IllegalArgumentException.class, () -> several.estimate(SEEN, METRICS));
  }

  private static double mean(Figure figure) {
    return figure.estimate(SEEN, METRICS).mean();
  }
}
