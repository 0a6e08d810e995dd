package org.rackweave.telemetry;

import java.util.List;
import java.util.Optional;

/**
 * What a DataNode's agent tells the NameNode on one heartbeat. Counters are cumulative within one
 * epoch, so that a lost heartbeat costs resolution but no bytes; the agent starts a new epoch when
 * it restarts or when a counter it reads went back.
 *
 * <p>Every number is at least 0. The wire carries times and the link speed up to their {@code MAX}
 * constant; the encoder sends larger values as that constant.
 *
 * @param epochMs wall clock when these counters began, ms since 1970: the identity of the counters
 * @param sentAtMs the sender's wall clock now, ms since 1970
 * @param uptimeMs monotonic ms since the epoch began; strictly increases from report to report
 * @param rxBytes bytes received by the link, cumulative
 * @param txBytes bytes sent by the link, cumulative
 * @param linkBytesPerSec capacity of the link in one direction; 0 = unknown
 * @param diskWrittenBytes bytes written to the DataNode's disks, cumulative; 0 = unknown
 * @param blockBytesReceived bytes of HDFS blocks among what the DataNode received, cumulative,
 *     those of writers on its own host included; 0 = unknown
 * @param diskUsedFraction used part of the DataNode's storage, 0 to 1
 * @param readers transfers that read from this DataNode now
 * @param writers transfers that write to this DataNode now
 * @param topReads the blocks read most since the last report that carried them; empty unless the
 *     NameNode asked for them
 * @param missedReads reads that any one block may have had since then beyond those; {@link
 *     #UNKNOWN} where nothing is counted, and from agents that do not tell
 * @param rates how fast bytes move over the link at the moment of sending; empty from agents that
 *     do not tell, and until two samples were taken. Beside them {@code blockBytesReceived} does
 *     not travel
 * @param saturation what came to its limits; travels beside rates only
 */
public record HeartbeatReport(
    long epochMs,
    long sentAtMs,
    long uptimeMs,
    long rxBytes,
    long txBytes,
    long linkBytesPerSec,
    long diskWrittenBytes,
    long blockBytesReceived,
    float diskUsedFraction,
    int readers,
    int writers,
    List<BlockReads> topReads,
    long missedReads,
    Optional<LinkRates> rates,
    Saturation saturation) {

  /** Of reads that were missed. */
  public static final long UNKNOWN = -1;

  /** Largest time on the wire, some 8,900 years. */
  public static final long MAX_TIME_MS = (1L << 48) - 1;

  /** Largest link speed on the wire, 281 TB/s. */
  public static final long MAX_LINK_BYTES_PER_SEC = (1L << 48) - 1;

  /** Largest number of readers or writers on the wire. */
  public static final int MAX_TRANSFERS = (1 << 24) - 1;

  /** Most block read counts in one report. */
  public static final int MAX_TOP_READS = 1000;

  /** Most bytes in one encoded report. */
  public static final int MAX_ENCODED_BYTES = 24 * 1024;

  /** Most bytes in one encoded report of nothing but the link, without rates. */
  public static final int MAX_LINK_PART_BYTES = 64;

  /** Most bytes in one encoded report without block read counts, with rates or not. */
  public static final int MAX_BYTES_WITHOUT_READS = MAX_LINK_PART_BYTES + 10;

  /**
   * @throws IllegalArgumentException if a number is negative, the fraction is not within 0 to 1, or
   *     there are more than {@link #MAX_TOP_READS} read counts
   */
  public HeartbeatReport {
    requireAtLeastZero("epochMs", epochMs);
    requireAtLeastZero("sentAtMs", sentAtMs);
    requireAtLeastZero("uptimeMs", uptimeMs);
    requireAtLeastZero("rxBytes", rxBytes);
    requireAtLeastZero("txBytes", txBytes);
    requireAtLeastZero("linkBytesPerSec", linkBytesPerSec);
    requireAtLeastZero("diskWrittenBytes", diskWrittenBytes);
    requireAtLeastZero("blockBytesReceived", blockBytesReceived);
    requireAtLeastZero("readers", readers);
    requireAtLeastZero("writers", writers);
    if (!(diskUsedFraction >= 0 && diskUsedFraction <= 1)) {
      throw new IllegalArgumentException(
          "diskUsedFraction must be within 0 to 1: " + diskUsedFraction);
    }
    topReads = List.copyOf(topReads);
    if (topReads.size() > MAX_TOP_READS) {
      throw new IllegalArgumentException(
          "at most " + MAX_TOP_READS + " block read counts: " + topReads.size());
    }
  }

  /** A report that does not tell how many reads were missed. */
  public HeartbeatReport(
      long epochMs,
      long sentAtMs,
      long uptimeMs,
      long rxBytes,
      long txBytes,
      long linkBytesPerSec,
      long diskWrittenBytes,
      long blockBytesReceived,
      float diskUsedFraction,
      int readers,
      int writers,
      List<BlockReads> topReads) {
    this(
        epochMs,
        sentAtMs,
        uptimeMs,
        rxBytes,
        txBytes,
        linkBytesPerSec,
        diskWrittenBytes,
        blockBytesReceived,
        diskUsedFraction,
        readers,
        writers,
        topReads,
        UNKNOWN);
  }

  /** A report without the link's rates. */
  public HeartbeatReport(
      long epochMs,
      long sentAtMs,
      long uptimeMs,
      long rxBytes,
      long txBytes,
      long linkBytesPerSec,
      long diskWrittenBytes,
      long blockBytesReceived,
      float diskUsedFraction,
      int readers,
      int writers,
      List<BlockReads> topReads,
      long missedReads) {
    this(
        epochMs,
        sentAtMs,
        uptimeMs,
        rxBytes,
        txBytes,
        linkBytesPerSec,
        diskWrittenBytes,
        blockBytesReceived,
        diskUsedFraction,
        readers,
        writers,
        topReads,
        missedReads,
        Optional.empty(),
        Saturation.NONE);
  }

  private static void requireAtLeastZero(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be at least 0: " + value);
    }
  }
}
