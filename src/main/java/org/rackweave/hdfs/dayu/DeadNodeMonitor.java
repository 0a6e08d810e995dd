package org.rackweave.hdfs.dayu;

import java.util.function.LongSupplier;

/**
 * Has HDFS notice a dead DataNode when it is dead. By itself HDFS looks every five seconds at most,
 * and every {@code dfs.namenode.heartbeat.recheck-interval}, five minutes, unless told otherwise:
 * so much later would lost blocks be queued that count as lost already.
 *
 * <p>A NameNode that has stood still has heard of nobody meanwhile. After a look that comes late
 * there is none until every DataNode has had time for two heartbeats. O(DataNodes) a look.
 *
 * <p>DataNodes that are dead together are taken for dead together, for as long as half a heartbeat
 * in one go: stock would have striped blocks made again on those that are left, and wait for them
 * for {@code dfs.namenode.reconstruction.pending.timeout-sec}.
 *
 * <p>Single-threaded.
 */
final class DeadNodeMonitor {
  private static final int HEARTBEATS_AFTER_A_PAUSE = 2;

  private final ReconstructionQueue queue;
  private final OutageHold hold;
  private final long heartbeatMs;
  private long cameMs = Long.MIN_VALUE;
  private long looksFromMs;

  /**
   * @param hold told what the dead had
   */
  DeadNodeMonitor(ReconstructionQueue queue, OutageHold hold, long heartbeatMs) {
    this.queue = queue;
    this.hold = hold;
    this.heartbeatMs = heartbeatMs;
  }

  /**
   * Looks, unless the NameNode has stood still; to be called several times a heartbeat.
   *
   * @param clock monotonic, ms
   * @param afterEach called after each look at all DataNodes
   */
  void look(LongSupplier clock, Runnable afterEach) {
    long beganMs = clock.getAsLong();
    long nowMs = beganMs;
    boolean mayBeMore = true;
    while (mayBeMore && nowMs - beganMs <= heartbeatMs / 2) {
      mayBeMore = look(nowMs);
      afterEach.run();
      nowMs = clock.getAsLong();
    }
  }

  /** Returns whether a DataNode was found dead; others may be. */
  private boolean look(long nowMs) {
    boolean hasPaused = cameMs == Long.MIN_VALUE || nowMs - cameMs > heartbeatMs;
    cameMs = nowMs;
    if (hasPaused) {
      looksFromMs = nowMs + HEARTBEATS_AFTER_A_PAUSE * heartbeatMs;
    }
    ReconstructionQueue.Dead dead = nowMs < looksFromMs ? null : queue.noticeDead(hold.room());
    if (dead != null) {
      hold.died(dead.node(), dead.replicas(), dead.count(), nowMs);
    }
    return dead != null;
  }
}
