package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.history.PlacementRecord.Expected;
import org.rackweave.history.PlacementRecord.Target;
import org.rackweave.history.ShadowAccount.Comparison;
import org.rackweave.history.ShadowAccount.Verdict;
import org.rackweave.placement.FallbackReason;

class ShadowAccountTest {
  private static final long BATCH_MS = 360_000;
  private static final Target TARGET = new Target("/r1/a:1", 1e6, 1e6, 0);

  private final ShadowAccount account = new ShadowAccount();

  private void add(long atMs, String path, double ours, double stock, int busy, int stockBusy) {
    account.add(
        new PlacementRecord(
            atMs,
            path,
            true,
            1,
            null,
            PlacementRecord.Ranking.NETWORK,
            FallbackReason.SHADOW_MODE,
            List.of(TARGET, TARGET),
            List.of("/r1/b:1", "/r1/c:1"),
            List.of(),
            new Expected(ours, stock, 9, 9, busy, stockBusy)));
  }

  private Comparison since(long ms) {
    return account.since(ms, new Random(3));
  }

  @Test
  void comparesMeansAndBusyLinks() {
    for (int batch = 0; batch < 20; batch++) {
      add(batch * BATCH_MS + 5, "/a/b/c", 1, 2 + 0.1 * (batch % 2), 0, 1);
    }
    Comparison all = since(0);
    assertEquals(20, all.blocks());
    assertEquals(1, all.ours(), 1e-9);
    assertEquals(2.05, all.timesAsFast(), 1e-9);
    assertTrue(all.least() >= 2 && all.least() < 2.05 && all.most() > 2.05 && all.most() <= 2.1);
    assertEquals(0.5, all.stockBusy(), 1e-9);
    assertEquals(0, all.oursBusy(), 1e-9);
    assertEquals(Verdict.GO, all.verdict());
    assertEquals(13, since(7 * BATCH_MS + 1).blocks());
  }

  @Test
  void blocksOfTheSameMinutesAreNoEvidenceOfTheirOwn() {
    for (int i = 0; i < 1000; i++) {
      add(i, "/a", 1, 5, 0, 0);
    }
    assertTrue(Double.isNaN(since(0).least()));
    assertEquals(Verdict.UNDECIDED, since(0).verdict());
  }

  @Test
  void saysNoWhereBlocksWouldTakeLongerAndNothingWhereItIsNotSure() {
    for (int batch = 0; batch < 20; batch++) {
      add(batch * BATCH_MS, "/a", 2, 1 + 0.01 * batch, 0, 0);
    }
    assertEquals(Verdict.NO_GO, since(0).verdict());
    assertEquals(Verdict.UNDECIDED, new ShadowAccount().since(0, new Random(1)).verdict());
  }

  @Test
  void isUndecidedWhereTheIntervalIsOnBothSidesOfOne() {
    for (int batch = 0; batch < 40; batch++) {
      add(batch * BATCH_MS, "/a", 2, batch % 2 == 0 ? 1 : 3.1, 0, 0);
    }
    Comparison all = since(0);
    assertTrue(all.least() < 1 && all.most() > 1, all::toString);
    assertEquals(Verdict.UNDECIDED, all.verdict());
  }

  @Test
  void forgetsWhatAClockThatWasWrongHasTold() {
    add(1000 * BATCH_MS, "/a", 1, 9, 0, 0);
    add(BATCH_MS, "/a", 1, 2, 0, 0);
    assertEquals(1, since(0).blocks());
    assertEquals(2, since(0).stock(), 1e-9);
  }

  @Test
  void keepsAWeekAndTheDirectoriesWithMostBlocks() {
    for (int batch = 0; batch < 1700; batch++) {
      add(batch * BATCH_MS, "/d" + batch + "/x/y", 1, 2, 0, 0);
      add(batch * BATCH_MS, "/late/x/y", 1, batch < 1000 ? 1 : 3, 0, 0);
    }
    assertEquals(2 * 1680, since(0).blocks(), "seven days of tenths of hours");
    List<ShadowAccount.PathGain> paths = account.paths();
    assertTrue(paths.size() >= 200 && paths.size() <= 400, () -> paths.size() + " directories");
    assertEquals("/late/x", paths.get(0).path());
    assertEquals(1400, paths.get(0).seconds(), 1e-6);
  }

  @Test
  void leavesOutWhatIsNotKnown() {
    add(0, "/a", 1, Double.NaN, 0, 0);
    assertEquals(0, since(0).blocks());
  }
}
