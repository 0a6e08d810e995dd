package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Random;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Seeded;

/**
 * What happens in a run, drawn from its seed alone: every policy meets the same.
 *
 * @param seed what it was drawn from
 * @param writes in the order of their times
 * @param schedule which racks are hot when; racks are numbered from 0
 */
record WritesPlan(long seed, List<PoissonWrites.Planned> writes, HotSchedule schedule) {

  /**
   * Draws a plan.
   *
   * @param racks racks of the testbed
   * @param writers DataNodes of the testbed
   */
  static WritesPlan draw(WritesSettings settings, int racks, int writers, long seed) {
    Random random = Seeded.random(seed);
    PoissonWrites process =
        new PoissonWrites(settings.writesPerSec(), settings.settleMs(), settings.endMs());
    HotSchedule schedule =
        HotSchedule.draw(
            seed, racks, settings.hotRacks(), settings.hotPeriodMs(), settings.periods());
    return new WritesPlan(seed, process.draw(random, writers, writer -> true), schedule);
  }
}
