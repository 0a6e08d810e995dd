package org.rackweave.hdfs.dayu;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.dayu.RunningCopies.ArrivedCopy;

/**
 * What holds copies back: the rates that agents keep them to, and how many a source makes at a
 * time. Thread-safe.
 */
final class CopyLimits {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Sums of rates are not exact, and a copy's billionth is none. */
  private static final double EXACTNESS = 1e-9;

  private final IntSupplier operators;
  private final CopyRates rates = new CopyRates();
  private final double heartbeatSec;
  private final IntSupplier streamsMax;
  private volatile Map<String, SourceWork> work = Map.of();

  /**
   * @param operators transfers that the operator lets a DataNode make at a time
   * @param heartbeatSec time between two heartbeats
   * @param streamsMax copies that a source makes at a time
   */
  CopyLimits(IntSupplier operators, double heartbeatSec, IntSupplier streamsMax) {
    this.operators = operators;
    this.heartbeatSec = heartbeatSec;
    this.streamsMax = streamsMax;
  }

  /**
   * What a source is to do.
   *
   * @param source the DataNode
   * @param copies under way
   * @param doneInAHeartbeat copies that it finishes between two heartbeats by their rates
   * @param most copies that it is to make at a time
   */
  record SourceWork(DatanodeDescriptor source, int copies, double doneInAHeartbeat, int most) {
    SourceWork and(SourceWork more) {
      return new SourceWork(
          source, copies + more.copies, doneInAHeartbeat + more.doneInAHeartbeat, 0);
    }

    SourceWork limited(int toMost) {
      return new SourceWork(source, copies, doneInAHeartbeat, toMost);
    }
  }

  /**
   * Sets both for the copies under way.
   *
   * <p>A source gets new transfers on its heartbeat only. Where its agent holds transfers to their
   * rates, it has all that it was ordered at once: those that wait take next to nothing. Else a
   * source that is to be busy needs as many as it finishes from one heartbeat to the next, and one
   * more; others would only be in the way. It may always make as many as the operator says.
   */
  void apply(List<RunningCopy> running, long nowMs) {
    Map<String, SourceWork> bySource = new HashMap<>();
    for (RunningCopy copy : running) {
      DatanodeDescriptor source = copy.copy().source();
      double done = copy.bytesPerSec() * heartbeatSec / Math.max(1, copy.copy().sizeBytes());
      bySource.merge(source.getDatanodeUuid(), new SourceWork(source, 1, done, 0), SourceWork::and);
    }
    bySource.replaceAll(
        (uuid, of) -> of.limited(rates.isEnforcedBy(uuid, nowMs) ? NO_LIMIT : most(of)));
    rates.publish(running, nowMs);
    work = bySource;
  }

  /** No more than there may be at a time, however small the copies are. */
  private int most(SourceWork of) {
    int streams = streamsMax.getAsInt();
    double finished = Math.min(streams, Math.ceil(of.doneInAHeartbeat() - EXACTNESS));
    return Math.max(operators.getAsInt(), (int) Math.min(streams, finished + 1));
  }

  /** What a DataNode is to do, {@code null} for nothing. */
  SourceWork work(String datanodeUuid) {
    return work.get(datanodeUuid);
  }

  /** Takes both back: transfers go on as HDFS's own. */
  void letGo() {
    work = Map.of();
    rates.withdraw();
  }

  /** A copy, as far as its source's agent said it is. */
  RunningCopy measured(RunningCopy copy) {
    return rates.measured(copy);
  }

  /** What copies under way, and those that have just arrived, take of DataNodes' links. */
  Map<DatanodeDescriptor, OwnLoad> loads(
      List<RunningCopy> running, List<ArrivedCopy> arrived, long nowMs) {
    return OwnLoad.of(
        Stream.concat(
            running.stream().map(copy -> rates.load(copy, nowMs)),
            arrived.stream().map(rates::load)));
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

  CopyRates rates() {
    return rates;
  }
}
