package org.rackweave.hdfs.eafr;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.rackweave.eafr.FileHistory;

/**
 * When replicas of files were last moved, as long as these cool down. Soft state: a mark in every
 * cold file's inode would cost more than the move, too early by one cool-down, that a failover may
 * bring. Memory: some 100 bytes a file, {@value #MAX} at most. Single-threaded.
 */
final class MovedFiles {
  static final int MAX = 100_000;

  private final LongSupplier coolDownMs;

  /** By inode; those moved last are at the end. */
  private final Map<Long, Long> movedMs = new LinkedHashMap<>();

  /**
   * @param coolDownMs time between two changes of a file
   */
  MovedFiles(LongSupplier coolDownMs) {
    this.coolDownMs = coolDownMs;
  }

  /**
   * Replicas of a file are moved from now on.
   *
   * @param nowMs wall clock
   */
  void put(long fileId, long nowMs) {
    forgetOld(nowMs);
    movedMs.remove(fileId);
    movedMs.put(fileId, nowMs);
  }

  private void forgetOld(long nowMs) {
    Iterator<Long> oldest = movedMs.values().iterator();
    while (oldest.hasNext()
        && (nowMs - oldest.next() >= coolDownMs.getAsLong() || movedMs.size() >= MAX)) {
      oldest.remove();
    }
  }

  /** A file's history with what is known here. */
  FileHistory history(long fileId, FileHistory kept) {
    Long atMs = movedMs.get(fileId);
    return atMs == null ? kept : kept.moved(atMs);
  }

  /** Whether a file cools down. */
  boolean isRecent(long fileId, long nowMs) {
    Long atMs = movedMs.get(fileId);
    return atMs != null && nowMs - atMs < coolDownMs.getAsLong();
  }

  void clear() {
    movedMs.clear();
  }
}
