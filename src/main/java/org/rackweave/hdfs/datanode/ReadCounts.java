package org.rackweave.hdfs.datanode;

import java.util.List;
import org.rackweave.telemetry.BlockReads;
import org.rackweave.telemetry.TopReads;

/**
 * Counts one DataNode's reads of one NameNode's blocks, while that NameNode asks for them.
 *
 * <p>Thread-safe.
 */
final class ReadCounts implements AutoCloseable {
  private ReadCountAppender.Subscription subscription;
  private TopReads reads;
  private boolean closed;

  /**
   * Follows what the NameNode asked for.
   *
   * @param topReads block read counts wanted; 0 = count nothing and give the log back its settings
   * @param blockPool whose blocks, {@code null} when that is not known yet
   */
  synchronized void want(int topReads, String datanodeUuid, String blockPool) {
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
      return reads.drain();
    }
  }

  private void stop() {
    if (subscription != null) {
      subscription.close();
    }
    subscription = null;
    reads = null;
  }

  /** Stops counting for good. */
  @Override
  public synchronized void close() {
    closed = true;
    stop();
  }
}
