package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.rackweave.hdfs.LockHolder;

/** The namesystem's lock, and for how long it was held at most; thread-safe. */
final class TimedLock {
  private final Namesystem namesystem;
  private final AtomicLong longestNanos = new AtomicLong();

  TimedLock(Namesystem namesystem) {
    this.namesystem = namesystem;
  }

  /** Does work under the read lock. */
  <T> T read(Supplier<T> work) {
    namesystem.readLock();
    return held(work, () -> namesystem.readUnlock(LockHolder.NAME));
  }

  /** Does work under the write lock. */
  <T> T write(Supplier<T> work) {
    namesystem.writeLock();
    return held(work, () -> namesystem.writeUnlock(LockHolder.NAME));
  }

  private <T> T held(Supplier<T> work, Runnable unlock) {
    long began = System.nanoTime();
    try {
      return work.get();
    } finally {
      longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
      unlock.run();
    }
  }

  /** The longest hold, waiting for the lock not counted. */
  long longestNanos() {
    return longestNanos.get();
  }
}
