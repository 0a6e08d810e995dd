package org.rackweave.sim.recovery;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlan;
import org.rackweave.dayu.RecoveryPlanner;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.dayu.Timeslot;
import org.rackweave.sim.scenario.PolicySpec;

/** Dayu: the NameNode's planner, slot by slot, or more often than that. */
final class SlotScheduler implements RecoveryScheduler {
  private static final double STEP_SEC = 1;
  private static final double NANOS_PER_SEC = 1e9;
  private static final double MS_PER_SEC = 1e3;

  private final PolicySpec.Dayu spec;
  private final RecoveryPlanner planner;
  private final SplittableRandom random;
  private final LongSupplier clockNanos;

  /** What a plan takes, as far as one knows before it is made. */
  private double expectedSec;

  /**
   * @param clockNanos of the planner's work
   */
  SlotScheduler(PolicySpec.Dayu spec, SplittableRandom random, LongSupplier clockNanos) {
    this.spec = spec;
    this.random = random;
    this.clockNanos = clockNanos;
    DayuSettings settings =
        new DayuSettings(
            spec.algorithm(),
            spec.rates(),
            spec.stragglers(),
            spec.beta(),
            spec.bucketBytesPerSec(),
            spec.aim());
    planner =
        spec.streams().isPresent()
            ? new RecoveryPlanner(settings, spec.streams().get())
            : new RecoveryPlanner(settings);
    expectedSec =
        spec.planning() == PolicySpec.Planning.FIXED ? spec.planningTimeMs() / MS_PER_SEC : 0;
  }

  @Override
  public Planned plan(
      RecoverySnapshot snapshot, RecoveryBatch batch, double slotSec, double replanSec) {
    Timeslot slot = new Timeslot(slotSec, Math.min(slotSec, expectedSec), 0, replanSec);
    long began = clockNanos.getAsLong();
    RecoveryPlan plan = planner.plan(snapshot, batch, slot, random);
    double workSec = (clockNanos.getAsLong() - began) / NANOS_PER_SEC;
    double readySec =
        switch (spec.planning()) {
          case FIXED -> spec.planningTimeMs() / MS_PER_SEC;
          case MEASURED -> workSec;
          case BY_TASKS -> transfers(plan) / spec.planningSpeedPerSec();
        };
    expectedSec = readySec;
    return new Planned(plan, readySec, workSec);
  }

  private static int transfers(RecoveryPlan plan) {
    int transfers = 0;
    for (int task = 0; task < plan.count(); task++) {
      transfers += plan.transfers(task) ? 1 : 0;
    }
    return transfers;
  }

  @Override
  public boolean plansEverySlot() {
    return true;
  }

  @Override
  public double nodeLimitBytesPerSec() {
    return Double.POSITIVE_INFINITY;
  }

  /** Stragglers that are only watched go on with their original plan (section 5.3). */
  @Override
  public ChunkCopies.Rates rates() {
    return spec.stragglers() == DayuSettings.Stragglers.KEEP
        ? ChunkCopies.Rates.KEPT
        : ChunkCopies.Rates.PLANNED;
  }

  @Override
  public double stepSec() {
    return STEP_SEC;
  }
}
