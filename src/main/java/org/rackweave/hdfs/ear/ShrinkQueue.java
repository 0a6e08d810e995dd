package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;

/**
 * Files all of whose blocks are encoded and that have replicas to give up. Those that a snapshot
 * holds, which may be for months, are tried every {@value #HELD_RETRY_MS} ms only. At most {@value
 * #FILES_MAX} wait; others are found by the search again. Thread-safe.
 */
final class ShrinkQueue {
  private static final int FILES_MAX = 100_000;
  private static final long HELD_RETRY_MS = 30_000;

  private final FileShrinking shrinking;
  private final EncodingCounts counts;
  private final Set<Long> files = new LinkedHashSet<>();

  /** The snapshot by file. */
  private final Map<Long, String> held = new LinkedHashMap<>();

  private long heldTriedMs;

  ShrinkQueue(FileShrinking shrinking, EncodingCounts counts) {
    this.shrinking = shrinking;
    this.counts = counts;
  }

  synchronized void add(long fileId) {
    if (files.size() + held.size() < FILES_MAX && !held.containsKey(fileId)) {
      files.add(fileId);
    }
  }

  /** Files that are about to be shrunk; not those that a snapshot holds. */
  synchronized int size() {
    return files.size();
  }

  synchronized void clear() {
    files.clear();
    held.clear();
  }

  /** Those whose turn it is. */
  private synchronized List<Long> due(long nowMs) {
    List<Long> due = new ArrayList<>(files);
    if (nowMs - heldTriedMs > HELD_RETRY_MS) {
      heldTriedMs = nowMs;
      due.addAll(held.keySet());
    }
    return due;
  }

  private synchronized void remove(long fileId) {
    files.remove(fileId);
    held.remove(fileId);
  }

  private synchronized void hold(long fileId, String snapshot) {
    files.remove(fileId);
    held.put(fileId, snapshot);
  }

  private synchronized boolean isHeld(long fileId) {
    return held.containsKey(fileId);
  }

  private synchronized Map<String, Integer> filesBySnapshot() {
    Map<String, Integer> bySnapshot = new TreeMap<>();
    held.values().forEach(snapshot -> bySnapshot.merge(snapshot, 1, Integer::sum));
    return bySnapshot;
  }

  /**
   * Tries every file once whose turn it is. Those that cannot be shrunk now stay.
   *
   * @param wanted whether a file is to be shrunk at all; others leave
   * @return whether one waits for a block of its stripes to be moved
   */
  boolean shrink(LongPredicate wanted, long nowMs) throws IOException {
    Map<Outcome, Integer> waiting = new EnumMap<>(Outcome.class);
    for (long file : due(nowMs)) {
      // Who waits for a snapshot has been wanted once, and the wish may be long over.
      boolean isWanted = isHeld(file) || wanted.test(file);
      Outcome outcome = isWanted ? shrinking.shrink(file) : Outcome.NOT_WISHED;
      switch (outcome) {
        case NOT_NOW, NO_PLACE -> waiting.merge(outcome, 1, Integer::sum);
        case HELD_BY_SNAPSHOT -> hold(file, shrinking.heldBy(file));
        case SHRUNK -> {
          counts.shrunk();
          remove(file);
        }
        default -> remove(file);
      }
    }
    Map<String, Integer> bySnapshot = filesBySnapshot();
    int heldFiles = bySnapshot.values().stream().mapToInt(Integer::intValue).sum();
    if (heldFiles > 0) {
      waiting.put(Outcome.HELD_BY_SNAPSHOT, heldFiles);
    }
    counts.waiting(waiting, bySnapshot);
    return waiting.containsKey(Outcome.NO_PLACE);
  }
}
