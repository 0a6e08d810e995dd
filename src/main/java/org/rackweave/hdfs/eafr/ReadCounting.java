package org.rackweave.hdfs.eafr;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.ServedReads;
import org.rackweave.eafr.ThresholdRule;
import org.rackweave.eafr.Thresholds;
import org.rackweave.telemetry.BlockReads;

/**
 * Counts the reads of one NameNode's files: finds the files of the blocks that were read and tells
 * {@link Popularity}.
 *
 * <p>A server whose agent reports what it serves is believed; what readers were told of it counts
 * only among the reads at most, where it is more. After a term without a report it is the other way
 * round again.
 *
 * <p>Soft state of an active NameNode, begun anew when it becomes active: a standby hears of no
 * calls, and its counts would be of another time. Memory: 29 bytes a tracked file, 2 MB for reads
 * that wait and bounded reports, an entry a DataNode. Thread-safe.
 */
public final class ReadCounting {
  /** Blocks looked up in one hold of the namesystem's lock. */
  private static final int LOOKED_UP = 1000;

  /** Reports of servers that wait; what 25,000 servers send in a second. */
  private static final int REPORTS_MAX = 8192;

  /** What a server's agent told. */
  private record Report(int server, List<BlockReads> reads, long missed) {}

  /** What an interval leaves of the most that a server was seen to serve. */
  private static final double SERVED_KEPT = 0.9;

  private final FileLookup lookup;
  private final int trackedFiles;
  private final Supplier<Terms> terms;
  private final ReadLog log = new ReadLog();
  private final Queue<Report> reports = new ArrayBlockingQueue<>(REPORTS_MAX);
  private final LongAdder dropped = new LongAdder();

  /** When each server's agent last told of reads, monotonic. */
  private final Map<Integer, Long> toldMs = new ConcurrentHashMap<>();

  private final LongAdder counted = new LongAdder();
  private final long[] blockIds = new long[LOOKED_UP];
  private final long[] fileIds = new long[LOOKED_UP];
  private volatile Popularity popularity;

  /** Since it was last looked what servers have served. */
  private long windowMs;

  private volatile ServedReads served = new ServedReads(SERVED_KEPT);

  /**
   * How reads count, which may change at any time.
   *
   * @param thresholds when a file is hot or cold
   * @param decay part of the reads that an interval leaves to the next
   * @param intervalMs the paper's T, for which a server's agent is believed after a report of reads
   * @param windowMinMs in which each server reports a few times
   */
  public record Terms(ThresholdRule thresholds, double decay, long intervalMs, long windowMinMs) {}

  /**
   * @param trackedFiles files whose reads can be told apart
   */
  public ReadCounting(FileLookup lookup, int trackedFiles, Supplier<Terms> terms) {
    this.lookup = lookup;
    this.trackedFiles = trackedFiles;
    this.terms = terms;
  }

  /** Begins with no reads. */
  public void begin() {
    log.drainTo((reads, count) -> {});
    reports.clear();
    served = new ServedReads(SERVED_KEPT);
    windowMs = 0;
    popularity = new Popularity(trackedFiles, terms.get().decay());
  }

  /** Forgets everything. */
  public void end() {
    popularity = null;
  }

  /** What was counted, {@code null} while nothing is. */
  public Popularity popularity() {
    return popularity;
  }

  /** When a file is hot or cold, in reads. */
  public Thresholds thresholds() {
    return terms.get().thresholds().at(served.most());
  }

  /** Most reads that a server was seen to serve in an interval. */
  public double served() {
    return served.most();
  }

  /**
   * For the thread that counts: looks what servers have served, unless it has been looked so
   * recently that a heartbeat more or less would change it much.
   *
   * @param passedMs since the last time
   */
  void look(long passedMs) {
    windowMs += passedMs;
    Terms now = terms.get();
    if (windowMs >= now.windowMinMs()) {
      served.endWindow((double) windowMs / now.intervalMs());
      windowMs = 0;
    }
  }

  /** An interval is over. */
  void endInterval() {
    popularity.decayBy(terms.get().decay());
    popularity.endInterval();
  }

