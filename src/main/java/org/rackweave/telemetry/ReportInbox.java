package org.rackweave.telemetry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Where reports wait between the heartbeat that brought them and the next reading. Whoever handles
 * a heartbeat only leaves the bytes here, which takes some ten nanoseconds at any cluster size;
 * finding the sender's estimate in a memory full of other things takes fifty times as long in a
 * cluster of 25,000 and is left to one thread that can wait.
 *
 * <p>A ring without locks. When it is full the oldest report is overwritten and counted: counters
 * are cumulative, so the sender's next report makes up for it. Memory: {@value #CAPACITY} reports,
 * normally of some 70 bytes, {@link HeartbeatReport#MAX_ENCODED_BYTES} at most.
 *
 * <p>Soft state. Thread-safe.
 */
public final class ReportInbox {
  /** A power of two: what 25,000 DataNodes send while a reader is more than a second late. */
  static final int CAPACITY = 1 << 15;

  private record Unread(String nodeId, byte[] report) {}

  private final AtomicReferenceArray<Unread> ring = new AtomicReferenceArray<>(CAPACITY);
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong overwritten = new AtomicLong();
  private final ReportReader reader = new ReportReader();
  private long taken;

  /**
   * Leaves one report to be read later.
   *
   * @param nodeId the DataNode's UUID
   * @param report encoded, not copied
   */
  public void put(String nodeId, byte[] report) {
    Unread oldest = ring.getAndSet(slot(arrived.getAndIncrement()), new Unread(nodeId, report));
    if (oldest != null) {
      overwritten.incrementAndGet();
    }
  }

  /**
   * Reads everything that has arrived, in order; what is no good is dropped and counted.
   *
   * @param nowMs monotonic time, taken as the time of arrival
   * @param wallMs wall clock, for recognising future-dated reports
   */
  public synchronized void deliverTo(UtilisationCollector collector, long nowMs, long wallMs) {
    for (long lost = overwritten.getAndSet(0); lost > 0; lost--) {
      collector.drop(DropCause.OVERRUN);
    }
    long end = arrived.get();
    taken = Math.max(taken, end - CAPACITY);
    while (taken < end) {
      Unread unread = ring.getAndSet(slot(taken), null);
      if (unread == null) {
        return; // the thread that drew this number is about to put it
      }
      taken++;
      deliver(unread, collector, nowMs, wallMs);
    }
  }

  private void deliver(Unread unread, UtilisationCollector collector, long nowMs, long wallMs) {
    DropCause cause = reader.read(unread.report(), 0, unread.report().length);
    if (cause != null) {
      collector.drop(unread.nodeId(), cause);
      return;
    }
    collector.accept(unread.nodeId(), reader, nowMs, wallMs);
  }

  private static int slot(long number) {
    return (int) number & CAPACITY - 1;
  }
}
