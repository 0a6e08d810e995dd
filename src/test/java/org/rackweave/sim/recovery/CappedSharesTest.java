package org.rackweave.sim.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rates against the textbook: raise all together until a limit or a link says stop. */
class CappedSharesTest {
  private static final int CASES = 3_000;

  private record Case(double[] capacities, double[] limits, List<int[]> paths)
      implements CappedShares.Flows {
    @Override
    public int count() {
      return limits.length;
    }

    @Override
    public double limit(int flow) {
      return limits[flow];
    }

    @Override
    public int linksMax() {
      return 4;
    }

    @Override
    public int link(int flow, int place) {
      return place < paths.get(flow).length ? paths.get(flow)[place] : -1;
    }

    @Override
    public double capacity(int link, double wanted) {
      return capacities[link];
    }

    double[] rates() {
      double[] rates = new double[limits.length];
      new CappedShares(capacities.length).solve(this, rates, new double[capacities.length]);
      return rates;
    }

    static Case draw(SplittableRandom random) {
      double[] capacities = new double[random.nextInt(1, 9)];
      Arrays.setAll(capacities, i -> random.nextInt(8) == 0 ? 0 : random.nextInt(1, 100));
      double[] limits = new double[random.nextInt(1, 30)];
      List<int[]> paths = new ArrayList<>();
      for (int flow = 0; flow < limits.length; flow++) {
        limits[flow] = random.nextInt(6) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(40) * 0.5;
        paths.add(random.ints(random.nextInt(1, 5), 0, capacities.length).distinct().toArray());
      }
      return new Case(capacities, limits, paths);
    }
  }

  /** Every flow's rate is raised by the same until it or a link of it can take no more. */
  private static double[] plainly(Case one) {
    double[] rates = new double[one.count()];
    boolean[] done = new boolean[one.count()];
    while (true) {
      double more = Double.POSITIVE_INFINITY;
      for (int flow = 0; flow < rates.length; flow++) {
        if (!done[flow]) {
          more = Math.min(more, one.limits[flow] - rates[flow]);
        }
      }
      for (int link = 0; link < one.capacities.length; link++) {
        int open = 0;
        for (int flow = 0; flow < rates.length; flow++) {
          open += !done[flow] && crosses(one, flow, link) ? 1 : 0;
        }
        if (open > 0) {
          more = Math.min(more, Math.max(0, one.capacities[link] - load(one, rates, link)) / open);
        }
      }
      if (more == Double.POSITIVE_INFINITY) {
        return rates;
      }
      for (int flow = 0; flow < rates.length; flow++) {
        rates[flow] += done[flow] ? 0 : more;
      }
      for (int flow = 0; flow < rates.length; flow++) {
        boolean full = rates[flow] >= one.limits[flow] - 1e-9;
        for (int link : one.paths.get(flow)) {
          full |= load(one, rates, link) >= one.capacities[link] - 1e-9;
        }
        done[flow] |= full;
      }
    }
  }

  private static boolean crosses(Case one, int flow, int link) {
    return Arrays.stream(one.paths.get(flow)).anyMatch(other -> other == link);
  }

  private static double load(Case one, double[] rates, int link) {
    double load = 0;
    for (int flow = 0; flow < rates.length; flow++) {
      load += crosses(one, flow, link) ? rates[flow] : 0;
    }
    return load;
  }

  @Test
  void ratesAreTheTextbooks() {
    long seed = 20190710;
    SplittableRandom random = new SplittableRandom(seed);
    int crowded = 0;
    for (int i = 0; i < CASES; i++) {
      Case one = Case.draw(random);
      double[] rates = one.rates();
      assertArrayEquals(plainly(one), rates, 1e-6, "case " + i + ", seed " + seed);
      crowded += Arrays.equals(rates, one.limits) ? 0 : 1;
      for (int link = 0; link < one.capacities.length; link++) {
        assertTrue(load(one, rates, link) <= one.capacities[link] + 1e-6, "case " + i);
      }
    }
    assertTrue(crowded > CASES / 2, crowded + " cases with a full link");
  }

  @Test
  void flowBelowItsShareLeavesTheRestToTheOthers() {
    Case one =
        new Case(
            new double[] {30, 100},
            new double[] {4, 20, Double.POSITIVE_INFINITY},
            List.of(new int[] {0}, new int[] {0}, new int[] {0, 1}));
    assertArrayEquals(new double[] {4, 13, 13}, one.rates(), 1e-9);
  }

  @Test
  void scratchOfOneCallDoesNotReachTheNext() {
    CappedShares shares = new CappedShares(1);
    Case many =
        new Case(
            new double[] {10},
            new double[] {9, 9, 9, 9},
            List.of(new int[] {0}, new int[] {0}, new int[] {0}, new int[] {0}));
    Case few = new Case(new double[] {10}, new double[] {9}, List.of(new int[] {0}));
    double[] rates = new double[4];
    double[] capacities = new double[1];
    shares.solve(many, rates, capacities);
    assertEquals(2.5, rates[3], 1e-12);
    shares.solve(few, rates, capacities);
    assertEquals(9, rates[0]);
    assertEquals(10, capacities[0]);
  }
}
