package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The fast ways to find a destination against looking at every node. */
class PickOracleTest {
  private static final int CASES = 3_000;

  private static SlotLoads loads(Clusters.Case what) {
    return new SlotLoads(what.snapshot(), what.batch(), 1e9);
  }

  /** Steps through a case with one pick and asks the other the same at each step. */
  private static void compare(
      Clusters.Mix mix,
      BiFunction<SlotLoads, DestinationRules, NodePick> fast,
      Comparison comparison) {
    for (long seed = 0; seed < CASES; seed++) {
      Clusters.Case what = Clusters.draw(new SplittableRandom(seed), mix);
      SlotLoads loads = loads(what);
      DestinationRules rules = new DestinationRules(loads);
      NodePick pick = fast.apply(loads, rules);
      for (int task = 0; task < what.batch().count(); task++) {
        if (loads.hasSource(task)) {
          int source = pick.source(task);
          int found = pick.destination(task, source);
          comparison.check("seed " + seed + " task " + task, loads, rules, task, source, found);
          if (found != SlotLoads.NONE) {
            loads.assign(task, source, found, Verdict.PLANNED);
            pick.placed(found);
          }
        }
      }
    }
  }

  private interface Comparison {
    void check(
        String where, SlotLoads loads, DestinationRules rules, int task, int source, int found);
  }

  @Test
  void hullWithoutSharedBucketsFindsWhatAScanFinds() {
    Clusters.Mix mix = new Clusters.Mix(60, 1, false, false);
    compare(
        mix,
        (loads, rules) -> new HullPick(loads, rules, 1e-3),
        (where, loads, rules, task, source, found) -> {
          int scanned = new ScanPick(loads, rules).destination(task, source);
          assertEquals(scanned == SlotLoads.NONE, found == SlotLoads.NONE, where);
          if (found != SlotLoads.NONE) {
            double size = loads.bytes[task];
            double sec = loads.inSec(source, found, size);
            assertEquals(loads.inSec(source, scanned, size), sec, 1e-9 * sec, where);
          }
        });
  }

  @Test
  void tournamentFindsTheLightestThatMayHaveIt() {
    compare(
        Clusters.Mix.PLAIN,
        LightestPick::new,
        (where, loads, rules, task, source, found) -> {
          double least = Double.POSITIVE_INFINITY;
          for (int node = 0; node < loads.rackOf.length; node++) {
            if (loads.snapshot.inBytesPerSec(node) > 0 && rules.admits(task, node)) {
              least = Math.min(least, loads.in[node] * loads.inSecPerByte[node]);
            }
          }
          double mine =
              found == SlotLoads.NONE
                  ? Double.POSITIVE_INFINITY
                  : loads.in[found] * loads.inSecPerByte[found];
          assertEquals(least, mine, where);
        });
  }

  @Test
  void levelGivesWhatGreedyGives() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Clusters.Case what = Clusters.draw(random, new Clusters.Mix(1, 1, seed % 2 == 1, false));
      SlotLoads loads = loads(what);
      Arrays.setAll(
          loads.in, node -> what.snapshot().inBytesPerSec(node) > 0 ? random.nextInt(100) : 0);
      for (int node = 0; node < loads.in.length; node++) {
        loads.rackIn[loads.rackOf[node]] += loads.in[node];
      }
      int wanted = random.nextInt(1, 80);
      double size = random.nextInt(1, 30);
      int[] counts = new int[loads.in.length];
      int total = new WaterLevel(loads, random).fill(size, size, 0, 0, wanted, counts);
      String where = "seed " + seed;
      assertEquals(Arrays.stream(counts).sum(), total, where);
      SlotLoads greedy = loads(what);
      System.arraycopy(loads.in, 0, greedy.in, 0, loads.in.length);
      System.arraycopy(loads.rackIn, 0, greedy.rackIn, 0, loads.rackIn.length);
      assertEquals(greedily(greedy, size, wanted), total, where);
      for (int node = 0; node < counts.length; node++) {
        assertTrue(counts[node] * size <= loads.freeBytes[0][node], where);
        loads.in[node] += counts[node] * size;
        loads.rackIn[loads.rackOf[node]] += counts[node] * size;
      }
      assertEquals(busiest(greedy), busiest(loads), 1e-6 * busiest(greedy), where);
    }
  }

  private static int greedily(SlotLoads loads, double size, int wanted) {
    for (int given = 0; given < wanted; given++) {
      int best = SlotLoads.NONE;
      double bestSec = loads.slotSec;
      for (int node = 0; node < loads.in.length; node++) {
        int rack = loads.rackOf[node];
        double sec =
            Math.max(
                (loads.in[node] + size) * loads.inSecPerByte[node],
                (loads.rackIn[rack] + size) * loads.rackInSecPerByte[rack]);
        if (sec <= bestSec && loads.freeBytes[0][node] >= size) {
          bestSec = sec;
          best = node;
        }
      }
      if (best == SlotLoads.NONE) {
        return given;
      }
      loads.in[best] += size;
      loads.rackIn[loads.rackOf[best]] += size;
      loads.freeBytes[0][best] -= (long) size;
    }
    return wanted;
  }

  /** Of nodes and links that can carry anything. */
  private static double busiest(SlotLoads loads) {
    double sec = 0;
    for (int node = 0; node < loads.in.length; node++) {
      int rack = loads.rackOf[node];
      double ofNode = loads.in[node] * loads.inSecPerByte[node];
      double ofRack = loads.rackIn[rack] * loads.rackInSecPerByte[rack];
      sec = ofNode < Double.POSITIVE_INFINITY ? Math.max(sec, ofNode) : sec;
      sec = ofRack < Double.POSITIVE_INFINITY ? Math.max(sec, ofRack) : sec;
    }
    return sec;
  }
}
