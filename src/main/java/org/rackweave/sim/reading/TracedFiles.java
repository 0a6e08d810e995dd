package org.rackweave.sim.reading;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.PublishedStatistics;

/**
 * Files like those of EAFR's section 4: some are read, as the files of its trace were, the others
 * never.
 *
 * @param sizeBytes of each file; do not modify
 * @param reads of each file in four hours, 0 for those that are never read; do not modify
 */
public record TracedFiles(long[] sizeBytes, double[] reads) {
  /** Files that the paper creates, and those of them that its trace reads (section 4). */
  public static final int PAPER_FILES = 50_000;

  public static final int PAPER_READ_FILES = 16_566;

  /** Four hours, the length of the trace (section 4). */
  public static final double TRACE_SECONDS = 4 * 3600;

  /**
   * How fast reads fall with a file's size. Section 3.2 says that most popular files are small and
   * large ones seldom read, and cites a study that fits a power law; the exponent is ours.
   */
  public static final double SIZE_EXPONENT = -1.0 / 3;

  /**
   * Draws files. Sizes and reads have the published distributions ({@link PublishedStatistics}); a
   * file's place among all by reads follows its size to the power {@code exponent}, times a
   * log-normal factor as wide as is left of the spread of reads.
   *
   * @param readFiles so many, the first ones, are read
   * @param exponent 0 where size does not matter; negative where small files are read more
   */
  public static TracedFiles drawn(
      int files, int readFiles, double exponent, SplittableRandom random) {
    Distribution sizes = PublishedStatistics.eafrFileBytes();
    long[] sizeBytes = new long[files];
    Arrays.setAll(sizeBytes, file -> Math.round(sizes.draw(random)));
    Distribution published = PublishedStatistics.eafrReadsPerFile();
    double[] counts = new double[readFiles];
    Arrays.setAll(counts, file -> published.draw(random));
    Arrays.sort(counts);
    double left = Math.max(0, variance(counts) - exponent * exponent * variance(sizeBytes));
    double[] rank = new double[readFiles];
    for (int file = 0; file < readFiles; file++) {
      rank[file] = exponent * Math.log(sizeBytes[file]) + Math.sqrt(left) * random.nextGaussian();
    }
    double[] reads = new double[files];
    int[] byRank =
        IntStream.range(0, readFiles)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer file) -> rank[file]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < readFiles; i++) {
      reads[byRank[i]] = counts[i];
    }
    return new TracedFiles(sizeBytes, reads);
  }

  private static double variance(double[] values) {
    double mean = Arrays.stream(values).map(Math::log).average().orElse(0);
    return Arrays.stream(values)
        .map(value -> (Math.log(value) - mean) * (Math.log(value) - mean))
        .average()
        .orElse(0);
  }

  private static double variance(long[] values) {
    return variance(Arrays.stream(values).asDoubleStream().toArray());
  }

  public int count() {
    return sizeBytes.length;
  }

  /** Files that are ever read, the first ones. */
  public int readCount() {
    int count = 0;
    for (double one : reads) {
      count += one > 0 ? 1 : 0;
    }
    return count;
  }

  /** Bytes of one replica of every file. */
  public double totalBytes() {
    return Arrays.stream(sizeBytes).asDoubleStream().sum();
  }
}
