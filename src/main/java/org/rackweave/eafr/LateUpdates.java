package org.rackweave.eafr;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.rackweave.model.Require;

/**
 * Blocks that were written while a server with a replica slept (section 4.1.5). Soft state: after a
 * failover HDFS finds such replicas itself by their generation stamps when the server reports.
 * Bound: {@code perServer} blocks a sleeping server, some 60 bytes each. Thread-safe.
 */
public final class LateUpdates {
  private final int perServer;
  private final Map<Long, Set<Long>> waiting = new HashMap<>();

  /**
   * @param perServer blocks kept for one server, at least 1
   */
  public LateUpdates(int perServer) {
    Require.atLeast("late updates kept for a server", perServer, 1);
    this.perServer = perServer;
  }

  /**
   * Keeps an update for when the server wakes; several of one block are one.
   *
   * @param server a number that stays the DataNode's as long as it lives
   * @return false when there is no room: the server has to be woken
   */
  public synchronized boolean postpone(long server, long blockId) {
    Set<Long> blocks = waiting.computeIfAbsent(server, ignored -> new LinkedHashSet<>());
    return blocks.contains(blockId) || blocks.size() < perServer && blocks.add(blockId);
  }

  /** Whether there is no room for another block of the server. */
  public synchronized boolean isFull(long server) {
    return waiting.getOrDefault(server, Set.of()).size() >= perServer;
  }

  /** The blocks to update now that the server is awake, in the order of their first updates. */
  public synchronized long[] take(long server) {
    Set<Long> blocks = waiting.remove(server);
    return blocks == null ? new long[0] : blocks.stream().mapToLong(Long::longValue).toArray();
  }
}
