package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.Comparator;
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
public record WritesPlan(long seed, List<Planned> writes, HotSchedule schedule) {

  /**
   * One write. Its name says who writes it as which of its files.
   *
   * @param writer number of the DataNode it is written on, from 0, rack by rack
   * @param atMs milliseconds after the run began
   */
  public record Planned(int writer, int number, int atMs) {

    /** Name of the file. */
    public String name() {
      return writer + "-" + number;
    }
  }

  /**
   * Draws a plan. Every writer is a Poisson process of its own.
   *
   * @param racks racks of the testbed
   * @param writers DataNodes of the testbed
   */
  public static WritesPlan draw(WritesSettings settings, int racks, int writers, long seed) {
    Random random = Seeded.random(seed);
    List<Planned> writes = new ArrayList<>();
    double meanGapMs = 1000 / settings.writesPerSec();
    for (int writer = 0; writer < writers; writer++) {
      double atMs = settings.settleMs() + Seeded.exponential(random, meanGapMs);
      for (int number = 0; atMs < settings.endMs(); number++) {
        writes.add(new Planned(writer, number, (int) atMs));
        atMs += Seeded.exponential(random, meanGapMs);
      }
    }
    writes.sort(Comparator.comparingInt(Planned::atMs).thenComparing(Planned::name));
    HotSchedule schedule =
        HotSchedule.draw(
            seed, racks, settings.hotRacks(), settings.hotPeriodMs(), settings.periods());
    return new WritesPlan(seed, List.copyOf(writes), schedule);
  }
}
