package org.rackweave.sim.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sim.recovery.SmallRecovery.MB;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Copies over links against a simulation by force, and by hand. */
class CopyFlowsTest {
  private static final int RACKS = 3;
  private static final int NODES_PER_RACK = 2;
  private static final int NODES = RACKS * NODES_PER_RACK;

  /** What ended when, and what crossed the links. */
  private static final class Seen implements CopyFlows.Listener {
    final double[] endSec;
    final double[] bytes;
    double steppedSec;
    double most;

    Seen(int copies, int links) {
      endSec = new double[copies];
      Arrays.fill(endSec, Double.NaN);
      bytes = new double[links];
    }

    @Override
    public void ended(int copy, double atSec) {
      assertTrue(Double.isNaN(endSec[copy]), "copy " + copy + " ends once");
      endSec[copy] = atSec;
    }

    @Override
    public void stepped(double fromSec, double toSec, double[] carried) {
      assertEquals(steppedSec, fromSec, 1e-9, "no gap in time");
      steppedSec = toSec;
      for (int link = 0; link < bytes.length; link++) {
        bytes[link] += carried[link];
        most = Math.max(most, carried[link] / (toSec - fromSec));
      }
    }

    @Override
    public boolean goesOn() {
      return false;
    }
  }

  private record Copy(int from, int to, double bytes, double limit) {}

  private static Copy[] draw(SplittableRandom random) {
    Copy[] copies = new Copy[random.nextInt(1, 14)];
    for (int i = 0; i < copies.length; i++) {
      int from = random.nextInt(1, NODES);
      int to = (from + random.nextInt(1, NODES)) % NODES;
      copies[i] =
          new Copy(
              from,
              to == 0 ? from == 1 ? 2 : 1 : to,
              random.nextInt(1, 300) * MB,
              random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(1, 60) * MB);
    }
    return copies;
  }

  private static CopyFlows flows(
      RecoveryLinks links, double[] capacities, int copies, double step) {
    return new CopyFlows(links, (link, wanted) -> capacities[link], copies, step);
  }

  private static void begin(CopyFlows flows, Copy[] copies) {
    for (int i = 0; i < copies.length; i++) {
      flows.begin(i, copies[i].from, copies[i].to, copies[i].bytes, copies[i].limit);
    }
  }

  /** Rates by plain filling, from one end to the next. */
  private static double[] byForce(RecoveryLinks links, double[] capacities, Copy[] copies) {
    double[] left = Arrays.stream(copies).mapToDouble(Copy::bytes).toArray();
    double[] end = new double[copies.length];
    Arrays.fill(end, Double.NaN);
    double now = 0;
    int open = copies.length;
    while (open > 0) {
      double[] rates = plainRates(links, capacities, copies, left);
      double soonest = Double.POSITIVE_INFINITY;
      for (int i = 0; i < copies.length; i++) {
        soonest = left[i] > 0 ? Math.min(soonest, left[i] / rates[i]) : soonest;
      }
      now += soonest;
      for (int i = 0; i < copies.length; i++) {
        if (left[i] > 0) {
          left[i] -= rates[i] * soonest;
          if (left[i] <= 1e-3) {
            left[i] = 0;
            end[i] = now;
            open--;
          }
        }
      }
    }
    return end;
  }

  private static double[] plainRates(
      RecoveryLinks links, double[] capacities, Copy[] copies, double[] left) {
    double[] rates = new double[copies.length];
    boolean[] done = new boolean[copies.length];
    for (int i = 0; i < copies.length; i++) {
      done[i] = left[i] == 0;
    }
    while (true) {
      double[] rest = capacities.clone();
      int[] open = new int[capacities.length];
      double more = Double.POSITIVE_INFINITY;
      for (int i = 0; i < copies.length; i++) {
        for (int link : path(links, copies[i])) {
          rest[link] -= rates[i];
          open[link] += done[i] ? 0 : 1;
        }
        more = done[i] ? more : Math.min(more, copies[i].limit - rates[i]);
      }
      for (int link = 0; link < rest.length; link++) {
        more = open[link] > 0 ? Math.min(more, Math.max(0, rest[link]) / open[link]) : more;
      }
      if (more == Double.POSITIVE_INFINITY) {
        return rates;
      }
      for (int i = 0; i < copies.length; i++) {
        if (!done[i]) {
          rates[i] += more;
        }
      }
      for (int i = 0; i < copies.length; i++) {
        done[i] |= rates[i] >= copies[i].limit - 1e-6;
        for (int link : path(links, copies[i])) {
          done[i] |= rest[link] - more * open[link] <= 1e-3;
        }
      }
    }
  }

  private static int[] path(RecoveryLinks links, Copy copy) {
    int from = links.topology().rackOf(copy.from);
    int to = links.topology().rackOf(copy.to);
    return from == to || !links.racksNarrow()
        ? new int[] {links.out(copy.from), links.in(copy.to)}
        : new int[] {
          links.out(copy.from), links.in(copy.to), links.rackOut(from), links.rackIn(to)
        };
  }

