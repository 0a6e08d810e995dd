package org.rackweave.hdfs.dayu;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.rackweave.hdfs.dayu.OwnLoad.CopyLoad;
import org.rackweave.hdfs.dayu.RunningCopies.ArrivedCopy;
import org.rackweave.telemetry.BlockFigures;

/**
 * The rates of copies under way, as their sources' agents are told on every heartbeat, and which of
 * them are to end; and what agents say of how far copies are. Thread-safe. Soft state: rates of
 * sources of copies under way only, and of every DataNode whose agent could enforce rates that it
 * spoke within the last minute.
 */
final class CopyRates {
  /** Why what an agent says of its copies is not believed. */
  public enum ClaimFault {
    /** It is no list of copies. */
    MALFORMED,
    /** More is done of a copy than its block has. */
    MORE_THAN_THE_BLOCK,
    /** It sends far more than it was told to. */
    FASTER_THAN_TOLD;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Name for metrics, logs and reports. */
    public String label() {
      return label;
    }
  }

  /** An agent that has not spoken of copies for so long enforces no rates. */
  private static final long SILENCE_MS = 60_000;

  /**
   * A source sends at most twice its rate to catch up, and its reports are some time under way; who
   * says more than so many times what it was told to send says it of others' links, too.
   */
  private static final double TIMES_TOLD = 4;

  /** What a source sent until now it was told to send some heartbeats ago. */
  private static final long TOLD_MS = 15_000;

  /** Bytes of checksums count; no block has so many. */
  private static final double WITH_CHECKSUMS = 1.1;

  private final AtomicLongArray refused = new AtomicLongArray(ClaimFault.values().length);
  private final Map<String, Told> told = new ConcurrentHashMap<>();
  private volatile Map<String, byte[]> rates = Map.of();
  private final Map<String, SourceReport> heard = new ConcurrentHashMap<>();

  /** What a source was told to send in all, bytes per second, at most of late. */
  private record Told(double bytesPerSec, long atMs) {
    Told then(Told next) {
      boolean isPast = next.atMs - atMs > TOLD_MS || next.bytesPerSec >= bytesPerSec;
      return isPast ? next : this;
    }
  }

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
    Map<String, Double> all = new HashMap<>();
    for (RunningCopy copy : running) {
      all.merge(copy.copy().source().getDatanodeUuid(), copy.bytesPerSec(), Double::sum);
    }
    all.forEach((uuid, rate) -> told.merge(uuid, new Told(rate, nowMs), Told::then));
    told.values().removeIf(last -> nowMs - last.atMs() > SILENCE_MS);
    heard.values().removeIf(last -> nowMs - last.atMs() > SILENCE_MS);
  }

  /** Names no rates any more: transfers go on as fast as they can. */
  void withdraw() {
    rates = Map.of();
    heard.clear();
    told.clear();
  }

  /**
   * Takes what an agent says of copies.
   *
   * @param encoded by {@link BlockFigures}
   */
  void heard(String datanodeUuid, byte[] encoded, long nowMs) {
    Map<Long, Long> done = BlockFigures.decode(encoded);
    if (done == null) {
      refuse(ClaimFault.MALFORMED);
    } else {
      heard.merge(datanodeUuid, SourceReport.first(done, nowMs), SourceReport::then);
    }
  }

  private void refuse(ClaimFault why) {
    refused.incrementAndGet(why.ordinal());
  }

  /** How often something that an agent said was not believed. */
  long refused(ClaimFault why) {
    return refused.get(why.ordinal());
  }

  /** How much of what a source says that it sent is believed, 0 to 1. */
  private double believed(String source, SourceReport last) {
    Told its = told.get(source);
    double most = its == null ? Double.NaN : TIMES_TOLD * its.bytesPerSec();
    double said = last.sentInAll();
    if (!(said > most)) { // also where nothing was told, and where nothing is known
      return 1;
    }
    refuse(ClaimFault.FASTER_THAN_TOLD);
    return most / said;
  }

  /** Whether the agent of a DataNode enforces rates. */
  boolean isEnforcedBy(String datanodeUuid, long nowMs) {
    SourceReport last = heard.get(datanodeUuid);
    return last != null && nowMs - last.atMs() <= SILENCE_MS;
  }

  /** How many copies an agent said it makes when it spoke last; many where there is none. */
  int begun(String datanodeUuid) {
    SourceReport last = heard.get(datanodeUuid);
    return last == null
        ? Integer.MAX_VALUE
        : (int)
            last.doneBytes().values().stream()
                .filter(done -> done != BlockFigures.CANCELLED)
                .count();
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
    sent *= believed(copy.copy().source().getDatanodeUuid(), last);
    return load(copy, sent, copy.isMeasured() ? sent : copy.bytesPerSec());
  }

  /** The same of one that has arrived meanwhile. */
  CopyLoad load(ArrivedCopy arrived) {
    SourceReport last = lastOf(arrived.copy());
    double sent = last == null ? 0 : last.sent(arrived);
    sent *= last == null ? 0 : believed(arrived.copy().copy().source().getDatanodeUuid(), last);
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
    if (done == null || done == BlockFigures.CANCELLED) {
      return copy.notBegun(last.atMs());
    }
    if (done > WITH_CHECKSUMS * copy.copy().sizeBytes()) {
      refuse(ClaimFault.MORE_THAN_THE_BLOCK);
    }
    return copy.with(done, last.atMs());
  }
}
