package org.rackweave.sim.workload;

import java.util.List;

/**
 * What the papers tell of their workloads, as distributions to draw from. Where a paper gives only
 * shares, the shape between them is ours and is said so.
 */
public final class PublishedStatistics {

  private static final double KILOBYTE = 1e3;
  private static final double GIGABYTE = 1e9;
  private static final double MEBIBYTE = 1 << 20;

  private PublishedStatistics() {}

  /**
   * Sizes of written blocks, in bytes: 32 % of the blocks are whole ones of 256 MB and hold 81 % of
   * the bytes (Sinbad, section 4.3). The others have 19 % of the bytes in 68 % of the blocks, 28 MB
   * on average; that they are log-uniform is ours, and 30 kB at the low end gives that average.
   */
  public static Distribution sinbadBlockBytes() {
    double whole = 256 * MEBIBYTE;
    return new Distribution.Mixture(
        0.32, new Distribution.Fixed(whole), new Distribution.LogUniform(30 * KILOBYTE, whole));
  }

  /** Large block requests per second in the trace (Sinbad, section 7.2). */
  public static final double SINBAD_LARGE_BLOCKS_PER_SEC = 4;

  /**
   * Reads of a file in four hours: 43 % of the files get fewer than 30, 4 % more than 400, and
   * 16,566 files get 3,972,284 calls, 240 each on average (EAFR, sections 3.2.2 and 4). That reads
   * are log-uniform between those marks is ours, and 15,000 at the high end gives the average.
   */
  public static Distribution eafrReadsPerFile() {
    return new Distribution.Quantiles(
        List.of(0.0, 0.43, 0.96, 1.0), List.of(1.0, 30.0, 400.0, 15_000.0));
  }

  /** Reads per second of the trace: 3,972,284 calls in about four hours (EAFR, section 4). */
  public static final double EAFR_READS_PER_SEC = 3_972_284 / (4 * 3600.0);

  /**
   * Sizes of files, in bytes: from 100 kB to 10 GB (EAFR, section 4). Log-uniform is ours: uniform
   * ones would have 5 GB on average, and two replicas of 50,000 of them would not fit into the 150
   * TB of the paper's 300 servers.
   */
  public static Distribution eafrFileBytes() {
    return new Distribution.LogUniform(100 * KILOBYTE, 10 * GIGABYTE);
  }

  /** Storage of a server, in bytes (EAFR, section 4). */
  public static Distribution eafrCapacityBytes() {
    return new Distribution.Choice(List.of(250 * GIGABYTE, 500 * GIGABYTE, 750 * GIGABYTE));
  }

  /** Reads a server serves at a time: mean 15, variance 10 (EAFR, section 4). */
  public static Distribution eafrServiceCapacity() {
    return new Distribution.Normal(15, Math.sqrt(10));
  }

  /** Size of a chunk, in bytes; the most common one (Dayu, section 2.1). */
  public static final long DAYU_CHUNK_BYTES = 64 << 20;

  /** Chunks of a node (Dayu, observation 1). */
  public static final int DAYU_CHUNKS_PER_NODE = 250_000;

  /**
   * Foreground of a node with two 1 Gb/s links: less than half of the bandwidth on average, and a
   * coefficient of variation over nodes between 0.4 and 0.6 in timeslots of 15 s (Dayu,
   * observations 2, 3 and 5). The mean of 0.4 and the middle of the range are ours.
   *
   * @param durationNanos length of the run
   */
  public static NodeForeground.Shape dayuForeground(long durationNanos) {
    return new NodeForeground.Shape(250e6, 0.4, 0.5, 15_000_000_000L, durationNanos);
  }

  /** Size of a written block, in bytes (EAR, section V). */
  public static final long EAR_BLOCK_BYTES = 64 << 20;

  /** Written blocks per second beside encoding (EAR, experiment A.2). */
  public static final double EAR_WRITES_PER_SEC = 0.5;
}
