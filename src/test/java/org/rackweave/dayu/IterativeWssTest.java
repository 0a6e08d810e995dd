package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Section 4.3. */
class IterativeWssTest {

  private static SlotLoads assigned(RecoverySnapshot snapshot, int[][] sizeFromTo, double slotSec) {
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(snapshot.topology().nodeCount());
    for (int[] task : sizeFromTo) {
      builder.task(task[0], 0).sources(task[1]);
    }
    SlotLoads loads = new SlotLoads(snapshot, builder.build(), slotSec);
    for (int task = 0; task < sizeFromTo.length; task++) {
      loads.assign(task, sizeFromTo[task][1], sizeFromTo[task][2], Verdict.PLANNED);
    }
    return loads;
  }

  private static TransferLinks links(SlotLoads loads) {
    return new TransferLinks(loads);
  }

  private static double[] rates(SlotLoads loads, double acceptableSec) {
    return new IterativeWss(links(loads), acceptableSec).rates();
  }

  @Test
  void bottleneckTasksShareTheirLinkBySize() {
    SlotLoads loads =
        assigned(Clusters.nodes(30, 100, 100).build(), new int[][] {{10, 0, 1}, {20, 0, 2}}, 0.5);
    assertArrayEquals(new double[] {10, 20}, rates(loads, 0.5), 1e-9);
  }

  @Test
  void rateIsTheSumOverIterations() {
    // Node 0 needs 10 s for its 100 bytes: 1 / T* = 0.1. The task from 1 to 3 has got 40 x 0.1 = 4
    // then, and what is left of node 3's 10 bytes a second besides: 10 in all.
    SlotLoads loads =
        assigned(
            Clusters.nodes(10, 50, 50, 10).build(), new int[][] {{100, 0, 2}, {40, 1, 3}}, 0.1);
    assertArrayEquals(new double[] {10, 10}, rates(loads, 0.1), 1e-9);
    assertArrayEquals(new double[] {10, 4}, rates(loads, 10), 1e-9, "fits 10 s after one");
  }

  @Test
  void stopsWhenWhatIsLeftFitsTheSlot() {
    SlotLoads loads =
        assigned(Clusters.nodes(10, 50, 50, 10).build(), new int[][] {{100, 0, 2}, {40, 1, 3}}, 20);
    IterativeWss wss = new IterativeWss(links(loads), 20);
    wss.rates();
    assertEquals(1, wss.iterations());
  }

  @Test
  void rackLinkCanBeTheBottleneckAndCopiesInsideDoNotUseIt() {
    RecoverySnapshot snapshot =
        Clusters.cluster(Clusters.racks(3, 1), 100).rack(0, 100, 10).build();
    SlotLoads loads = assigned(snapshot, new int[][] {{100, 0, 3}, {100, 1, 2}}, 1);
    assertArrayEquals(new double[] {10, 100}, rates(loads, 0), 1e-6);
  }

