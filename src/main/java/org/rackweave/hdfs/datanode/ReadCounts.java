package org.rackweave.hdfs.datanode;

import java.util.List;
import org.rackweave.telemetry.BlockReads;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.TopReads;

/**
 * Counts one DataNode's reads of one NameNode's blocks, while that NameNode asks for them.
 *
 * <p>Thread-safe.
 */
final class ReadCounts implements AutoCloseable {
  private ReadCountAppender.Subscription subscription;
  private TopReads reads;

  /** Most reads of a block that a report told of or missed which no reply has come to yet. */
  private long unanswered;

  private long missed;
  private boolean closed;

  /**
   * Follows what the NameNode asked for in its reply to the last report.
   *
   * @param topReads block read counts wanted; 0 = count nothing
   * @param blockPool whose blocks, {@code null} when that is not known yet
   */
  synchronized void want(int topReads, String datanodeUuid, String blockPool) {
    unanswered = 0;
    if (closed || blockPool == null || topReads == (reads == null ? 0 : reads.reported())) {
      return;
    }
    stop();
    if (topReads > 0) {
      TopReads counter = new TopReads(topReads);
      subscription =
          ReadCountAppender.subscribe(datanodeUuid, blockPool, blockId -> add(counter, blockId));
      reads = counter;
    }
  }

  /** Called by the threads that serve reads, which hold the logger's lock. */
  private static void add(TopReads counter, long blockId) {
    synchronized (counter) {
      counter.add(blockId);
    }
  }

  /** The blocks read most since the last call; empty when none were asked for. */
  synchronized List<BlockReads> drain() {
    if (reads == null) {
      return List.of();
    }
    synchronized (reads) {
      List<BlockReads> drained = reads.drain();
      missed = unanswered + reads.missed();
      unanswered = missed + (drained.isEmpty() ? 0 : drained.get(0).reads());
      return drained;
    }
  }

  /**
   * Reads that any one block may have had beyond those that the last {@link #drain} and reports
   * before it have told of, reports without a reply not among them; {@link HeartbeatReport#UNKNOWN}
   * when none are counted.
   */
  synchronized long missed() {
    return reads == null || !subscription.isHeard() ? HeartbeatReport.UNKNOWN : missed;
  }

  private void stop() {
    if (subscription != null) {
      subscription.close();
    }
    subscription = null;
    reads = null;
    missed = 0;
  }

  /** Stops counting for good. */
  @Override
  public synchronized void close() {
    closed = true;
    stop();
  }
}
