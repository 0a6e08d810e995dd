package org.rackweave.sim.recovery;

import java.util.SplittableRandom;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlanner;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.dayu.Timeslot;

/**
 * Pangu before Dayu (section 5): a random source and a random destination for every chunk at once,
 * and "static rate control", a limit on what recovery uses of a node's link in each direction,
 * which the copies there share.
 */
final class FixedRateScheduler implements RecoveryScheduler {
  private static final double STEP_SEC = 5;
  private static final Timeslot ENDLESS = new Timeslot(1e9, 0);

  private final RecoveryLinks links;
  private final double limitBytesPerSec;
  private final SplittableRandom random;

  FixedRateScheduler(RecoveryLinks links, double limitBytesPerSec, SplittableRandom random) {
    this.links = links;
    this.limitBytesPerSec = limitBytesPerSec;
    this.random = random;
  }

  @Override
  public Planned plan(
      RecoverySnapshot snapshot, RecoveryBatch batch, double slotSec, double replanSec) {
    RecoveryPlanner planner =
        new RecoveryPlanner(DayuSettings.DEFAULT.with(Algorithm.RANDOM).withBeta(0));
    return new Planned(
        planner.plan(links.snapshotOf(limitBytesPerSec), batch, ENDLESS, random), 0, 0);
  }

  @Override
  public boolean plansEverySlot() {
    return false;
  }

  @Override
  public double nodeLimitBytesPerSec() {
    return limitBytesPerSec;
  }

  @Override
  public ChunkCopies.Rates rates() {
    return ChunkCopies.Rates.UNLIMITED;
  }

  @Override
  public double stepSec() {
    return STEP_SEC;
  }
}
