package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that have more replicas than their users asked for, and the bytes these take: what the
 * storage budget is about, and what is looked at first when files cool.
 *
 * <p>Soft state, found again by a pass over all files; until the first pass of a NameNode's term is
 * over nobody knows what is left of the budget. Memory: some 100 bytes a file, {@value #MAX} at
 * most. Single-threaded but for its sizes.
 */
final class RaisedFiles {
  /** Files kept; with so many nothing is raised any more. */
  static final int MAX = 200_000;

  /** Extra bytes by inode; those that were looked at last are at the end. */
  private final Map<Long, Long> extraBytes = new LinkedHashMap<>();

  /** Written by one thread, for all to see. */
  private volatile long totalBytes;

  private volatile int count;
  private boolean isKnown;

  /** Keeps what is known of a file: it has so many bytes more, or none. */
  void put(long fileId, long bytes) {
    Long before = extraBytes.remove(fileId);
    long total = totalBytes - (before == null ? 0 : before);
    if (bytes > 0 && extraBytes.size() < MAX) {
      extraBytes.put(fileId, bytes);
      total += bytes;
    }
    totalBytes = total;
    count = extraBytes.size();
  }

  /** Files whose turn it is to be looked at; the next ones come next time. */
  List<Long> next(int most) {
    List<Long> turn = new ArrayList<>(Math.min(most, extraBytes.size()));
    for (Long fileId : extraBytes.keySet()) {
      if (turn.size() >= most) {
        break;
      }
      turn.add(fileId);
    }
    for (Long fileId : turn) {
      extraBytes.put(fileId, extraBytes.remove(fileId));
    }
    return turn;
  }

  /** All files have been passed. */
  void known() {
    isKnown = true;
  }

  boolean isKnown() {
    return isKnown;
  }

  /** For any thread, as the next one. */
  int size() {
    return count;
  }

  /** Bytes that count against the budget: all there are, while that is not known. */
  long budgetBytes() {
    return isKnown && extraBytes.size() < MAX ? totalBytes : Long.MAX_VALUE / 2;
  }

  long totalBytes() {
    return totalBytes;
  }

  void clear() {
    extraBytes.clear();
    totalBytes = 0;
    count = 0;
    isKnown = false;
  }
}
