package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.concurrent.Callable;
import org.apache.hadoop.util.Daemon;

/**
 * Bridge: the thread with which HDFS has lost replicas made again. What it asks a placement policy
 * looks like what others ask, and only the thread tells them apart.
 */
public final class RedundancyMonitor {
  private static final ThreadLocal<Boolean> STANDS_IN = new ThreadLocal<>();

  private RedundancyMonitor() {}

  /** Whether this thread is a block manager's own, or stands in for it. */
  static boolean isCurrent() {
    return (Thread.currentThread() instanceof Daemon daemon && isOfBlockManager(daemon))
        || STANDS_IN.get() != null;
  }

  /** The other threads that it has never ask for targets. */
  private static boolean isOfBlockManager(Daemon daemon) {
    Runnable work = daemon.getRunnable();
    return work != null && work.getClass().getDeclaringClass() == BlockManager.class;
  }

  /** Does something that this thread is to be taken for the monitor in; for benches and tests. */
  public static <T> T standIn(Callable<T> work) throws Exception {
    STANDS_IN.set(true);
    try {
      return work.call();
    } finally {
      STANDS_IN.remove();
    }
  }
}
