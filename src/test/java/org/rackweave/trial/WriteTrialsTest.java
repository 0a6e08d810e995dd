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
    trials.end(2, STAMP, 2 * MB, 10 * SECOND); // another order
    trials.end(1, STAMP, MB, 11 * SECOND);
    assertEquals(List.of(6.0), Arrays.stream(measured(Arm.RACKWEAVE)).boxed().toList());
    assertEquals(List.of(2.0), Arrays.stream(measured(Arm.STOCK)).boxed().toList());
  }

  @Test
  void countsWhatIsSaidAgainOnce() {
    trials.begin(1, STAMP, write(Arm.STOCK, 7), 0);
    trials.end(3, STAMP, 2 * MB, SECOND); // not timed
    trials.end(1, STAMP, 2 * MB, SECOND);
    trials.end(1, STAMP, 2 * MB, 9 * SECOND);
    assertEquals(1, measured(Arm.STOCK).length);
    assertEquals(0, samples.leftOut(Arm.STOCK));
  }

  @Test
  void leavesOutWhatSaysNothing() {
    for (long block = 1; block <= 4; block++) {
      trials.begin(block, STAMP, write(Arm.STOCK, 7), 0);
    }
    trials.end(1, STAMP + 1, 2 * MB, SECOND); // its pipeline was rebuilt
    trials.abandon(2);
    trials.end(4, STAMP, MB - 1, SECOND); // the end of a file is not its placement's fault
    assertEquals(2, samples.leftOut(Arm.STOCK));
    trials.expire(TimeUnit.HOURS.toNanos(1));
    assertEquals(2, samples.leftOut(Arm.STOCK));
    trials.expire(TimeUnit.HOURS.toNanos(1) + 1);
    assertEquals(3, samples.leftOut(Arm.STOCK));
    trials.end(3, STAMP, 2 * MB, TimeUnit.HOURS.toNanos(2));
    assertEquals(0, measured(Arm.STOCK).length);
    trials.abandon(2);
    assertEquals(3, samples.leftOut(Arm.STOCK));
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
      trials.end(FIRST_ID + i, STAMP, 2 * MB, SECOND);
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
    trials.end(1, STAMP, 2 * MB, SECOND);
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
    trials.end(1, STAMP, MB, 3 * SECOND);
    assertEquals(1, trials.calibration().ratios().blocks());
    assertEquals(1.5, trials.calibration().ratios().median(), 1e-9);
    assertEquals(2, trials.calibration().of(record).expectedSeconds(), 1e-9);
    trials.begin(2, STAMP, new Write(null, null, 7, 2 * MB, record), 0);
    trials.end(2, STAMP + 1, 2 * MB, 3 * SECOND);
    assertEquals(1, trials.calibration().ratios().blocks());
  }
}
