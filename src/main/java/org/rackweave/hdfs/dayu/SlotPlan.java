package org.rackweave.hdfs.dayu;

import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlan;
import org.rackweave.dayu.RecoveryPlanner;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.dayu.SpreadRule;
import org.rackweave.dayu.Timeslot;
import org.rackweave.dayu.Verdict;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.dayu.RunningCopies.CopiesUnderWay;
import org.rackweave.model.ClusterTopology;

/** What is done in one slot: a plan of the pure planner in HDFS's words. No lock is needed. */
final class SlotPlan {
  /** The planner knows some hundred rules; blocks of more replicas are HDFS's to look at only. */
  private static final int MANY_REPLICAS = 100;

  private final ClusterView cluster;
  private final boolean distinctRacks;
  private final List<RunningCopy> running;
  private final List<RunningCopy> unknown;
  private final List<WaitingBlock> planned = new ArrayList<>();
  private final List<WaitingBlock> left = new ArrayList<>();
  private final Map<LeftReason, Integer> leftCounts = new EnumMap<>(LeftReason.class);
  private final Map<SpreadKey, SpreadRule> spreads = new HashMap<>();
  private final Set<Sending> sending = new HashSet<>();
  private final RecoverySnapshot snapshot;
  private final RecoveryPlan plan;
  private final double lengthSec;

  private final Map<Integer, Waiting> backlog = new HashMap<>();
  private final long madeMs;

  /** Blocks of one priority. */
  record Waiting(int blocks, long bytes) {
    Waiting and(Waiting more) {
      return new Waiting(blocks + more.blocks, bytes + more.bytes);
    }
  }

  private record SpreadKey(int replicas, int racks) {}

  /** A DataNode that has been told to send a block, or is going to be. */
  private record Sending(long blockId, DatanodeDescriptor source) {}

  /**
   * Plans.
   *
   * @param underWay copies of DataNodes that are not known are not looked at
   * @param waiting blocks that wait, the most urgent first
   */
  SlotPlan(
      DayuConfig config,
      RecoveryCluster known,
      RecoverySnapshot snapshot,
      CopiesUnderWay underWay,
      List<WaitingBlock> waiting,
      long nowMs,
      RandomGenerator random) {
    cluster = known.nodes();
    distinctRacks = known.distinctRacks();
    this.snapshot = snapshot;
    running = underWay.copies().stream().filter(this::isKnown).toList();
    unknown = underWay.copies().stream().filter(copy -> !isKnown(copy)).toList();
    Timeslot slot = config.slot();
    lengthSec = slot.lengthSec();
    RecoveryBatch.Builder batch = new RecoveryBatch.Builder(cluster.topology().nodeCount());
    for (RunningCopy copy : running) {
      add(batch, copy, underWay.movable().get(copy.copy().blockId()), nowMs);
    }
    for (RunningCopy copy : underWay.copies()) {
      sending.add(new Sending(copy.copy().blockId(), copy.copy().source()));
      sending.add(new Sending(copy.copy().blockId(), inPlan(copy).source()));
    }
    madeMs = nowMs;
    for (WaitingBlock block : waiting) {
      backlog.merge(block.priority(), new Waiting(1, block.sizeBytes()), Waiting::and);
      add(batch, block);
    }
    plan =
        new RecoveryPlanner(config.settings(), config.streamsMax())
            .plan(snapshot, batch.build(), slot, random);
    for (int i = 0; i < planned.size(); i++) {
      LeftReason reason = reason(plan.verdict(running.size() + i));
      if (reason != null) {
        leave(planned.get(i), reason);
      }
    }
    left.sort(Comparator.comparingInt(WaitingBlock::priority));
  }

  private boolean isKnown(RunningCopy running) {
    PlannedCopy copy = inPlan(running);
    return cluster.numberOf(copy.source()) != ClusterTopology.NONE
        && cluster.numberOf(copy.target()) != ClusterTopology.NONE;
  }

  /** A copy that is being ended is planned for as the one that replaces it. */
  private static PlannedCopy inPlan(RunningCopy running) {
    return running.restart() == null ? running.copy() : running.restart().instead();
  }

  /**
   * Adds a copy under way.
   *
   * @param block its block if it can begin elsewhere, {@code null} if it cannot
   */
  private void add(
      RecoveryBatch.Builder batch, RunningCopy running, WaitingBlock block, long nowMs) {
    PlannedCopy copy = inPlan(running);
    int from = cluster.numberOf(copy.source());
    int to = cluster.numberOf(copy.target());
    batch.task(copy.sizeBytes(), copy.priority()).storageType(copy.storageType());
    if (block == null) {
      batch.sources(from).standing(to);
    } else {
      batch
          .spread(spread(block))
          .sources(numbers(block.sources()))
          .standing(numbers(block.standing()))
          .barred(numbers(block.barred()));
    }
    if (running.restart() != null) {
      batch.running(from, to, 0, 0).speed(0).bound();
      return;
    }
    running.progress().addTo(batch, from, to, nowMs, block != null);
  }