  @Test
  void endsAreThoseOfASimulationByForce() {
    long seed = 20190711;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      String what = "case " + i + ", seed " + seed;
      RecoveryLinks links =
          SmallRecovery.links(RACKS, NODES_PER_RACK, random.nextBoolean() ? 1 : 3);
      double[] capacities = random.doubles(links.count(), 5 * MB, 100 * MB).toArray();
      Copy[] copies = draw(random);
      CopyFlows flows = flows(links, capacities, copies.length, 0);
      begin(flows, copies);
      Seen seen = new Seen(copies.length, links.count());
      double end = flows.advance(0, 1e6, seen);
      double[] expected = byForce(links, capacities, copies);
      for (int copy = 0; copy < copies.length; copy++) {
        assertEquals(expected[copy], seen.endSec[copy], 1e-4 * expected[copy], what);
      }
      assertEquals(Arrays.stream(seen.endSec).max().orElseThrow(), end, 1e-9, what);
      assertEquals(
          Arrays.stream(copies).mapToDouble(Copy::bytes).sum(),
          Arrays.stream(seen.bytes, 0, NODES).sum(),
          1,
          what + ": no byte is lost or made");
      assertEquals(0, flows.underWay());
    }
  }

  /** With steps no copy ends sooner than its rates allow, and none is late by more than a few. */
  @Test
  void stepsOnlyDelayWhatSharesAFullLink() {
    long seed = 20190712;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 300; i++) {
      RecoveryLinks links = SmallRecovery.links(RACKS, NODES_PER_RACK, 3);
      double[] capacities = random.doubles(links.count(), 5 * MB, 100 * MB).toArray();
      Copy[] copies = draw(random);
      Seen exact = new Seen(copies.length, links.count());
      Seen stepped = new Seen(copies.length, links.count());
      CopyFlows exactly = flows(links, capacities, copies.length, 0);
      begin(exactly, copies);
      exactly.advance(0, 1e6, exact);
      CopyFlows bySteps = flows(links, capacities, copies.length, 0.01);
      begin(bySteps, copies);
      bySteps.advance(0, 1e6, stepped);
      for (int copy = 0; copy < copies.length; copy++) {
        assertEquals(
            exact.endSec[copy],
            stepped.endSec[copy],
            0.01 * copies.length,
            "case " + i + ", seed " + seed);
      }
    }
  }

  @Test
  void copyKeepsItsRateWhereLinksAreWideAndSharesWhereOneIsNot() {
    RecoveryLinks links = SmallRecovery.links(RACKS, NODES_PER_RACK, 1);
    double[] capacities = new double[links.count()];
    Arrays.fill(capacities, Double.POSITIVE_INFINITY);
    capacities[links.out(1)] = 30 * MB;
    CopyFlows flows = flows(links, capacities, 3, 0);
    flows.begin(0, 1, 3, 100 * MB, 20 * MB);
    flows.begin(1, 1, 4, 100 * MB, 20 * MB);
    flows.begin(2, 2, 5, 100 * MB, 20 * MB);
    Seen seen = new Seen(3, links.count());
    flows.advance(0, 100, seen);
    assertEquals(100 / 15.0, seen.endSec[0], 1e-9);
    assertEquals(100 / 15.0, seen.endSec[1], 1e-9);
    assertEquals(5, seen.endSec[2], 1e-9, "the one that shares nothing");
  }

  @Test
  void copyGoesOnFromAnotherSourceWithWhatItHas() {
    RecoveryLinks links = SmallRecovery.links(RACKS, NODES_PER_RACK, 1);
    double[] capacities = new double[links.count()];
    Arrays.fill(capacities, 100 * MB);
    CopyFlows flows = flows(links, capacities, 1, 1);
    flows.begin(0, 1, 5, 100 * MB, 10 * MB);
    Seen seen = new Seen(1, links.count());
    flows.advance(0, 4, seen);
    assertEquals(60 * MB, flows.left(0), 1);
    flows.goOn(0, 3, 20 * MB);
    assertEquals(7, flows.advance(4, 20, seen), 1e-9, "time stops with the last copy");
    assertEquals(40 * MB, seen.bytes[links.out(1)], 1);
    assertEquals(60 * MB, seen.bytes[links.out(3)], 1);
    assertEquals(100 * MB, seen.bytes[links.in(5)], 1);
    assertTrue(seen.most <= 20 * MB + 1);
  }

  @Test
  void copyWithoutARateStandsStill() {
    RecoveryLinks links = SmallRecovery.links(RACKS, NODES_PER_RACK, 1);
    double[] capacities = new double[links.count()];
    Arrays.fill(capacities, 100 * MB);
    CopyFlows flows = flows(links, capacities, 1, 0);
    flows.begin(0, 1, 5, 100 * MB, 10 * MB);
    flows.goOn(0, 1, 0);
    Seen seen = new Seen(1, links.count());
    assertEquals(50, flows.advance(0, 50, seen));
    assertEquals(100 * MB, flows.left(0));
    assertThrows(IllegalArgumentException.class, () -> flows.begin(0, 1, 1, 5, 5));
  }
}
