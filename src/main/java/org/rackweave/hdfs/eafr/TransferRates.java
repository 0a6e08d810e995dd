package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.RateAdjustment;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.telemetry.BlockFigures;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rates of copies that EAFR wants: of files that get replicas, and of replicas that move
 * (Algorithm 2). When HDFS orders such a copy on the answer to a heartbeat, the same answer names
 * its rate, and the agent of the DataNode keeps it; answers that follow name the rates that the
 * copy has then. Copies that others want are not held back.
 *
 * <p>A copy begins with what its destination's link has free, shared with others that began since
 * the link was last measured, since most copies of a block are over in a few measurements and would
 * never come down from the link's capacity, with which the paper begins. With each new measurement
 * of the link all copies over it are adjusted, the oldest losing least. Together they may take a
 * small part of the link in any case.
 *
 * <p>Soft state: a failover forgets it, and agents let copies go on at full speed. Memory: some 200
 * bytes a copy, {@value #COPIES_MAX} at most, and 16 bytes a block expected. Thread-safe; a
 * heartbeat costs no lock while nothing is copied.
 */
final class TransferRates {
  private static final Logger LOG = LoggerFactory.getLogger(TransferRates.class);

  /** Copies with a rate; others go at full speed. */
  private static final int COPIES_MAX = 20_000;

  /** Blocks whose copies are awaited; the oldest are forgotten. */
  private static final int EXPECTED_MAX = 100_000;

  /** How long a copy is awaited, or takes; after that HDFS orders it anew. */
  private static final long LONGEST_MS = 600_000;

  /** An agent that has not spoken of copies for so long enforces no rates. */
  private static final long SILENCE_MS = 60_000;

  /** Whether copies have rates, or why not. */
  enum State {
    OFF,
    /** Dayu names rates, those of lost replicas. */
    LEFT_TO_DAYU,
    NO_AGENTS,
    ON
  }

  private static final class Copy {
    final long blockId;
    final String to;
    final long sinceMs;
    double bytesPerSec;

    Copy(long blockId, String to, long sinceMs) {
      this.blockId = blockId;
      this.to = to;
      this.sinceMs = sinceMs;
    }
  }

  /** What is known of a destination's link. */
  private record Link(double capacity, double used, long measuredMs) {}

  private final RatesConfig config;
  private final boolean isDayuOn;
  private final long staleMs;

  /** Until when a block's copy is awaited. */
  private final Map<Long, Long> expected = new LinkedHashMap<>();

  /** By source and block. */
  private final Map<String, Map<Long, Copy>> bySource = new HashMap<>();

  /** By destination, those that began first in front. */
  private final Map<String, List<Copy>> byTarget = new HashMap<>();

  /** Of destinations the measurement that was adjusted to last. */
  private final Map<String, Long> adjustedMs = new HashMap<>();

  /** When sources' agents last spoke of copies. */
  private final Map<String, Long> enforcingMs = new HashMap<>();

  private Map<String, Integer> numbers = Map.of();
  private DatanodeDescriptor[] datanodes = {};
  private LinkSnapshot links;
  private int copies;
  private long paced;
  private long unmeasured;
  private long adjustments;
  private volatile boolean isIdle = true;
  private volatile long agentMs = Long.MIN_VALUE / 2;
  private volatile State state;

  /**
   * @param isDayuOn whether rates are Dayu's to name
   * @param staleMs how long an agent's report counts
   */
  TransferRates(RatesConfig config, boolean isDayuOn, long staleMs) {
    this.config = config;
    this.isDayuOn = isDayuOn;
    this.staleMs = staleMs;
    state = stateAt(0);
  }

  /** Whether any copy may get a rate; if not, nothing need be said here. */
  boolean isWanted() {
    return config.isOn() && !isDayuOn;
  }

  /** An agent has reported; for any thread, and without a lock. */
  void heardAgent(long nowMs) {
    agentMs = nowMs;
  }

  private State stateAt(long nowMs) {
    if (!config.isOn()) {
      return State.OFF;
    }
    if (isDayuOn) {
      return State.LEFT_TO_DAYU;
    }
    return nowMs - agentMs > staleMs ? State.NO_AGENTS : State.ON;
  }

  /** EAFR has blocks copied: the next copy of each is its own. */
  synchronized void expect(Iterable<Long> blockIds, long nowMs) {
    if (!isWanted()) {
      return;
    }
    for (long block : blockIds) {
      expected.remove(block);
      expected.put(block, nowMs + LONGEST_MS);
    }
    Iterator<Long> oldest = expected.values().iterator();
    while (oldest.hasNext() && (oldest.next() < nowMs || expected.size() > EXPECTED_MAX)) {
      oldest.remove();
    }
    isIdle = false;
  }

  /**
   * Takes note of what HDFS orders a DataNode with an agent to copy.
   *
   * @param report what its agent reports
   * @param response HDFS's answer to its heartbeat
   * @return the rates of all its copies, {@code null} when none has one
   */
  byte[] answered(String source, byte[] report, HeartbeatResponseProto response, long nowMs) {
    if (isIdle) {
      return null;
    }
    synchronized (this) {
      for (DatanodeCommandProto command : response.getCmdsList()) {
        if (command.hasBlkCmd()
            && command.getBlkCmd().getAction() == BlockCommandProto.Action.TRANSFER) {
          ordered(source, command.getBlkCmd(), nowMs);
        }
      }
      Map<Long, Copy> its = bySource.get(source);
      if (its == null) {
        enforcingMs.remove(source);
        return null;
      }
      if (HeartbeatReportCodec.transfers(report) != null) {
        enforcingMs.put(source, nowMs);
      }
      Map<Long, Long> rates = new LinkedHashMap<>();
      its.forEach((block, copy) -> rates.put(block, (long) Math.max(1, copy.bytesPerSec)));
      return BlockFigures.encode(rates);
    }
  }

  private void ordered(String source, BlockCommandProto order, long nowMs) {
    for (int i = 0; i < Math.min(order.getBlocksCount(), order.getTargetsCount()); i++) {
      long block = order.getBlocks(i).getBlockId();
      if (!expected.containsKey(block) || order.getTargets(i).getDatanodesCount() == 0) {
        continue;
      }
      String to = order.getTargets(i).getDatanodes(0).getId().getDatanodeUuid();
      Link link = linkOf(to, nowMs);
      if (link == null || copies >= COPIES_MAX) {
        unmeasured++;
        continue;
      }
      Map<Long, Copy> its = bySource.computeIfAbsent(source, unused -> new LinkedHashMap<>());
      Copy before = its.remove(block);
      if (before != null) {
        drop(before); // HDFS orders it anew
      }
      Copy copy = new Copy(block, to, nowMs);
      its.put(block, copy);
      List<Copy> all = byTarget.computeIfAbsent(to, unused -> new ArrayList<>());
      all.add(copy);
      shareFree(link, all);
      copies++;
      paced++;
    }
  }

  /** What is known of a link that its agent measures, {@code null} of another. */
  private Link linkOf(String to, long nowMs) {
    Integer node = numbers.get(to);
    if (node == null
        || links == null
        || nowMs - links.takenAtMs() > staleMs
        || links.source(node) != LinkSource.MEASURED
        || links.hostCapacity(node) <= 0) {
      return null;
    }
    return new Link(links.hostCapacity(node), links.hostRx(node), links.sampledAtMs(node));
  }

  /** Those that the last measurement of a link knows nothing of share what it left free. */
  private void shareFree(Link link, List<Copy> its) {
    List<Copy> young = its.stream().filter(copy -> copy.sinceMs >= link.measuredMs()).toList();
    double share = Math.max(0, link.capacity() - link.used()) / Math.max(1, young.size());
    double least = leastBytesPerSec(link, its.size());
    young.forEach(copy -> copy.bytesPerSec = Math.max(share, least));
  }

  private double leastBytesPerSec(Link link, int senders) {
    return config.leastShare() * link.capacity() / senders;
  }

  /** A DataNode has received blocks. */
  void received(BlockReceivedAndDeletedRequestProto report) {
    if (isIdle) {
      return;
    }
    String by = report.getRegistration().getDatanodeID().getDatanodeUuid();
    for (StorageReceivedDeletedBlocksProto storage : report.getBlocksList()) {
      for (ReceivedDeletedBlockInfoProto block : storage.getBlocksList()) {
        if (block.getStatus() == BlockStatus.RECEIVED) {
          received(block.getBlock().getBlockId(), by);
        }
      }
    }
  }

  private synchronized void received(long block, String by) {
    List<Copy> its = byTarget.get(by);
    if (its == null || its.stream().noneMatch(copy -> copy.blockId == block)) {
      return;
    }
    expected.remove(block);
    remove(copy -> copy.blockId == block && copy.to.equals(by));
  }

  private void remove(Predicate<Copy> which) {
    for (Iterator<Map<Long, Copy>> sources = bySource.values().iterator(); sources.hasNext(); ) {
      Map<Long, Copy> its = sources.next();
      its.values()
          .removeIf(
              copy -> {
                boolean goes = which.test(copy);
                if (goes) {
                  drop(copy);
                }
                return goes;
              });
      if (its.isEmpty()) {
        sources.remove();
      }
    }
  }

  private void drop(Copy copy) {
    copies--;
    List<Copy> its = byTarget.get(copy.to);
    its.remove(copy);
    if (its.isEmpty()) {
      byTarget.remove(copy.to);
      adjustedMs.remove(copy.to);
    }
  }

  /** Follows the cluster, and adjusts rates to links that have been measured. */
  void look(ClusterView cluster, LinkSnapshot latest, long nowMs) {
    State now = stateAt(nowMs);
    if (now != state) {
      state = now;
      LOG.info(
          "Rates of EAFR's copies: {}",
          now == State.NO_AGENTS
              ? "none, since no DataNode has an agent that reports; copies go at full speed"
              : now);
    }
    if (!isWanted()) {
      return;
    }
    synchronized (this) {
      if (cluster.datanodes() != datanodes) {
        datanodes = cluster.datanodes();
        numbers = new HashMap<>();
        for (int node = 0; node < datanodes.length; node++) {
          numbers.put(datanodes[node].getDatanodeUuid(), node);
        }
      }
      links = latest != null && latest.topology() == cluster.topology() ? latest : null;
      if (copies > 0) {
        remove(copy -> nowMs - copy.sinceMs > LONGEST_MS || !numbers.containsKey(copy.to));
        byTarget.forEach((to, its) -> adjust(to, its, nowMs));
      }
      expected.values().removeIf(untilMs -> untilMs < nowMs);
      enforcingMs.values().removeIf(heardMs -> nowMs - heardMs > SILENCE_MS);
      isIdle = expected.isEmpty() && copies == 0;
    }
  }

  private void adjust(String to, List<Copy> its, long nowMs) {
    Link link = linkOf(to, nowMs);
    Long last = adjustedMs.get(to);
    if (link == null || last != null && last == link.measuredMs()) {
      return;
    }
    adjustedMs.put(to, link.measuredMs());
    double[] before = its.stream().mapToDouble(copy -> copy.bytesPerSec).toArray();
    RateAdjustment adjustment =
        new RateAdjustment(
            config.lowFraction(), config.highFraction(), (long) leastBytesPerSec(link, its.size()));
    double[] after = adjustment.adjust(link.capacity(), link.used(), before);
    for (int i = 0; i < after.length; i++) {
      its.get(i).bytesPerSec = after[i];
      adjustments += after[i] == before[i] ? 0 : 1;
    }
  }

  /** It is another NameNode's turn. */
  synchronized void clear() {
    expected.clear();
    bySource.clear();
    byTarget.clear();
    adjustedMs.clear();
    enforcingMs.clear();
    copies = 0;
    isIdle = true;
  }

  /** Whether copies have rates, or why not; for any thread. */
  State state() {
    return state;
  }

  /**
   * What there is to tell.
   *
   * @param copies under way with a rate
   * @param sources of these whose agents keep the rates
   * @param paced copies that got one
   * @param unmeasured copies that got none because their destination's link is not measured
   * @param adjustments changes of rates
   */
  record Figures(int copies, int sources, long paced, long unmeasured, long adjustments) {}

  synchronized Figures figures() {
    return new Figures(copies, enforcingMs.size(), paced, unmeasured, adjustments);
  }
}
