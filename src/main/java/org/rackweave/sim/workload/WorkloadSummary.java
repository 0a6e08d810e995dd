package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A workload in a few lines, for people and for comparison with an earlier run.
 *
 * @param storedFiles files there at the start
 * @param storedBytes of them, one replica each
 * @param kinds what each kind of request amounts to, by its name
 */
public record WorkloadSummary(long storedFiles, long storedBytes, Map<String, Kind> kinds) {

  private static final double NANOS_PER_SEC = 1e9;

  /**
   * Requests of one kind.
   *
   * @param count how many
   * @param outside how many of them by clients outside the cluster
   * @param bytes asked to be written or sent; 0 where a request carries none
   * @param firstNanos time of the first
   * @param lastNanos time of the last
   */
  public record Kind(long count, long outside, long bytes, long firstNanos, long lastNanos) {
    private Kind plus(TimedRequest request) {
      long first = count == 0 ? request.atNanos() : firstNanos;
      return new Kind(
          count + 1,
          outside + (fromOutside(request) ? 1 : 0),
          bytes + bytesOf(request),
          first,
          request.atNanos());
    }
  }

  public WorkloadSummary {
    kinds = Map.copyOf(kinds);
  }

  /** Counts a whole workload; takes as long as to generate or to read it. */
  public static WorkloadSummary of(Workload workload) {
    long[] stored = new long[2];
    try (Stream<StoredFile> files = workload.storedFiles()) {
      files.forEach(
          file -> {
            stored[0]++;
            stored[1] += file.sizeBytes();
          });
    }
    Map<String, Kind> kinds = new TreeMap<>();
    try (Stream<TimedRequest> requests = workload.requests()) {
      requests.forEachOrdered(
          request ->
              kinds.merge(
                  nameOf(request),
                  new Kind(0, 0, 0, 0, 0).plus(request),
                  (sum, one) -> sum.plus(request)));
    }
    return new WorkloadSummary(stored[0], stored[1], kinds);
  }

  private static String nameOf(TimedRequest request) {
    return request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static boolean fromOutside(TimedRequest request) {
    return request instanceof TimedRequest.Write write && write.writer() == TimedRequest.OUTSIDE
        || request instanceof TimedRequest.Read read && read.reader() == TimedRequest.OUTSIDE;
  }

  private static long bytesOf(TimedRequest request) {
    if (request instanceof TimedRequest.Write write) {
      return write.sizeBytes();
    }
    return request instanceof TimedRequest.Transfer transfer ? transfer.sizeBytes() : 0;
  }

  /** One line for the stored files and one for each kind of request, by name. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "stored %d files, %d bytes", storedFiles, storedBytes));
    new TreeMap<>(kinds)
        .forEach(
            (name, kind) ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%s %d, %d from outside, %d bytes, %.3f s to %.3f s",
                        name,
                        kind.count,
                        kind.outside,
                        kind.bytes,
                        kind.firstNanos / NANOS_PER_SEC,
                        kind.lastNanos / NANOS_PER_SEC)));
    return lines;
  }
}
