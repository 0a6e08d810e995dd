package org.rackweave.sim.workload;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Reads of files that are there from the start, some far more often than others. Over a run each
 * file keeps its share of the reads, and each read comes at a moment of its own.
 */
public final class PopularReads implements Workload {

  /** About 100 bytes each while the weights are drawn. */
  public static final int FILES_MAX = 10_000_000;

  private final int files;
  private final FileShape shape;
  private final Rate rate;
  private final Clients readers;
  private final WeightedChoice popularity;
  private final long fileSeed;
  private final long readSeed;

  /**
   * How often files are read.
   *
   * @param readsPerSec average number of reads per second, all files together, above 0
   * @param together so many clients open the same file at the same moment, at least 1
   * @param durationNanos no read begins at this moment or later
   */
  public record Rate(double readsPerSec, int together, long durationNanos) {}

  /**
   * @param files number of files, 1 to {@link #FILES_MAX}
   */
  public PopularReads(
      int files,
      FileShape shape,
      Popularity popularity,
      Rate rate,
      Clients readers,
      SplittableRandom random) {
    this.files = files;
    this.shape = shape;
    this.rate = rate;
    this.readers = readers;
    this.popularity = new WeightedChoice(popularity.weights(files, random.split()));
    this.fileSeed = random.nextLong();
    this.readSeed = random.nextLong();
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    SplittableRandom random = new SplittableRandom(fileSeed);
    return LongStream.range(0, files).mapToObj(file -> shape.stored(file, random));
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(readSeed);
    double groupsPerSec = rate.readsPerSec() / rate.together();
    Arrivals arrivals = new Arrivals(groupsPerSec, rate.durationNanos(), random.split());
    Deque<TimedRequest> group = new ArrayDeque<>();
    return Streamed.until(
        () -> {
          long at = group.isEmpty() ? arrivals.next() : -1;
          if (at >= 0) {
            long file = popularity.draw(random);
            for (int i = 0; i < rate.together(); i++) {
              group.add(new TimedRequest.Read(at, readers.at(at, random), file));
            }
          }
          return group.poll();
        });
  }
}
