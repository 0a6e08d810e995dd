package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Random;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Seeded;
import org.rackweave.cli.testbed.compare.Filling.Filled;

/**
 * A recovery, drawn from its seed alone: who is killed, what it holds and where the other copies
 * are, who writes meanwhile and which racks are hot. DataNodes and racks are numbered from 0, rack
 * by rack.
 *
 * @param filling the DataNode that is killed and what it holds
 * @param writes the foreground load
 * @param schedule which racks are hot when
 */
record RecoveryPlan(
    long seed, Filling filling, List<PoissonWrites.Planned> writes, HotSchedule schedule) {

  /**
   * Draws a plan.
   *
   * @param nodesPerRack DataNodes of every rack, at least 2
   * @param uplinkBytesPerSec speed of a rack's link to the core
   */
  static RecoveryPlan draw(
      RecoverySettings settings, int racks, int nodesPerRack, long uplinkBytesPerSec, long seed) {
    Random random = Seeded.random(seed);
    Filling filling =
        Filling.draw(
            random,
            racks,
            nodesPerRack,
            uplinkBytesPerSec,
            settings.blocks(),
            settings.blockBytes());
    int endMs = settings.killAtMs() + RecoverySettings.LONGEST_MS;
    PoissonWrites process = new PoissonWrites(settings.writesPerSec(), 0, endMs);
    HotSchedule schedule =
        HotSchedule.draw(
            seed,
            racks,
            settings.hotRacks(),
            settings.hotPeriodMs(),
            endMs / settings.hotPeriodMs() + 1);
    return new RecoveryPlan(
        seed,
        filling,
        process.draw(random, racks * nodesPerRack, writer -> writer != filling.victim()),
        schedule);
  }

  /** The DataNode that is killed. */
  int victim() {
    return filling.victim();
  }

  /** What it holds. */
  List<Filled> filled() {
    return filling.blocks();
  }
}