  /**
   * Adds a block that waits. A DataNode sends a block to one other at a time: it knows its copies
   * by their blocks, and the first to be whole is another source for the next.
   */
  private void add(RecoveryBatch.Builder batch, WaitingBlock block) {
    if (block.isStriped()) {
      leave(block, LeftReason.STRIPED);
      return;
    }
    Map<Boolean, List<DatanodeDescriptor>> sources =
        block.sources().stream()
            .collect(
                Collectors.partitioningBy(node -> sending.contains(new Sending(block.id(), node))));
    int[] free = numbers(sources.get(false));
    int[] busy = numbers(sources.get(true));
    if (block.storageType() == WaitingBlock.NO_TYPE) {
      leave(block, LeftReason.NO_STORAGE_TYPE);
    } else if (free.length + busy.length == 0) {
      leave(block, block.sources().isEmpty() ? LeftReason.NO_SOURCE : LeftReason.UNKNOWN_NODE);
    } else if (free.length == 0) {
      leave(block, LeftReason.NEXT_SLOT);
    } else {
      batch
          .task(block.sizeBytes(), block.priority())
          .storageType(block.storageType())
          .spread(spread(block))
          .sources(free)
          .standing(Ints.concat(busy, numbers(block.standing())))
          .barred(numbers(block.barred()));
      planned.add(block);
    }
  }

  /** Those that are known: others can neither be read nor chosen. */
  private int[] numbers(List<DatanodeDescriptor> datanodes) {
    return datanodes.stream()
        .mapToInt(cluster::numberOf)
        .filter(node -> node != ClusterTopology.NONE)
        .toArray();
  }

  private SpreadRule spread(WaitingBlock block) {
    int racks = cluster.topology().rackCount();
    return spreads.computeIfAbsent(
        new SpreadKey(block.replicas(), racks),
        key -> {
          SpreadRule rule = SpreadRule.hdfs(Math.max(1, key.replicas()), Math.max(1, racks));
          return new SpreadRule(
              distinctRacks ? Integer.MAX_VALUE : rule.racksMin(),
              key.replicas() > MANY_REPLICAS ? Integer.MAX_VALUE : rule.rackLimit());
        });
  }

  private static LeftReason reason(Verdict verdict) {
    return switch (verdict) {
      case NO_SOURCE -> LeftReason.NO_SOURCE;
      case NO_DESTINATION -> LeftReason.NO_DESTINATION;
      case SLOT_FULL, SOURCE_SATURATED, DESTINATION_SATURATED -> LeftReason.NEXT_SLOT;
      default -> null;
    };
  }

  private void leave(WaitingBlock block, LeftReason reason) {
    leftCounts.merge(reason, 1, Integer::sum);
    if (reason.isStocks()) {
      left.add(block);
    }
  }

  /** New copies, the most urgent first. */
  List<PlannedCopy> copies() {
    List<PlannedCopy> copies = new ArrayList<>();
    for (int i = 0; i < planned.size(); i++) {
      int task = running.size() + i;
      if (plan.transfers(task)) {
        WaitingBlock block = planned.get(i);
        copies.add(
            new PlannedCopy(
                block.id(),
                block.sizeBytes(),
                block.priority(),
                block.storageType(),
                cluster.datanodes()[plan.source(task)],
                cluster.datanodes()[plan.destination(task)],
                plan.rateBytesPerSec(task)));
      }
    }
    copies.sort(Comparator.comparingInt(PlannedCopy::priority));
    return copies;
  }

  /**
   * Copies under way, at the rates they have from now on; those that end anyway; and those that are
   * to be ended for others.
   */
  List<RunningCopy> running(long nowMs) {
    List<RunningCopy> now = new ArrayList<>(unknown);
    for (int task = 0; task < running.size(); task++) {
      RunningCopy copy = running.get(task);
      if (plan.verdict(task) == Verdict.RESTARTED) {
        now.add(copy.toBeReplaced(elsewhere(copy.copy(), task), nowMs));
      } else if (plan.transfers(task) && copy.restart() == null) {
        now.add(copy.at(plan.rateBytesPerSec(task), nowMs));
      } else {
        now.add(copy);
      }
    }
    return now;
  }

  private PlannedCopy elsewhere(PlannedCopy copy, int task) {
    return new PlannedCopy(
        copy.blockId(),
        copy.sizeBytes(),
        copy.priority(),
        copy.storageType(),
        cluster.datanodes()[plan.source(task)],
        cluster.datanodes()[plan.destination(task)],
        plan.rateBytesPerSec(task));
  }

  /** Blocks that stock HDFS is to see to, the most urgent first. */
  List<WaitingBlock> left() {
    return left;
  }

  Map<LeftReason, Integer> leftCounts() {
    return leftCounts;
  }

  /** Blocks that wait for another slot. */
  int deferred() {
    return leftCounts.getOrDefault(LeftReason.NEXT_SLOT, 0);
  }

  /** What waited, by priority. */
  Map<Integer, Waiting> backlog() {
    return backlog;
  }

  /** Mean size of a block that waited, 0 for none. */
  double meanBytes() {
    Waiting all = backlog.values().stream().reduce(new Waiting(0, 0), Waiting::and);
    return all.blocks() == 0 ? 0 : (double) all.bytes() / all.blocks();
  }

  long madeMs() {
    return madeMs;
  }

  ClusterView cluster() {
    return cluster;
  }

  RecoveryPlan plan() {
    return plan;
  }

  RecoverySnapshot snapshot() {
    return snapshot;
  }

  double lengthSec() {
    return lengthSec;
  }
}