  boolean isWanted() {
    return popularity != null;
  }

  /**
   * A reader was told of replicas.
   *
   * @param reads of each the block and the {@link ServerKey} of the server named first
   * @param count how many reads there are
   */
  void located(long[] reads, int count) {
    log.add(reads, count);
  }

  /** Counts what readers were told since the last time; for one thread. */
  public void count(long nowMs) {
    Popularity counts = popularity;
    log.drainTo(
        (reads, count) -> {
          if (counts != null) {
            count(counts, reads, count, nowMs);
          }
        });
    for (Report next = reports.poll(); next != null; next = reports.poll()) {
      if (counts != null) {
        count(counts, next);
      }
    }
  }

  private void count(Popularity counts, long[] reads, int count, long nowMs) {
    long intervalMs = terms.get().intervalMs();
    for (int from = 0; from < count; from += LOOKED_UP) {
      int some = Math.min(LOOKED_UP, count - from);
      for (int i = 0; i < some; i++) {
        blockIds[i] = reads[ReadLog.WIDTH * (from + i)];
      }
      lookup.fileIds(blockIds, 0, some, fileIds);
      int found = 0;
      for (int i = 0; i < some; i++) {
        int server = (int) reads[ReadLog.WIDTH * (from + i) + 1];
        if (fileIds[i] != FileLookup.NO_FILE && nowMs - toldMs(server) < intervalMs) {
          counts.located(blockIds[i], server);
        } else if (fileIds[i] != FileLookup.NO_FILE) {
          counts.record(fileIds[i], blockIds[i], server);
          served.add(server, 1);
          found++;
        }
      }
      counted.add(found);
    }
  }

  /** When a server's agent last told of reads, monotonic; long ago if never. */
  private long toldMs(int server) {
    return toldMs.getOrDefault(server, Long.MIN_VALUE / 2);
  }

  /**
   * A server's agent tells what was read there. Only noted, as calls are.
   *
   * @param reads the block read most first
   * @param missed reads that any block may have had beyond these, negative for unknown
   * @param nowMs monotonic time
   */
  public void told(String datanodeUuid, List<BlockReads> reads, long missed, long nowMs) {
    Popularity counts = popularity;
    if (counts != null && (missed >= 0 || !reads.isEmpty())) {
      int server = ServerKey.of(datanodeUuid);
      toldMs.put(server, nowMs);
      if (!reports.offer(new Report(server, reads, missed))) {
        dropped.add(reads.stream().mapToLong(BlockReads::reads).sum());
        counts.missed(server, -1);
      }
    }
  }

  private void count(Popularity counts, Report report) {
    counts.missed(report.server(), report.missed());
    long[] told = report.reads().stream().mapToLong(BlockReads::blockId).toArray();
    for (int from = 0; from < told.length; from += LOOKED_UP) {
      int some = Math.min(LOOKED_UP, told.length - from);
      lookup.fileIds(told, from, some, fileIds);
      for (int i = 0; i < some; i++) {
        long reads = report.reads().get(from + i).reads();
        if (fileIds[i] != FileLookup.NO_FILE && reads > 0) {
          counts.record(fileIds[i], told[from + i], report.server(), reads);
          served.add(report.server(), reads);
          counted.add(reads);
        }
      }
    }
  }

  /** Forgets the servers that are gone. */
  public void retainOnly(Collection<String> datanodeUuids) {
    Set<Integer> known = new HashSet<>();
    datanodeUuids.forEach(uuid -> known.add(ServerKey.of(uuid)));
    toldMs.keySet().retainAll(known);
  }

  /** Reads counted since the NameNode started. */
  public long counted() {
    return counted.sum();
  }

  /** Reads that were not counted because too many came at a time. */
  public long dropped() {
    return log.dropped() + dropped.sum();
  }

  /** Servers whose agents are believed. */
  public int tellingServers(long nowMs) {
    long intervalMs = terms.get().intervalMs();
    return (int) toldMs.values().stream().filter(lastMs -> nowMs - lastMs < intervalMs).count();
  }
}
