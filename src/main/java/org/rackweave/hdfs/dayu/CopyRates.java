package org.rackweave.hdfs.dayu;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rackweave.telemetry.BlockFigures;

/**
 * The rates of copies under way, as their sources' agents are told on every heartbeat, and which of
 * them are to end; and what agents say of how far copies are. Thread-safe. Soft state: rates of
 * sources of copies under way only, and of every DataNode whose agent could enforce rates that it
 * spoke within the last minute.
 */
final class CopyRates {
  /** An agent that has not spoken of copies for so long enforces no rates. */
  private static final long SILENCE_MS = 60_000;

  private volatile Map<String, byte[]> rates = Map.of();
  private final Map<String, SourceReport> heard = new ConcurrentHashMap<>();

  /** What the agent of a DataNode is told, {@code null} for nothing. */
  byte[] of(String datanodeUuid) {
    return rates.get(datanodeUuid);
  }

  /**
   * Names rates.
   *
   * @param running all copies under way
   * @param nowMs monotonic time
   */
  void publish(List<RunningCopy> running, long nowMs) {
    Map<String, Map<Long, Long>> bySource = new HashMap<>();
    for (RunningCopy copy : running) {
      bySource
          .computeIfAbsent(copy.copy().source().getDatanodeUuid(), uuid -> new LinkedHashMap<>())
          .put(
              copy.copy().blockId(),
              copy.restart() == null
                  ? (long) Math.max(1, copy.bytesPerSec())
                  : BlockFigures.CANCEL);
    }
    Map<String, byte[]> now = new HashMap<>();
    bySource.forEach((uuid, named) -> now.put(uuid, BlockFigures.encode(named)));
    rates = now;
    heard.values().removeIf(last -> nowMs - last.atMs() > SILENCE_MS);
  }

  /** Names no rates any more: transfers go on as fast as they can. */
  void withdraw() {
    rates = Map.of();
    heard.clear();
  }

  /**
   * Takes what an agent says of copies.
   *
   * @param encoded by {@link BlockFigures}
   */
  void heard(String datanodeUuid, byte[] encoded, long nowMs) {
    Map<Long, Long> done = BlockFigures.decode(encoded);
    if (done != null) {
      heard.merge(datanodeUuid, SourceReport.first(done, nowMs), SourceReport::then);
    }
  }

  /** Whether the agent of a DataNode enforces rates. */
  boolean isEnforcedBy(String datanodeUuid, long nowMs) {
    SourceReport last = heard.get(datanodeUuid);
    return last != null && nowMs - last.atMs() <= SILENCE_MS;
  }

  /** Sources whose agents enforce rates. */
  int enforcing() {
    return (int) rates.keySet().stream().filter(heard::containsKey).count();
  }

  /**
   * What a copy takes of links: what its source sent between the last two times it spoke, as it
   * measured its links then. Without an agent, what it should be taking.
   *
   * <p>Its target speaks at other times. A copy of which its source has not told may have begun
   * since, and what was measured there holds it: it counts with its rate. Else the first bytes of a
   * recovery would be taken for others', and the next plan would slow it down for them.
   */
  CopyLoad load(RunningCopy copy, long nowMs) {
    SourceReport last = lastOf(copy);
    double sent = last == null ? Double.NaN : last.sent(copy);
    if (Double.isNaN(sent)) {
      double byItsRate = copy.loadBytesPerSec(nowMs);
      return load(copy, byItsRate, byItsRate);
    }
    return load(copy, sent, copy.isMeasured() ? sent : copy.bytesPerSec());
  }

  /** The same of one that has arrived meanwhile. */
  CopyLoad load(ArrivedCopy arrived) {
    SourceReport last = lastOf(arrived.copy());
    double sent = last == null ? 0 : last.sent(arrived);
    return load(arrived.copy(), sent, sent);
  }

  private static CopyLoad load(RunningCopy copy, double sent, double received) {
    return new CopyLoad(copy.copy().source(), copy.copy().target(), sent, received);
  }

  /** Whether nothing of a copy is among what its source sent of late. */
  boolean isPast(ArrivedCopy arrived, long nowMs) {
    SourceReport last = lastOf(arrived.copy());
    return last == null || last.isAfter(arrived) || nowMs - arrived.atMs() > SILENCE_MS;
  }

  private SourceReport lastOf(RunningCopy copy) {
    return heard.get(copy.copy().source().getDatanodeUuid());
  }

  /**
   * A copy, as far as its source's agent said it is, or ended by it; one that an agent does not
   * mention has not begun.
   */
  RunningCopy measured(RunningCopy copy) {
    SourceReport last = lastOf(copy);
    if (last == null || last.atMs() <= copy.heardMs()) {
      return copy;
    }
    Long done = last.doneBytes().get(copy.copy().blockId());
    if (done != null && done == BlockFigures.CANCELLED && copy.restart() != null) {
      return copy.ended();
    }
    // What was cancelled can only be an earlier copy of the block from the same source.
    return done == null || done == BlockFigures.CANCELLED
        ? copy.notBegun(last.atMs())
        : copy.with(done, last.atMs());
  }
}
