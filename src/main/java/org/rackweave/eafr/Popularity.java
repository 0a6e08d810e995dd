package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.rackweave.model.Require;

/**
 * How often files and the replicas of their blocks are read in an interval T (section 3.2.2).
 *
 * <p><b>Goals.</b> One call for each read from any thread, tens of nanoseconds, no allocation, no
 * global lock, and 29 bytes for each file that is to be tracked.
 *
 * <p><b>Algorithm.</b> Two tables of {@link ReadCounters}: 6/5 counters for each file, so that
 * nearly all of them find one in their set, and 3/4 for replicas, since only those of files read
 * often decide anything. A file's reads are the sum over its blocks. Files are ranked by the reads
 * of their replica that is read most, of which a file that is hot by Eq. 2 or 3 has more than tau_u
 * or sigma_u: by their sum, long files that somebody scans would hide every short one. When an
 * interval ends all counters keep the part {@code decay}; what is reported is the counter divided
 * by 1 + decay + decay^2 and so on, a term for each interval since the start. That is an average
 * over intervals that gives the last one most weight, and with decay 0 the paper's v of the last
 * interval. Example: at decay 0.5, a file that is read 40 times in each interval from the start on
 * is reported with 40 from the first interval on; one that is read so later with 20, 30, 35, and so
 * on towards 40.
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
      Comparator.comparingDouble(FileCount::replicaReads)
          .thenComparing(FileCount::fileId, Comparator.reverseOrder());

  private final ReadCounters files;
  private final ReadCounters replicas;
  private volatile double decay;

  /** Of each server the reads that any of its replicas may have had beyond those counted. */
  private final Map<Long, Float> missed = new ConcurrentHashMap<>();

  /** What the counters hold of intervals, the one under way as one, in sum. */
  private double intervals = 1;

  private volatile double scale = 1;

  /** A file and the reads per interval of its replica that is read most. */
  public record FileCount(long fileId, double replicaReads) {}

  /**
   * @param trackedFiles files that can be told apart, {@link #FILES_MIN} to {@link #FILES_MAX}
   * @param decay part of the reads that an interval leaves to the next, in [0, 1)
   * @throws IllegalArgumentException naming the value and its range
   */
  public Popularity(int trackedFiles, double decay) {
    Require.within("tracked files", trackedFiles, FILES_MIN, FILES_MAX);
    decayBy(decay);
    files = new ReadCounters(trackedFiles / 5 * 6 + trackedFiles % 5, true);
    replicas = new ReadCounters(trackedFiles / 4 * 3, false);
  }

  /**
   * Has the intervals that end from now on leave another part.
   *
   * @param part of the reads that an interval leaves to the next, in [0, 1)
   * @throws IllegalArgumentException naming the value and its range
   */
  public void decayBy(double part) {
    Require.that(part >= 0 && part < 1, "decay", part, "[0, 1)");
    decay = part;
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
    float ofReplica = replicas.add(replicaKey(blockId, server), (float) reads);
    files.add(fileId, (float) reads, ofReplica);
  }

  /**
   * A reader was sent to a replica whose server tells of its reads itself. What is served without
   * being told is among the reads at most: those told, or those sent where these are more.
   */
  public void located(long blockId, long server) {
    replicas.expect(replicaKey(blockId, server), 1);
  }

  /**
   * A server does not tell all its reads. What it has missed is among those that its replicas have
   * at most, so that no file is cold for certain that may have been read there.
   *
   * @param reads that any of its replicas may have had beyond those recorded, negative for unknown:
   *     then any number, until an interval after the next has passed without that
   */
  public void missed(long server, long reads) {
    if (reads != 0) {
      missed.merge(server, reads < 0 ? Float.POSITIVE_INFINITY : reads, Float::sum);
    }
  }

  private static float fade(float missed, double decay) {
    if (missed == Float.POSITIVE_INFINITY) {
      return Float.MAX_VALUE;
    }
    return missed == Float.MAX_VALUE ? 0 : (float) (decay * missed);
  }

  /** Two replicas in ten million million share a key, for which both are taken as read more. */
  private static long replicaKey(long blockId, long server) {
    return ReadCounters.mix(blockId) ^ ReadCounters.mix(~server);
  }

  /** An interval T is over. What was read in it should have been asked for before. */
  public synchronized void endInterval() {
    files.decay((float) decay);
    replicas.decay((float) decay);
    missed.replaceAll((server, reads) -> fade(reads, decay));
    missed.values().removeIf(reads -> reads < 1 / 16f);
    intervals = 1 + decay * intervals;
    scale = 1 / intervals;
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
    double untoldOfFile = 0;
    for (int block = 0; block < blockIds.length; block++) {
      for (long server : servers[block]) {
        long key = replicaKey(blockIds[block], server);
        sure[at] = scale * replicas.sureReads(key);
        double ahead = replicas.yetToCome(key);
        double untold = Math.max(ahead, missed.getOrDefault(server, 0f));
        untoldOfFile += untold;
        most[at++] = atMost(mostScale, replicas.mostReads(key) - ahead + untold);
      }
    }
    int blocks = Math.max(1, blockIds.length);
    return new FileReads(
        scale * files.sureReads(fileId) / blocks,
        atMost(mostScale, files.mostReads(fileId) + untoldOfFile) / blocks,
        sure,
        most);
  }

  /** Nothing is known at the very start: then there may have been any number of reads. */
  private static double atMost(double scale, double reads) {
    return Double.isFinite(scale) ? scale * reads : Double.POSITIVE_INFINITY;
  }

  /**
   * The files of which a replica is read most, the most read first, those read alike by id; their
   * order may be wrong by the error bounds. A file's other replicas may be read less, so that not
   * all of these are hot, but none that is not among them can be hotter than the last one.
   */
  public List<FileCount> mostRead(int limit) {
    double scale = this.scale;
    PriorityQueue<FileCount> top = new PriorityQueue<>(FEWEST_READS_FIRST);
    files.forEachRanked(
        (fileId, replicaReads) -> {
          top.add(new FileCount(fileId, scale * replicaReads));
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

  /** Counters of both tables. */
  public int counters() {
    return files.capacity() + replicas.capacity();
  }

  /** What they take: a key, a count, and the rank of a file or the located reads of a replica. */
  public long counterBytes() {
    return files.bytes() + replicas.bytes();
  }
}