  /** Ratio of what a copy under way gets, and of what one that begins now gets. */
  private static double[] beside(double doneBytes, boolean areTurnsTaken) {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3)
            .task(100, 0)
            .sources(0)
            .running(0, 1, (long) doneBytes, 5)
            .task(100, 0)
            .sources(0)
            .build();
    SlotLoads loads = new SlotLoads(Clusters.nodes(10, 100, 100).build(), batch, 10);
    loads.bytes[0] = 100 - doneBytes;
    loads.assign(0, 0, 1, Verdict.KEPT);
    loads.assign(1, 0, 2, Verdict.PLANNED);
    SourceStreams.Turns turns =
        new SourceStreams.Turns(new BitSet(), new double[] {1, 1, 1}, areTurnsTaken);
    return new IterativeWss(new TransferLinks(loads, true, turns), 10).rates();
  }

  @Test
  void aCopyUnderWayGoesByItsWholeBlockToItsEndWhenOthersBeginBesideIt() {
    assertArrayEquals(new double[] {5, 5}, beside(50, true), 1e-9);
    assertArrayEquals(new double[] {5, 5}, beside(99, true), 1e-9);
  }

  /** Section 4.3: all that is left over a link is done at one time. */
  @Test
  void aCopyUnderWayGoesByWhatIsLeftOfItWhereItKeepsNoPlaceFromOthers() {
    assertArrayEquals(new double[] {50 / 15.0, 100 / 15.0}, beside(50, false), 1e-9);
  }

  /** Rates of a copy under way at so much of its rate of 5, and of one beside it; 10 for both. */
  private static double[] besideOneAt(double speed) {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3)
            .task(100, 0)
            .sources(0)
            .running(0, 1, 50, 5)
            .speed(speed)
            .rate(5)
            .task(50, 0)
            .sources(0)
            .build();
    SlotLoads loads = new SlotLoads(Clusters.nodes(10, 100, 100).build(), batch, 10);
    loads.bytes[0] = 50;
    loads.assign(0, 0, 1, Verdict.KEPT);
    loads.assign(1, 0, 2, Verdict.PLANNED);
    return new IterativeWss(new TransferLinks(loads), 5).rates();
  }

  @Test
  void whatAHeldUpCopyCannotUseIsForThoseBesideIt() {
    assertArrayEquals(new double[] {5, 5}, besideOneAt(4), 1e-9, "it goes by its rate");
    assertArrayEquals(new double[] {3, 7}, besideOneAt(2), 1e-9, "half as much again");
    assertArrayEquals(new double[] {0.5, 9.5}, besideOneAt(0), 1e-9, "enough to show itself");
  }

  @Test
  void whatNobodyElseCanUseIsForTheHeldUpCopy() {
    RecoveryBatch batch =
        new RecoveryBatch.Builder(3)
            .task(100, 0)
            .sources(0)
            .running(0, 1, 50, 5)
            .speed(1)
            .rate(5)
            .task(50, 0)
            .sources(0)
            .build();
    // The other's destination takes 4 of the source's 10.
    RecoverySnapshot snapshot = Clusters.nodes(10, 100, 100).node(2, 4, 4).build();
    SlotLoads loads = new SlotLoads(snapshot, batch, 10);
    loads.bytes[0] = 50;
    loads.assign(0, 0, 1, Verdict.KEPT);
    loads.assign(1, 0, 2, Verdict.PLANNED);
    TransferLinks links = new TransferLinks(loads, true, SourceStreams.Turns.none(3));
    double[] rates = new IterativeWss(links, 0).rates();
    assertArrayEquals(new double[] {1.5, 4}, rates, 1e-9);
    assertTrue(links.hasHeldUp());
    assertArrayEquals(
        new double[] {4.5, 0}, new IterativeWss(links.leftover(rates), 0).rates(), 1e-9);
  }

  @Test
  void slotsThatDoNotOverlapShareByWhatIsLeft() {
    assertArrayEquals(new double[] {10 / 3.0, 20 / 3.0}, beside(50, false), 1e-9);
  }

  @Test
  void deadlineRatesEndWithTheSlotOrShareWhatTheLinkHas() {
    SlotLoads loads =
        assigned(Clusters.nodes(30, 100, 100).build(), new int[][] {{60, 1, 2}, {90, 0, 2}}, 2);
    double[] rates = new DeadlineRates(links(loads), 2).rates();
    assertArrayEquals(new double[] {30, 30}, rates, 1e-9);
  }

  /** The paper's iteration, written down as it stands. */
  private static double[] plainly(SlotLoads loads, double acceptableSec) {
    TransferLinks links = links(loads);
    double[] remaining = links.bandwidths();
    double[] rates = new double[links.tasks()];
    boolean[] done = new boolean[links.tasks()];
    for (double perByte = 0; perByte * acceptableSec < 1 - 1e-9; ) {
      double[] load = new double[remaining.length];
      for (int task = 0; task < done.length; task++) {
        for (int i = 0; i < TransferLinks.MOST && !done[task]; i++) {
          if (links.link(task, i) >= 0) {
            load[links.link(task, i)] += links.weight(task);
          }
        }
      }
      double longest = 0;
      for (int link = 0; link < load.length; link++) {
        longest = load[link] > 0 ? Math.max(longest, load[link] / remaining[link]) : longest;
      }
      if (longest == 0) {
        return rates;
      }
      perByte += 1 / longest;
      for (int task = 0; task < done.length; task++) {
        boolean bottleneck = false;
        for (int i = 0; i < TransferLinks.MOST; i++) {
          int link = links.link(task, i);
          bottleneck |= link >= 0 && load[link] / remaining[link] >= longest * (1 - 1e-9);
        }
        rates[task] += done[task] ? 0 : links.weight(task) / longest;
        done[task] |= bottleneck;
      }
      for (int link = 0; link < load.length; link++) {
        remaining[link] = Math.max(0, remaining[link] - load[link] / longest);
      }
    }
    return rates;
  }

  @Test
  void agreesWithThePapersIteration() {
    int iterationsMost = 0;
    for (long seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Clusters.Case what = Clusters.draw(random, Clusters.Mix.ALL.without(true));
      RecoveryPlanner planner = new RecoveryPlanner(DayuSettings.DEFAULT.with(Algorithm.RANDOM));
      SlotLoads loads = planner.select(what.snapshot(), what.batch(), what.slot(), random);
      double acceptable = random.nextBoolean() ? 0 : what.slot().lengthSec();
      IterativeWss wss = new IterativeWss(links(loads), acceptable);
      assertArrayEquals(plainly(loads, acceptable), wss.rates(), 1e-6, "seed " + seed);
      iterationsMost = Math.max(iterationsMost, wss.iterations());
    }
    assertTrue(iterationsMost > 5, "cases have several bottlenecks: " + iterationsMost);
  }
}
