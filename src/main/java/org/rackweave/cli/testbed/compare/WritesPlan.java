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
   * Draws a plan. One DataNode of every rack has a writer: with one on each, links are so busy
   * without any background load that stock HDFS takes three times as long as a block alone needs.
   *
   * @param racks racks of the testbed
   * @param nodes DataNodes of the testbed, numbered rack by rack
   */
  static WritesPlan draw(WritesSettings settings, int racks, int nodes, long seed) {
    Random random = Seeded.random(seed);
    PoissonWrites process =
        new PoissonWrites(settings.writesPerSec(), settings.settleMs(), settings.endMs());
    HotSchedule schedule =
        HotSchedule.draw(
            seed, racks, settings.hotRacks(), settings.hotPeriodMs(), settings.periods());
    int nodesPerRack = nodes / racks;
    return new WritesPlan(
        seed, process.draw(random, nodes, node -> node % nodesPerRack == 0), schedule);
  }
}
