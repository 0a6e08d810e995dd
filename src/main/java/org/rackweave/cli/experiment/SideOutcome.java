package org.rackweave.cli.experiment;

import java.util.List;
import org.rackweave.sim.statistics.Sample;

/**
 * What one side achieved with all features or with none.
 *
 * @param hotReplicas replicas of the hot file in the end
 * @param fallbacks decisions that Rackweave left to stock HDFS
 */
public record SideOutcome(
    Writes writes,
    Reads reads,
    int hotReplicas,
    Encoded encoded,
    Recovery recovery,
    Kept kept,
    long fallbacks) {

  /**
   * Writes under moving load.
   *
   * @param blocks what was written
   * @param windows what the DataNodes received meanwhile
   */
  public record Writes(List<BlockWrite> blocks, List<LinkWindow> windows) {
    /** How long blocks took. */
    public double[] seconds() {
      return blocks.stream().mapToDouble(BlockWrite::seconds).toArray();
    }
  }

  /**
   * Reads while files become stripes.
   *
   * @param seconds of those that were due while a file was hot
   * @param bySecond mean time of those due in each second of the load, NaN where there were none
   * @param failed how many failed, or were stuck
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Reads(double[] seconds, double[] bySecond, int failed) {}

  /**
   * A directory that became stripes.
   *
   * @param bytes of data
   * @param seconds it took
   * @param crossRackBytes bytes that went from rack to rack for it
   */
  public record Encoded(long bytes, double seconds, long crossRackBytes) {}

  /**
   * A DataNode that died.
   *
   * @param watch when that was noticed, and when every block was whole again
   * @param degradedSeconds how long reads of striped files took meanwhile
   * @param failed how many of these failed
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Recovery(RecoveryWatch watch, double[] degradedSeconds, int failed) {}

  /**
   * What is there in the end.
   *
   * @param storedBytes bytes on all DataNodes that run
   * @param fileBytes bytes of all files
   * @param lostBytes bytes of files that did not read back as they were written
   */
  public record Kept(long storedBytes, long fileBytes, long lostBytes) {}

  /** 99th percentile of reads while a file was hot. */
  double readP99Seconds() {
    return new Sample(reads.seconds()).quantile(0.99);
  }

  /** Bytes from rack to rack for a byte that became part of a stripe; NaN if none did. */
  double crossRackBytesPerEncodedByte() {
    return encoded.bytes() == 0 ? Double.NaN : (double) encoded.crossRackBytes() / encoded.bytes();
  }
}
