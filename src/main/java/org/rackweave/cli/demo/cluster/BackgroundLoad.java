package org.rackweave.cli.demo.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.rackweave.hdfs.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the background share of every hot DataNode's link full with real block moves from DataNodes
 * that are not hot. What a DataNode may receive this way is capped by its own move throttle.
 */
public final class BackgroundLoad implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoad.class);

  /** Two at a time, so that one transfers while the other is set up. */
  static final int MOVES_AT_A_TIME = 2;

  private static final int IDLE_POLL_MS = 20;

  private final EmbeddedCluster cluster;
  private final BackgroundBlocks blocks;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong movedBytes = new AtomicLong();
  private volatile boolean closed;

  private BackgroundLoad(EmbeddedCluster cluster, BackgroundBlocks blocks) {
    this.cluster = cluster;
    this.blocks = blocks;
  }

  /** Begins to move {@code blocks} as soon as there are hot DataNodes. */
  public static BackgroundLoad start(EmbeddedCluster cluster, BackgroundBlocks blocks) {
    BackgroundLoad load = new BackgroundLoad(cluster, blocks);
    for (int node = 0; node < cluster.dataNodes().size(); node++) {
      for (int i = 0; i < MOVES_AT_A_TIME; i++) {
        int target = node;
        Thread thread =
            DaemonThreads.of("background-" + node + "-" + i, () -> load.keepMoving(target));
        load.threads.add(thread);
        thread.start();
      }
    }
    return load;
  }

  private void keepMoving(int target) {
    try {
      while (!closed) {
        if (!cluster.isHot(target) || !moveOneTo(target)) {
          Thread.sleep(IDLE_POLL_MS);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean moveOneTo(int target) {
    BackgroundBlocks.Taken taken = blocks.take(node -> node != target && !cluster.isHot(node));
    if (taken == null) {
      taken = blocks.take(node -> node != target);
    }
    if (taken == null) {
      return false;
    }
    DataNode source = cluster.dataNodes().get(taken.source());
    boolean moved = false;
    try {
      moved = BlockMove.run(taken.block(), source, cluster.dataNodes().get(target));
    } catch (IOException e) {
      LOG.info("Background move of {} into DataNode {} failed", taken.block(), target, e);
    }
    blocks.put(taken, moved ? target : taken.source());
    if (moved) {
      movedBytes.addAndGet(taken.block().getBlockSize());
    }
    return moved;
  }

  /** Bytes moved so far. */
  public long movedBytes() {
    return movedBytes.get();
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
