package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Seeded;

/**
 * A load of reads, drawn from its seed alone: which files there are and where, who reads which of
 * them when, and which racks are hot. DataNodes and racks are numbered from 0, rack by rack; files
 * by their rank, the one that is read most first.
 *
 * @param files in the order of their ranks
 * @param reads in the order of their times
 * @param schedule which racks are hot when
 */
record ReadsPlan(long seed, List<Placed> files, List<Planned> reads, HotSchedule schedule) {

  /** Share of all uplinks that filling takes, so that no write waits for another. */
  private static final double FILL_SHARE = 0.5;

  /**
   * A file. One copy is at its writer, the others in one other rack, as stock HDFS spreads three.
   *
   * @param atMs when it is written, in milliseconds after filling begins
   * @param replicas where it has to be at first, the writer first
   */
  record Placed(int number, long atMs, List<Integer> replicas) {
    String name() {
      return String.valueOf(number);
    }
  }

  /**
   * A read.
   *
   * @param number its own, in the order of times
   * @param reader number of the DataNode on whose machine it is
   * @param atMs milliseconds after the run began
   * @param file number of the file
   */
  record Planned(int number, int reader, int atMs, int file) {
    String id() {
      return String.valueOf(number);
    }
  }

  /**
   * Draws a plan.
   *
   * @param nodesPerRack DataNodes of every rack, at least 2
   * @param uplinkBytesPerSec speed of a rack's link to the core
   */
  static ReadsPlan draw(
      ReadsSettings settings, int racks, int nodesPerRack, long uplinkBytesPerSec, long seed) {
    Random random = Seeded.random(seed);
    double fillBytesPerSec = FILL_SHARE * racks * uplinkBytesPerSec;
    List<Placed> files = new ArrayList<>();
    for (int file = 0; file < settings.files(); file++) {
      long atMs = (long) (1000 * file * settings.fileBytes() / fillBytesPerSec);
      files.add(
          new Placed(
              file,
              atMs,
              Filling.replicas(random, random.nextInt(racks * nodesPerRack), racks, nodesPerRack)));
    }
    PoissonWrites process = new PoissonWrites(settings.readsPerSec(), 0, settings.endMs());
    double[] upTo = cumulative(settings.files(), settings.zipfExponent());
    List<Planned> reads = new ArrayList<>();
    for (PoissonWrites.Planned arrival :
        process.draw(random, racks * nodesPerRack, reader -> true)) {
      int file = drawn(upTo, random.nextDouble());
      reads.add(new Planned(reads.size(), arrival.writer(), arrival.atMs(), file));
    }
    HotSchedule schedule =
        HotSchedule.draw(
            seed,
            racks,
            settings.hotRacks(),
            settings.hotPeriodMs(),
            settings.endMs() / settings.hotPeriodMs() + 1);
    return new ReadsPlan(seed, List.copyOf(files), List.copyOf(reads), schedule);
  }

  /** For each rank the share of reads that go to it or one before. */
  private static double[] cumulative(int files, double exponent) {
    double[] upTo = new double[files];
    double sum = 0;
    for (int rank = 1; rank <= files; rank++) {
      sum += Math.pow(rank, -exponent);
      upTo[rank - 1] = sum;
    }
    for (int i = 0; i < files; i++) {
      upTo[i] /= sum;
    }
    return upTo;
  }

  private static int drawn(double[] upTo, double uniform) {
    int found = Arrays.binarySearch(upTo, uniform);
    return Math.min(found < 0 ? -found - 1 : found + 1, upTo.length - 1);
  }

  /** Reads due from then on. */
  List<Planned> dueFrom(int atMs) {
    return reads.stream().filter(read -> read.atMs() >= atMs).toList();
  }
}
