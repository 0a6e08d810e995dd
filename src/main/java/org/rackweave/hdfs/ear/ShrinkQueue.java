package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Files all of whose blocks are encoded and that have replicas to give up. At most {@value
 * #FILES_MAX} wait; others are found by the search again. Thread-safe.
 */
final class ShrinkQueue {
  private static final int FILES_MAX = 100_000;

  private static final Set<FileShrinking.Outcome> WAITING =
      EnumSet.of(
          FileShrinking.Outcome.NOT_NOW,
          FileShrinking.Outcome.NO_PLACE,
          FileShrinking.Outcome.HELD_BY_SNAPSHOT);

  private final FileShrinking shrinking;
  private final EncodingCounts counts;
  private final Set<Long> files = new LinkedHashSet<>();

  ShrinkQueue(FileShrinking shrinking, EncodingCounts counts) {
    this.shrinking = shrinking;
    this.counts = counts;
  }

  synchronized void add(long fileId) {
    if (files.size() < FILES_MAX) {
      files.add(fileId);
    }
  }

  synchronized int size() {
    return files.size();
  }

  synchronized void clear() {
    files.clear();
  }

  private synchronized List<Long> all() {
    return new ArrayList<>(files);
  }

  private synchronized void remove(long fileId) {
    files.remove(fileId);
  }

  /**
   * Tries every file once. Those that cannot be shrunk now stay.
   *
   * @param wanted whether a file is to be shrunk at all; others leave
   * @return whether one waits for a block of its stripes to be moved
   */
  boolean shrink(LongPredicate wanted) throws IOException {
    Map<FileShrinking.Outcome, Integer> waiting = new EnumMap<>(FileShrinking.Outcome.class);
    for (long file : all()) {
      FileShrinking.Outcome outcome =
          wanted.test(file) ? shrinking.shrink(file) : FileShrinking.Outcome.NOT_WISHED;
      if (outcome == FileShrinking.Outcome.SHRUNK) {
        counts.shrunk();
      }
      if (WAITING.contains(outcome)) {
        waiting.merge(outcome, 1, Integer::sum);
      } else {
        remove(file);
      }
    }
    counts.waiting(waiting);
    return waiting.containsKey(FileShrinking.Outcome.NO_PLACE);
  }
}
