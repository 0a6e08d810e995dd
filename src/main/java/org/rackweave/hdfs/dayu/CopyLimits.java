package org.rackweave.hdfs.dayu;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What holds copies back: the rates that agents keep them to, and HDFS's limit of transfers at a
 * time. Thread-safe.
 */
final class CopyLimits {
  /** Copies that end at any moment, and those that wait, are beside those that go. */
  private static final int ORDERED_MAX = 2;

  private final StreamLimit streams;
  private final CopyRates rates = new CopyRates();
  private final double heartbeatShare;
  private final int streamsMax;

  /**
   * @param heartbeatShare of a slot that passes between two heartbeats
   * @param streamsMax copies that a source makes at a time
   */
  CopyLimits(StreamLimit streams, double heartbeatShare, int streamsMax) {
    this.streamsMax = streamsMax;
    this.streams = streams;
    this.heartbeatShare = Math.min(1, heartbeatShare);
  }

  /**
   * Sets both for the copies under way.
   *
   * <p>HDFS gives a source new transfers on its heartbeat only. Where agents hold transfers to
   * their rates, it has all that it was ordered at once: those that wait take next to nothing. Else
   * a source that is to be busy needs as many as it finishes from one heartbeat to the next, and
   * one more; others would only be in the way.
   */
  void apply(List<RunningCopy> running, long nowMs) {
    Map<String, Integer> bySource = new HashMap<>();
    for (RunningCopy copy : running) {
      bySource.merge(copy.copy().source().getDatanodeUuid(), 1, Integer::sum);
    }
    if (bySource.isEmpty()) {
      streams.restore();
    } else {
      boolean areHeld =
          bySource.keySet().stream().allMatch(uuid -> rates.isEnforcedBy(uuid, nowMs));
      int most = Collections.max(bySource.values());
      streams.raise(
          areHeld
              ? Math.min(ORDERED_MAX * streamsMax, most + 1)
              : Math.min(streamsMax, (int) Math.ceil(most * heartbeatShare) + 1));
    }
    rates.publish(running, nowMs);
  }

  /** Takes both back: transfers go on as HDFS's own. */
  void letGo() {
    streams.restore();
    rates.withdraw();
  }

  /** A copy, as far as its source's agent said it is. */
  RunningCopy measured(RunningCopy copy) {
    return rates.measured(copy);
  }

  /** Whether an agent at a copy's source tells how far its copies are. */
  boolean isWatched(RunningCopy copy, long nowMs) {
    return rates.isEnforcedBy(copy.copy().source().getDatanodeUuid(), nowMs);
  }

  /** Whether a copy could be ended. */
  boolean canEnd(RunningCopy copy, long nowMs) {
    return copy.canBeCancelled() && isWatched(copy, nowMs);
  }

  StreamLimit streams() {
    return streams;
  }

  CopyRates rates() {
    return rates;
  }
}
