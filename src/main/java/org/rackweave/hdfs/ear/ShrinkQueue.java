package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files all of whose blocks are encoded and that have replicas to give up. Those that a snapshot
 * holds, which may be for months, are tried every {@value #HELD_RETRY_MS} ms at most. No more than
 * {@value #FILES_MAX} wait, and as many that snapshots hold; others are found by the search again.
 * Thread-safe.
 */
final class ShrinkQueue {
  static final int FILES_MAX = 100_000;
  private static final long HELD_RETRY_MS = 30_000;

  /** Files tried in one go, some milliseconds each. */
  static final int TRIED_MAX = 1000;

  private final FileShrinking shrinking;
  private final EncodingCounts counts;

  private static final Logger LOG = LoggerFactory.getLogger(ShrinkQueue.class);
  private static final LogThrottle FAILED_LOG = LogThrottle.oncePerMinute();

  /** Why a file still waits, empty before it was tried; in the order of their turns. */
  private final Map<Long, Optional<Outcome>> files = new LinkedHashMap<>();

  /** The snapshot by file, in the order of their turns. */
  private final Map<Long, String> held = new LinkedHashMap<>();

  private long heldTriedMs;

  ShrinkQueue(FileShrinking shrinking, EncodingCounts counts) {
    this.shrinking = shrinking;
    this.counts = counts;
  }

  synchronized void add(long fileId) {
    if (files.size() < FILES_MAX && !held.containsKey(fileId)) {
      files.putIfAbsent(fileId, Optional.empty());
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
    List<Long> due = new ArrayList<>(files.keySet().stream().limit(TRIED_MAX).toList());
    if (nowMs - heldTriedMs > HELD_RETRY_MS) {
      heldTriedMs = nowMs;
      held.keySet().stream().limit(TRIED_MAX).forEach(due::add);
    }
    return due;
  }

  private synchronized void remove(long fileId) {
    files.remove(fileId);
    held.remove(fileId);
  }

  /** Its next turn is after all others'. */
  private synchronized void wait(long fileId, Outcome why) {
    if (held.remove(fileId) != null || files.remove(fileId) != null) {
      files.put(fileId, Optional.of(why));
    }
  }

  private synchronized void hold(long fileId, String snapshot) {
    remove(fileId);
    if (held.size() < FILES_MAX) {
      held.put(fileId, snapshot);
    }
  }

  private synchronized boolean isHeld(long fileId) {
    return held.containsKey(fileId);
  }

  private synchronized void count() {
    Map<Outcome, Integer> waiting = new EnumMap<>(Outcome.class);
    files
        .values()
        .forEach(why -> why.ifPresent(outcome -> waiting.merge(outcome, 1, Integer::sum)));
    if (!held.isEmpty()) {
      waiting.put(Outcome.HELD_BY_SNAPSHOT, held.size());
    }
    Map<String, Integer> bySnapshot = new TreeMap<>();
    held.values().forEach(snapshot -> bySnapshot.merge(snapshot, 1, Integer::sum));
    counts.waiting(waiting, bySnapshot);
  }

  /** One that HDFS refuses to change holds up no other. */
  private Outcome shrink(long file) {
    try {
      return shrinking.shrink(file);
    } catch (IOException | RuntimeException | AssertionError e) { // HDFS throws all of them
      if (!(e instanceof IOException)) {
        HookGuard.failed(Hook.ENCODING, e);
      }
      if (FAILED_LOG.shouldLog()) {
        LOG.error("The file of inode {} cannot give up replicas now", file, e);
      }
      return Outcome.NOT_NOW;
    }
  }

  /**
   * Tries files whose turn it is, {@value #TRIED_MAX} at most. Those that cannot be shrunk now
   * stay.
   *
   * @param wanted whether a file is to be shrunk at all; others leave
   * @param isHalted whether no file is to be shrunk now, which all wait for
   * @return whether one waits for a block of its stripes to be moved
   */
  boolean shrink(LongPredicate wanted, BooleanSupplier isHalted, long nowMs) {
    boolean hasNoPlace = false;
    for (long file : due(nowMs)) {
      if (isHalted.getAsBoolean()) {
        break;
      }
      // Who waits for a snapshot has been wanted once, and the wish may be long over.
      boolean isWanted = isHeld(file) || wanted.test(file);
      Outcome outcome = isWanted ? shrink(file) : Outcome.NOT_WISHED;
      hasNoPlace |= outcome == Outcome.NO_PLACE;
      switch (outcome) {
        case NOT_NOW, NO_PLACE -> wait(file, outcome);
        case HELD_BY_SNAPSHOT -> hold(file, shrinking.heldBy(file));
        case SHRUNK -> {
          counts.shrunk();
          remove(file);
        }
        default -> remove(file);
      }
    }
    count();
    return hasNoPlace;
  }
}
