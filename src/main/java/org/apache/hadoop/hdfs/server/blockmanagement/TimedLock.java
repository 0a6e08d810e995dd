package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;

/** The namesystem's lock, and for how long it was held at most; thread-safe. */
final class TimedLock {
  /** As whose HDFS reports a hold. */
  static final String NAME = "rackweave";

  private final Namesystem namesystem;
  private final AtomicLong longestNanos = new AtomicLong();

  TimedLock(Namesystem namesystem) {
    this.namesystem = namesystem;
  }

  /** Does work under the read lock. */
  <T> T read(Supplier<T> work) {
    namesystem.readLock();
    long began = System.nanoTime();
    try {
      return work.get();
    } finally {
      held(began);
      namesystem.readUnlock(NAME);
    }
  }

  /** Does work under the write lock. */
  <T> T write(Supplier<T> work) {
    namesystem.writeLock();
    long began = System.nanoTime();
    try {
      return work.get();
    } finally {
      held(began);
      namesystem.writeUnlock(NAME);
    }
  }

  private void held(long began) {
    longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
  }

  /** The longest hold, waiting for the lock not counted. */
  long longestNanos() {
    return longestNanos.get();
  }
}
