package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.rackweave.cli.experiment.Seeded;

/**
 * Writers that are Poisson processes of their own.
 *
 * @param writesPerSec how often each begins a write, on average
 * @param fromMs when the first may begin, in milliseconds after the start of the run
 * @param untilMs when no other begins
 */
record PoissonWrites(double writesPerSec, int fromMs, int untilMs) {

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
   * Draws the writes of all writers.
   *
   * @param writers how many there are
   * @param writes who of them writes
   * @return in the order of their times
   */
  List<Planned> draw(Random random, int writers, IntPredicate writes) {
    List<Planned> planned = new ArrayList<>();
    double meanGapMs = 1000 / writesPerSec;
    for (int writer = 0; writer < writers; writer++) {
      double atMs = fromMs + Seeded.exponential(random, meanGapMs);
      for (int number = 0; atMs < untilMs && writes.test(writer); number++) {
        planned.add(new Planned(writer, number, (int) atMs));
        atMs += Seeded.exponential(random, meanGapMs);
      }
    }
    planned.sort(Comparator.comparingInt(Planned::atMs).thenComparing(Planned::name));
    return List.copyOf(planned);
  }
}
