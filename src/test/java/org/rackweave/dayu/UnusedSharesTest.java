package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnusedSharesTest {

  /** Rates of two halves of 100 bytes from one node with 10 bytes a second. */
  private static double[] rates(double speed, boolean heldUp, Verdict verdict) {
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(4);
    builder.task(100, 0).sources(0).running(0, 1, 50, 5).speed(speed);
    if (heldUp) {
      builder.heldUp();
    }
    builder.task(100, 0).sources(0).running(0, 2, 50, 5).speed(5);
    SlotLoads loads = new SlotLoads(Clusters.nodes(10, 100, 100, 100).build(), builder.build(), 10);
    loads.bytes[0] = 50;
    loads.bytes[1] = 50;
    loads.assign(0, 0, 1, verdict);
    loads.assign(1, 0, 2, Verdict.KEPT);
    return new UnusedShares(new TransferLinks(loads, 1), 5).rates();
  }

  @Test
  void othersGetWhatACopyThatIsHeldUpLeaves() {
    assertArrayEquals(new double[] {5, 5}, rates(1, false, Verdict.KEPT), 1e-9, "by its rate");
    assertArrayEquals(new double[] {1.5, 8.5}, rates(1, true, Verdict.KEPT), 1e-9);
    assertArrayEquals(new double[] {0, 10}, rates(0, true, Verdict.KEPT), 1e-9);
    assertArrayEquals(new double[] {5, 5}, rates(4, true, Verdict.KEPT), 1e-9, "it may grow");
  }

  @Test
  void aCopyThatBeginsAnewIsNotJudgedByTheOldOne() {
    assertArrayEquals(
        new double[] {10 / 3.0, 20 / 3.0},
        rates(1, true, Verdict.RESTARTED),
        1e-9,
        "the other has half of its time left");
  }

  @Test
  void theSlowestOfTheOthersGetsNoLessAndNoLinkCarriesMoreThanItHas() {
    int gained = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Clusters.Case what = Clusters.draw(random, Clusters.Mix.ALL);
      SlotLoads loads =
          new RecoveryPlanner(DayuSettings.DEFAULT)
              .select(what.snapshot(), what.batch(), what.slot(), random);
      TransferLinks links = new TransferLinks(loads, 1);
      double acceptable = what.slot().lengthSec();
      double[] before = new IterativeWss(links, acceptable).rates();
      double[] after = new UnusedShares(links, acceptable).rates();
      double leastBefore = Double.POSITIVE_INFINITY;
      double leastAfter = Double.POSITIVE_INFINITY;
      double[] carried = new double[links.bandwidths().length];
      for (int task = 0; task < after.length; task++) {
        double limit = links.limit(task, UnusedShares.GROWTH);
        boolean isCut = limit < before[task];
        if (isCut) {
          assertEquals(limit, after[task], "task " + task + " of seed " + seed);
        } else if (links.weight(task) > 0) {
          leastBefore = Math.min(leastBefore, before[task] / links.weight(task));
          leastAfter = Math.min(leastAfter, after[task] / links.weight(task));
        }
        gained += !isCut && after[task] > before[task] * 1.01 ? 1 : 0;
        for (int i = 0; i < TransferLinks.MOST; i++) {
          if (links.link(task, i) >= 0) {
            carried[links.link(task, i)] += after[task];
          }
        }
      }
      assertTrue(leastAfter >= leastBefore * (1 - 1e-9), "seed " + seed);
      for (int link = 0; link < carried.length; link++) {
        assertTrue(
            carried[link] <= links.bandwidths()[link] * (1 + 1e-6) + 1e-6,
            "link " + link + " of seed " + seed);
      }
    }
    assertTrue(gained > 100, "of cases in which it matters there are " + gained);
  }
}
