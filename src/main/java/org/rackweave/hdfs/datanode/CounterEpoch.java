package org.rackweave.hdfs.datanode;

import java.util.function.LongSupplier;

/**
 * Names the stretch of time in which a link's counters can be compared. A new epoch begins when a
 * counter went back (it wrapped, or the interface was replaced) or another link is counted, so that
 * the NameNode starts over instead of seeing traffic that never was.
 *
 * <p>Not thread-safe.
 */
final class CounterEpoch {
  private final LongSupplier wallMs;
  private final LongSupplier monotonicMs;

  private LinkSample last;
  private long epochMs;
  private long startedAtMs;
  private long uptimeMs;

  /**
   * @param wallMs ms since 1970
   * @param monotonicMs ms since any moment, never going back
   */
  CounterEpoch(LongSupplier wallMs, LongSupplier monotonicMs) {
    this.wallMs = wallMs;
    this.monotonicMs = monotonicMs;
  }

  /** Takes the next sample; {@link #epochMs()} and {@link #uptimeMs()} then belong to it. */
  void advance(LinkSample sample) {
    long nowMs = monotonicMs.getAsLong();
    if (last == null || !continues(last, sample)) {
      // The clock may have been set back; an epoch must still differ from every earlier one.
      epochMs = Math.max(Math.max(0, wallMs.getAsLong()), epochMs + 1);
      startedAtMs = nowMs;
      uptimeMs = 0;
    } else {
      uptimeMs = Math.max(nowMs - startedAtMs, uptimeMs + 1);
    }
    last = sample;
  }

  private static boolean continues(LinkSample before, LinkSample after) {
    return before.link().equals(after.link())
        && after.rxBytes() >= before.rxBytes()
        && after.txBytes() >= before.txBytes()
        && after.diskWrittenBytes() >= before.diskWrittenBytes()
        && after.blockBytesReceived() >= before.blockBytesReceived();
  }

  /** Wall clock when the epoch began, ms since 1970. */
  long epochMs() {
    return epochMs;
  }

  /** Monotonic ms since the epoch began; larger at every sample of an epoch. */
  long uptimeMs() {
    return uptimeMs;
  }
}
