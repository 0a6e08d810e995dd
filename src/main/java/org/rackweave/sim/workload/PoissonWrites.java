package org.rackweave.sim.workload;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/** New files, written whole, at moments independent of one another. */
public final class PoissonWrites implements Workload {

  private final double filesPerSec;
  private final long durationNanos;
  private final FileShape shape;
  private final Clients writers;
  private final long seed;

  /**
   * @param filesPerSec average number of files begun per second, above 0
   * @param durationNanos no file begins at this moment or later
   */
  public PoissonWrites(
      double filesPerSec,
      long durationNanos,
      FileShape shape,
      Clients writers,
      SplittableRandom random) {
    this.filesPerSec = filesPerSec;
    this.durationNanos = durationNanos;
    this.shape = shape;
    this.writers = writers;
    this.seed = random.nextLong();
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(seed);
    Arrivals arrivals = new Arrivals(filesPerSec, durationNanos, random.split());
    long[] files = {0};
    return Streamed.until(
        () -> {
          long at = arrivals.next();
          return at < 0 ? null : write(at, files[0]++, random);
        });
  }

  private TimedRequest write(long at, long file, SplittableRandom random) {
    int writer = writers.at(at, random);
    long sizeBytes = shape.drawSizeBytes(random);
    return new TimedRequest.Write(
        at, writer, file, sizeBytes, shape.blockBytes(), shape.replication());
  }
}
