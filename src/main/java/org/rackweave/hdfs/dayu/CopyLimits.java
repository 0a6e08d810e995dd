package org.rackweave.hdfs.dayu;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What holds copies back: the rates that agents keep them to, and HDFS's limit of transfers at a
 * time. Thread-safe.
 */
final class CopyLimits {
  /** Copies that end at any moment, and those that wait, are beside those that go. */
  private static final int ORDERED_MAX = 2;

  /** Sums of rates are not exact, and a copy's billionth is none. */
  private static final double EXACTNESS = 1e-9;

  private final StreamLimit streams;
  private final CopyRates rates = new CopyRates();
  private final OwnLoads own;
  private final double heartbeatSec;
  private final int streamsMax;

  /**
   * @param heartbeatSec time between two heartbeats
   * @param streamsMax copies that a source makes at a time
   * @param reportWeight of a report in the average that is taken of links
   */
  CopyLimits(StreamLimit streams, double heartbeatSec, int streamsMax, double reportWeight) {
    this.streams = streams;
    own = new OwnLoads(reportWeight, heartbeatSec);
    this.heartbeatSec = heartbeatSec;
    this.streamsMax = streamsMax;
  }

  /**
   * What a source is to do.
   *
   * @param copies under way
   * @param doneInAHeartbeat copies that it finishes between two heartbeats by their rates
   */
  private record SourceWork(int copies, double doneInAHeartbeat) {
    SourceWork and(SourceWork more) {
      return new SourceWork(copies + more.copies, doneInAHeartbeat + more.doneInAHeartbeat);
    }
  }

  /**
   * Sets both for the copies under way.
   *
   * <p>HDFS gives a source new transfers on its heartbeat only. Where agents hold transfers to
   * their rates, it has all that it was ordered at once: those that wait take next to nothing. Else
   * a source that is to be busy needs as many as it finishes from one heartbeat to the next, and
   * one more; others would only be in the way. HDFS has one limit for all: the busiest source's.
   */
  void apply(List<RunningCopy> running, long nowMs) {
    Map<String, SourceWork> bySource = new HashMap<>();
    for (RunningCopy copy : running) {
      double done = copy.bytesPerSec() * heartbeatSec / Math.max(1, copy.copy().sizeBytes());
      bySource.merge(
          copy.copy().source().getDatanodeUuid(), new SourceWork(1, done), SourceWork::and);
    }
    if (bySource.isEmpty()) {
      streams.restore();
    } else {
      boolean areHeld =
          bySource.keySet().stream().allMatch(uuid -> rates.isEnforcedBy(uuid, nowMs));
      int most = areHeld ? ORDERED_MAX * streamsMax : streamsMax;
      int wanted =
          bySource.values().stream()
              .mapToInt(work -> areHeld ? work.copies() : finished(work))
              .max()
              .getAsInt();
      streams.raise(Math.min(most, wanted + 1));
    }
    rates.publish(running, nowMs);
  }

  /** No more than there may be at a time, however small the copies are. */
  private int finished(SourceWork work) {
    return (int) Math.min(streamsMax, Math.ceil(work.doneInAHeartbeat() - EXACTNESS));
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

  /** What copies under way, and those that have just arrived, take of DataNodes' links. */
  Map<DatanodeDescriptor, OwnLoad> loads(
      List<RunningCopy> running, List<ArrivedCopy> arrived, long nowMs) {
    return own.with(
        Stream.concat(
                running.stream().map(copy -> rates.load(copy, nowMs)),
                arrived.stream().map(rates::load))
            .toList(),
        nowMs);
  }

  /** Whether nothing of a copy is among what its source sent of late. */
  boolean isPast(ArrivedCopy arrived, long nowMs) {
    return rates.isPast(arrived, nowMs);
  }

  /** Whether an agent at a copy's source tells how far its copies are. */
  boolean isWatched(RunningCopy copy, long nowMs) {
    return rates.isEnforcedBy(copy.copy().source().getDatanodeUuid(), nowMs);
  }

  /** Whether a copy could be ended. */
  boolean canEnd(RunningCopy copy, long nowMs) {
    return copy.canBeCancelled(nowMs) && isWatched(copy, nowMs);
  }

  StreamLimit streams() {
    return streams;
  }

  CopyRates rates() {
    return rates;
  }
}
