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
    for (int batch = 0; batch < 10; batch++) {
      add(batch * BATCH_MS + 5, "/a/b/c", 1, 2 + 0.1 * (batch % 2), 0, 1);
    }
    Comparison all = since(0);
    assertEquals(10, all.blocks());
    assertEquals(1, all.ours(), 1e-9);
    assertEquals(2.05, all.timesAsFast(), 1e-9);
    assertTrue(all.least() >= 2 && all.least() < 2.05 && all.most() > 2.05 && all.most() <= 2.1);
    assertEquals(0.5, all.stockBusy(), 1e-9);
    assertEquals(0, all.oursBusy(), 1e-9);
    assertEquals(Verdict.GO, all.verdict());
    assertEquals(3, since(7 * BATCH_MS + 1).blocks());
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
    ShadowAccount other = new ShadowAccount();
    assertEquals(Verdict.UNDECIDED, other.since(0, new Random(1)).verdict());
  }

  @Test
  void keepsAWeekAndADirectoryForEachOfThoseWithMostToGain() {
    for (int batch = 0; batch < 1700; batch++) {
      add(batch * BATCH_MS, "/d" + batch % 300 + "/x/y", 1, 2 + batch % 300, 0, 0);
    }
    assertEquals(1680, since(0).blocks(), "seven days of tenths of hours");
    List<ShadowAccount.PathGain> paths = account.paths();
    assertEquals(200, paths.size());
    assertEquals("/d299/x", paths.get(0).path());
    assertTrue(paths.get(0).seconds() > paths.get(199).seconds());
  }

  @Test
  void leavesOutWhatIsNotKnown() {
    add(0, "/a", 1, Double.NaN, 0, 0);
    assertEquals(0, since(0).blocks());
  }
}
