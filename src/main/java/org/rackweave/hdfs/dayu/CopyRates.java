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

  private record Heard(Map<Long, Long> doneBytes, long atMs) {}

  private volatile Map<String, byte[]> rates = Map.of();
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();

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
      heard.put(datanodeUuid, new Heard(done, nowMs));
    }
  }

  /** Whether the agent of a DataNode enforces rates. */
  boolean isEnforcedBy(String datanodeUuid, long nowMs) {
    Heard last = heard.get(datanodeUuid);
    return last != null && nowMs - last.atMs() <= SILENCE_MS;
  }

  /** Sources whose agents enforce rates. */
  int enforcing() {
    return (int) rates.keySet().stream().filter(heard::containsKey).count();
  }

  /**
   * A copy, as far as its source's agent said it is, or ended by it; one that an agent does not
   * mention has not begun.
   */
  RunningCopy measured(RunningCopy copy) {
    Heard last = heard.get(copy.copy().source().getDatanodeUuid());
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
