package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.rackweave.model.Require;

/**
 * How often files and the replicas of their blocks are read in an interval T (section 3.2.2).
 *
 * <p><b>Goals.</b> One call for each read from any thread, tens of nanoseconds, no allocation, no
 * global lock, and 24 bytes for each file that is to be tracked.
 *
 * <p><b>Algorithm.</b> Two tables of {@link ReadCounters}: 5/4 counters for each file, so that
 * nearly all of them find one in their set, and 3/4 for replicas, since only those of files read
 * often decide anything. A file's reads are the sum over its blocks. When an interval ends all
 * counters keep the part {@code decay}; what is reported is the counter divided by 1 + decay +
 * decay^2 and so on, a term for each interval since the start. That is an average over intervals
 * that gives the last one most weight, and with decay 0 the paper's v of the last interval.
 * Example: at decay 0.5, a file that is read 40 times in each interval from the start on is
 * reported with 40 from the first interval on; one that is read so later with 20, 30, 35, and so on
 * towards 40.
 *
 * <p>Soft state of one NameNode, lost by a failover: a new one knows the reads of its first
 * interval when that ends, and takes them as they are, so that busy files do not look cold.
 * Thread-safe.
 */
public final class Popularity {
  /** Fewest files that can be tracked, and most. */
  public static final int FILES_MIN = 16;

  public static final int FILES_MAX = 100_000_000;

  private static final Comparator<FileCount> FEWEST_READS_FIRST =
      Comparator.comparingDouble(FileCount::reads)
          .thenComparing(FileCount::fileId, Comparator.reverseOrder());

  private final ReadCounters files;
  private final ReadCounters replicas;
  private final double decay;

  /** The decay to the power of the number of intervals, the one under way among them. */
  private double faded;

  private volatile double scale = 1;

  /** Reads of one file, summed over its blocks. */
  public record FileCount(long fileId, double reads) {}

  /**
   * @param trackedFiles files that can be told apart, {@link #FILES_MIN} to {@link #FILES_MAX}
   * @param decay part of the reads that an interval leaves to the next, in [0, 1)
   * @throws IllegalArgumentException naming the value and its range
   */
  public Popularity(int trackedFiles, double decay) {
    Require.within("tracked files", trackedFiles, FILES_MIN, FILES_MAX);
    Require.that(decay >= 0 && decay < 1, "decay", decay, "[0, 1)");
    files = new ReadCounters(trackedFiles / 4 * 5 + trackedFiles % 4);
    replicas = new ReadCounters(trackedFiles / 4 * 3);
    this.decay = decay;
    faded = decay;
  }

  /** Counts one read of a block's replica. */
  public void record(long fileId, long blockId, long server) {
    record(fileId, blockId, server, 1);
  }

  /**
   * Counts reads of a block's replica.
   *
   * @param server a number that stays the DataNode's as long as it lives
   * @param reads as a DataNode reports them, positive
   */
  public void record(long fileId, long blockId, long server, long reads) {
    files.add(fileId, (float) reads);
    replicas.add(replicaKey(blockId, server), (float) reads);
  }

  /** Two replicas in ten million million share a key, for which both are taken as read more. */
  private static long replicaKey(long blockId, long server) {
    return ReadCounters.mix(blockId) ^ ReadCounters.mix(~server);
  }

  /** An interval T is over. What was read in it should have been asked for before. */
  public synchronized void endInterval() {
    files.decay((float) decay);
    replicas.decay((float) decay);
    faded *= decay;
    scale = (1 - decay) / (1 - faded);
  }

  /**
   * Reads of one file per interval.
   *
   * @param blockIds its blocks
   * @param servers of each block the servers with a replica
   */
  public FileReads readsOf(long fileId, long[] blockIds, long[][] servers) {
    return readsOf(fileId, blockIds, servers, 1);
  }

  /**
   * Reads of one file per interval, asked for before the interval is over. What is still to come is
   * not among the reads it has at least; at most it has as many as if it went on as until now.
   * Example: half an interval after the start 10 reads are at least 10 and at most 20.
   *
   * @param elapsed part of the interval that has passed, in [0, 1]
   */
  public FileReads readsOf(long fileId, long[] blockIds, long[][] servers, double elapsed) {
    int count = 0;
    for (long[] holders : servers) {
      count += holders.length;
    }
    double scale = this.scale;
    double mostScale = scale / (1 - (1 - elapsed) * scale);
    double[] sure = new double[count];
    double[] most = new double[count];
    int at = 0;
    for (int block = 0; block < blockIds.length; block++) {
      for (long server : servers[block]) {
        long key = replicaKey(blockIds[block], server);
        sure[at] = scale * replicas.sureReads(key);
        most[at++] = atMost(mostScale, replicas.mostReads(key));
      }
    }
    int blocks = Math.max(1, blockIds.length);
    return new FileReads(
        scale * files.sureReads(fileId) / blocks,
        atMost(mostScale, files.mostReads(fileId)) / blocks,
        sure,
        most);
  }

  /** Nothing is known at the very start: then there may have been any number of reads. */
  private static double atMost(double scale, double reads) {
    return Double.isFinite(scale) ? scale * reads : Double.POSITIVE_INFINITY;
  }

  /** The files read most, the most read first; their order may be wrong by the error bound. */
  public List<FileCount> mostRead(int limit) {
    double scale = this.scale;
    PriorityQueue<FileCount> top = new PriorityQueue<>(FEWEST_READS_FIRST);
    files.forEach(
        (fileId, reads) -> {
          top.add(new FileCount(fileId, scale * reads));
          if (top.size() > limit) {
            top.remove();
          }
        });
    List<FileCount> result = new ArrayList<>(top);
    result.sort(FEWEST_READS_FIRST.reversed());
    return result;
  }

  /** Reads per interval by which the count of a file, summed over its blocks, can be wrong. */
  public double fileErrorBound() {
    return scale * files.errorBound();
  }

  /** Reads per interval by which the count of a replica can be wrong. */
  public double replicaErrorBound() {
    return scale * replicas.errorBound();
  }

  /** Counters of both tables; each takes {@link #BYTES_PER_COUNTER}. */
  public int counters() {
    return files.capacity() + replicas.capacity();
  }

  /** A key and a count. */
  public static final int BYTES_PER_COUNTER = Long.BYTES + Float.BYTES;
}
