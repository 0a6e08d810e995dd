package org.rackweave.hdfs.eafr;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.telemetry.BlockFigures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rates of copies that EAFR wants: of files that get replicas, and of replicas that move
 * (Algorithm 2). When HDFS orders such a copy on the answer to a heartbeat, the same answer names
 * its rate, and the agent of the DataNode keeps it; answers that follow name the rates that the
 * copy has then. Copies that others want are not held back.
 *
 * <p>What rates there are is {@link PacedCopies}' to say, by what {@link DestinationLinks} know.
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

  private final Supplier<RatesConfig> config;
  private final BooleanSupplier isLeftToDayu;
  private final long staleMs;

  /** Until when a block's copy is awaited. */
  private final Map<Long, Long> expected = new LinkedHashMap<>();

  /** When sources' agents last spoke of copies. */
  private final Map<String, Long> enforcingMs = new HashMap<>();

  private final PacedCopies copies;
  private final DestinationLinks links;
  private long paced;
  private long unmeasured;
  private volatile boolean isIdle = true;
  private volatile long agentMs = Long.MIN_VALUE / 2;
  private volatile State state;

  /**
   * @param isLeftToDayu whether rates are Dayu's to name
   * @param staleMs how long an agent's report counts
   */
  TransferRates(Supplier<RatesConfig> config, BooleanSupplier isLeftToDayu, long staleMs) {
    this.config = config;
    this.isLeftToDayu = isLeftToDayu;
    this.staleMs = staleMs;
    copies = new PacedCopies(config);
    links = new DestinationLinks(staleMs);
    state = stateAt(0);
  }

  /** Whether any copy may get a rate; if not, nothing need be said here. */
  boolean isWanted() {
    return config.get().isOn() && !isLeftToDayu.getAsBoolean();
  }

  /** An agent has reported; for any thread, and without a lock. */
  void heardAgent(long nowMs) {
    agentMs = nowMs;
  }

  private State stateAt(long nowMs) {
    if (!config.get().isOn()) {
      return State.OFF;
    }
    if (isLeftToDayu.getAsBoolean()) {
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
   * @param enforcesRates whether its agent tells how far copies with a rate are
   * @param response HDFS's answer to its heartbeat
   * @return the rates of all its copies, {@code null} when none has one
   */
  byte[] answered(
      String source, boolean enforcesRates, HeartbeatResponseProto response, long nowMs) {
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
      Map<Long, Long> rates = copies.ratesOf(source);
      if (rates.isEmpty()) {
        enforcingMs.remove(source);
        return null;
      }
      if (enforcesRates) {
        enforcingMs.put(source, nowMs);
      }
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
      DestinationLinks.Link link = links.of(to, nowMs);
      if (link == null || copies.size() >= COPIES_MAX) {
        unmeasured++;
        continue;
      }
      copies.begin(source, block, to, link, nowMs);
      paced++;
    }
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
    if (copies.end(block, by)) {
      expected.remove(block);
    }
  }

  /** Follows the cluster, and adjusts rates to links that have been measured. */
  void look(ClusterView cluster, long nowMs) {
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
      if (!isIdle) {
        clear(); // they were, until settings changed
      }
      return;
    }
    synchronized (this) {
      links.look(cluster);
      copies.forget(nowMs - LONGEST_MS, links::isKnown);
      copies.adjust(to -> links.of(to, nowMs));
      expected.values().removeIf(untilMs -> untilMs < nowMs);
      enforcingMs.values().removeIf(heardMs -> nowMs - heardMs > SILENCE_MS);
      isIdle = expected.isEmpty() && copies.size() == 0;
    }
  }

  /** It is another NameNode's turn. */
  synchronized void clear() {
    expected.clear();
    copies.clear();
    enforcingMs.clear();
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
    return new Figures(copies.size(), enforcingMs.size(), paced, unmeasured, copies.adjustments());
  }
}
