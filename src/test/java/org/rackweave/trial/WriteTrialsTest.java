package org.rackweave.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.PlacementRecord.Expected;
import org.rackweave.trial.Canary.State;
import org.rackweave.trial.WriteTrials.Running;
import org.rackweave.trial.WriteTrials.Write;

class WriteTrialsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int MB = 1_000_000;
  private static final long STAMP = 1001;
  private static final long FIRST_ID = 1_073_741_825;

  private final WriteTrials trials = new WriteTrials();
  private final ArmSamples samples = new ArmSamples();

  private Write write(Arm arm, long fileId) {
    return new Write(samples, arm, fileId, 2 * MB, null);
  }

  private double[] measured(Arm arm) {
    return samples.blocks(arm, Long.MIN_VALUE).secondsPerMb();
  }

  @Test
  void measuresFromTheAllocationToTheEndByTheBytes() {
    assertTrue(trials.isIdle());
    trials.begin(1, STAMP, write(Arm.RACKWEAVE, 7), 5 * SECOND);
    trials.begin(2, STAMP, write(Arm.STOCK, 8), 6 * SECOND);
    assertFalse(trials.isIdle());
    trials.end(8, 2, STAMP, 2 * MB, 10 * SECOND); // another order
    trials.end(7, 1, STAMP, MB, 11 * SECOND);
    assertEquals(List.of(6.0), Arrays.stream(measured(Arm.RACKWEAVE)).boxed().toList());
    assertEquals(List.of(2.0), Arrays.stream(measured(Arm.STOCK)).boxed().toList());
  }

  @Test
  void countsWhatIsSaidAgainOnce() {
    trials.begin(1, STAMP, write(Arm.STOCK, 7), 0);
    trials.end(7, 3, STAMP, 2 * MB, SECOND); // not timed
    trials.end(7, 1, STAMP, 2 * MB, SECOND);
    trials.end(7, 1, STAMP, 2 * MB, 9 * SECOND);
    assertEquals(1, measured(Arm.STOCK).length);
    assertEquals(0, samples.leftOut(Arm.STOCK));
  }

  @Test
  void leavesOutWhatSaysNothing() {
    trials.begin(3, STAMP, write(Arm.STOCK, 7), 0);
    trials.begin(4, STAMP, write(Arm.STOCK, 8), 0);
    trials.end(8, 4, STAMP, MB - 1, SECOND); // the end of a file is not its placement's fault
    trials.expire(TimeUnit.HOURS.toNanos(1));
    assertEquals(0, samples.leftOut(Arm.STOCK));
    trials.expire(TimeUnit.HOURS.toNanos(1) + 1);
    assertEquals(1, samples.leftOut(Arm.STOCK));
    trials.end(7, 3, STAMP, 2 * MB, TimeUnit.HOURS.toNanos(2));
    assertEquals(0, measured(Arm.STOCK).length);
  }

  /** Both are what a slow target looks like. */
  @Test
  void countsTheTimeOfRebuiltPipelinesAndOfBlocksThatWereGivenUp() {
    trials.begin(1, STAMP, write(Arm.STOCK, 7), 0);
    trials.end(7, 1, STAMP + 1, 2 * MB, 60 * SECOND);
    trials.begin(2, STAMP, write(Arm.STOCK, 8), 0);
    trials.abandon(8, 2);
    trials.abandon(8, 2);
    trials.begin(3, STAMP, write(Arm.STOCK, 8), 70 * SECOND);
    trials.abandon(8, 3);
    trials.begin(4, STAMP, write(Arm.STOCK, 9), 71 * SECOND); // of another file
    trials.end(9, 4, STAMP, 2 * MB, 73 * SECOND);
    trials.begin(5, STAMP, write(Arm.STOCK, 8), 75 * SECOND);
    trials.end(8, 5, STAMP, 2 * MB, 80 * SECOND);
    trials.begin(6, STAMP, write(Arm.STOCK, 8), 80 * SECOND); // the next one
    trials.end(8, 6, STAMP, 2 * MB, 84 * SECOND);
    assertEquals(
        List.of(1.0, 2.0, 30.0, 40.0), Arrays.stream(measured(Arm.STOCK)).boxed().toList());
    assertEquals(0, samples.leftOut(Arm.STOCK));
    trials.begin(7, STAMP, write(Arm.STOCK, 8), 0);
    trials.abandon(8, 7); // and nothing follows
    trials.expire(TimeUnit.HOURS.toNanos(1) + 1);
    assertEquals(1, samples.leftOut(Arm.STOCK));
  }

  @Test
  void believesNobodyOfAnothersBlockNorThatOneIsLongerThanItCanBe() {
    trials.begin(1, STAMP, write(Arm.STOCK, 7), 0);
    trials.end(8, 1, STAMP, 2 * MB, SECOND);
    trials.abandon(8, 1);
    assertEquals(0, measured(Arm.STOCK).length);
    trials.end(7, 1, STAMP, Long.MAX_VALUE, 4 * SECOND);
    assertEquals(List.of(2.0), Arrays.stream(measured(Arm.STOCK)).boxed().toList());
  }

  @Test
  void isBoundedAndDropsTheOldest() {
    int begun = 40_000;
    for (int i = 0; i < begun; i++) {
      trials.begin(FIRST_ID + i, STAMP, write(Arm.STOCK, i), i);
    }
    long dropped = samples.leftOut(Arm.STOCK);
    assertTrue(begun - dropped <= 1 << 14, "kept " + (begun - dropped));
    for (int i = begun - 5000; i < begun; i++) {
      trials.end(i, FIRST_ID + i, STAMP, 2 * MB, SECOND);
    }
    assertTrue(measured(Arm.STOCK).length >= 4950, "of the latest " + measured(Arm.STOCK).length);
  }

  /** As many blocks as a busy cluster writes at once find room, whatever their order. */
  @Test
  void losesNextToNoneOfTenThousandAtOnce() {
    Random random = new Random(11);
    for (int i = 0; i < 10_000; i++) {
      trials.begin(FIRST_ID + 3L * i + random.nextInt(3), STAMP, write(Arm.STOCK, i), i);
    }
    assertTrue(samples.leftOut(Arm.STOCK) <= 20, "lost " + samples.leftOut(Arm.STOCK));
  }

  @Test
  void beginsAnewAfterAFailover() {
    Canary canary = new Canary(State.RUNNING, "/tmp", 50, 1, 0, 0, "write_p95>+10%", "");
    trials.run(new Running(canary, samples, false));
    assertNull(trials.running().armOf("/other/a", 7));
    assertEquals(Arm.of(7, 1, 0.5), trials.running().armOf("/tmp/a", 7));
    trials.begin(1, STAMP, write(Arm.STOCK, 7), 0);
    trials.clear();
    assertNull(trials.running());
    assertTrue(trials.isIdle());
    trials.end(7, 1, STAMP, 2 * MB, SECOND);
    assertEquals(0, measured(Arm.STOCK).length);
  }

  @Test
  void tellsWhyACanaryWasAbortedUntilThereIsAnother() {
    assertEquals("", trials.aborted());
    Canary canary = new Canary(State.RUNNING, "/tmp", 50, 1, 0, 0, "write_p95>+10%", "");
    trials.know(canary);
    assertEquals("", trials.aborted());
    trials.know(canary.over(State.ABORTED, "worse"));
    assertEquals("canary below /tmp aborted: worse", trials.aborted());
    trials.know(null);
    assertEquals("", trials.aborted());
  }

  @Test
  void comparesWithWhatWasExpectedOfAsManyBytes() {
    PlacementRecord record =
        new PlacementRecord(
            5,
            "/a/b",
            true,
            2 * MB,
            null,
            PlacementRecord.Ranking.NETWORK,
            null,
            List.of(),
            List.of(),
            List.of(),
            new Expected(4, Double.NaN, 9, 9, 0, 0));
    trials.begin(1, STAMP, new Write(null, null, 7, 2 * MB, record), 0);
    trials.end(7, 1, STAMP, MB, 3 * SECOND);
    assertEquals(1, trials.calibration().ratios().blocks());
    assertEquals(1.5, trials.calibration().ratios().median(), 1e-9);
    assertEquals(2, trials.calibration().of(record).expectedSeconds(), 1e-9);
    trials.begin(2, STAMP, new Write(null, null, 7, 2 * MB, record), 0);
    trials.end(7, 2, STAMP + 1, 2 * MB, 3 * SECOND);
    trials.begin(3, STAMP, new Write(samples, Arm.STOCK, 7, 2 * MB, record), 0);
    trials.abandon(7, 3);
    trials.begin(4, STAMP, new Write(samples, Arm.STOCK, 7, 2 * MB, record), SECOND);
    trials.end(7, 4, STAMP, 2 * MB, 3 * SECOND);
    assertEquals(1, trials.calibration().ratios().blocks());
    assertEquals(1, measured(Arm.STOCK).length);
  }
}
