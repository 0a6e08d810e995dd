package org.rackweave.cli.demo;

import java.util.List;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;
import org.rackweave.cli.experiment.Statistics;

/**
 * What one side achieved.
 *
 * @param blocks what was written under moving load
 * @param windows what the DataNodes received meanwhile
 * @param readSeconds how long reads took that were due while a file was hot
 * @param readsBySecond mean time of the reads due in each second of the load, NaN where there were
 *     none
 * @param degradedSeconds how long reads of striped files took while a DataNode was dead
 * @param failedReads reads that failed, of both kinds
 * @param hotReplicas replicas of the hot file in the end
 * @param encodedBytes bytes of data that became stripes
 * @param encodeSeconds how long that took
 * @param encodeCrossRackBytes bytes of blocks that went from rack to rack meanwhile
 * @param detectionSeconds from the death until the NameNode knew of it
 * @param rebuildSeconds from then until every block was whole again
 * @param missing how many blocks lacked something, by seconds after the death
 * @param storedBytes bytes on all DataNodes in the end
 * @param fileBytes bytes of all files
 * @param lostBytes bytes of files that did not read back as they were written
 * @param fallbacks decisions that Rackweave left to stock HDFS
 */
record SideOutcome(
    List<BlockWrite> blocks,
    List<LinkWindow> windows,
    double[] readSeconds,
    double[] readsBySecond,
    double[] degradedSeconds,
    int failedReads,
    int hotReplicas,
    long encodedBytes,
    double encodeSeconds,
    long encodeCrossRackBytes,
    double detectionSeconds,
    double rebuildSeconds,
    List<Missing> missing,
    long storedBytes,
    long fileBytes,
    long lostBytes,
    long fallbacks) {

  /** How long blocks took to write. */
  double[] blockSeconds() {
    return blocks.stream().mapToDouble(BlockWrite::seconds).toArray();
  }

  /** 99th percentile of reads while a file was hot. */
  double readP99Seconds() {
    return Statistics.quantile(readSeconds, 0.99);
  }

  /** Bytes on DataNodes for a byte of a file. */
  double storedBytesPerByte() {
    return (double) storedBytes / fileBytes;
  }

  /** Bytes from rack to rack for a byte that became part of a stripe; NaN if none did. */
  double crossRackBytesPerEncodedByte() {
    return encodedBytes == 0 ? Double.NaN : (double) encodeCrossRackBytes / encodedBytes;
  }
}
