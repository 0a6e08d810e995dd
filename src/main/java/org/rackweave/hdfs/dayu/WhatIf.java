package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.dayu.RunningCopies.CopiesUnderWay;
import org.rackweave.hdfs.durability.Survey;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * What recovery would be like if some DataNodes died now, or were drained: their blocks are planned
 * slot by slot with the planner that would do it, by the bandwidth that is idle now, and nothing is
 * done. Of very many blocks a part is planned and stands for all. Blocks of HDFS's erasure coding,
 * and those to be rebuilt from stripes, are not planned.
 *
 * <p>Single-threaded. Takes the namesystem's read lock for a batch at a time.
 */
final class WhatIf {
  private static final int SLOTS_MAX = 10_000;
  private final DayuConfig config;
  private final RecoveryCluster cluster;
  private final ReconstructionQueue queue;
  private final Set<DatanodeDescriptor> gone;
  private final boolean isDrain;
  private final long planningMaxNanos;
  private final Map<DatanodeDescriptor, Double> sent = new HashMap<>();
  private final Map<DatanodeDescriptor, Double> firstOut = new HashMap<>();
  private final Map<DatanodeDescriptor, Double> firstIn = new HashMap<>();

  /** Copies that blocks still need. */
  private final Map<Long, Integer> copies = new HashMap<>();

  private RecoverySnapshot snapshot;

  /** For how many each block stands. */
  private double factor;

  private double bytes;
  private double plannedBytes;
  private double lastSec;
  private int planned;
  private int slots;
  private List<WaitingBlock> left;
  private boolean isLookedAtWhole;

  /**
   * @param gone the DataNodes
   * @param isDrain whether they can be read until all is copied, or are dead
   * @param planningMaxNanos how long to plan; what is not planned then is not looked at
   */
  WhatIf(
      DayuConfig config,
      RecoveryCluster cluster,
      ReconstructionQueue queue,
      Set<DatanodeDescriptor> gone,
      boolean isDrain,
      long planningMaxNanos) {
    // A slot at a time: what the many plans of one would do later, is looked at as one.
    this.config = config.withSlotsApart();
    this.cluster = cluster;
    this.queue = queue;
    this.gone = gone;
    this.isDrain = isDrain;
    this.planningMaxNanos = planningMaxNanos;
  }

  /** Plans the copies of blocks, or of an evenly spaced part of them. */
  WhatIf plan(Survey.Left after, long nowMs, RandomGenerator random) {
    long[] ids = after.copied();
    int every = Math.max(1, (ids.length + config.blocksMax() - 1) / config.blocksMax());
    factor = after.factor() * every;
    left = read(LongStream.range(0, ids.length / every).map(i -> ids[(int) i * every]).toArray());
    left.forEach(block -> bytes += (double) block.sizeBytes() * copies.get(block.id()));
    Predicate<DatanodeDescriptor> isGone = gone::contains;
    snapshot =
        new IdleBandwidth(cluster.nodes(), config.bandwidth(), Map.of())
            .snapshot(
                queue::isStaleTarget,
                isDrain ? node -> false : isGone,
                isDrain ? isGone : node -> false);
    plan(nowMs, random);
    return this;
  }

  private List<WaitingBlock> read(long[] ids) {
    List<WaitingBlock> blocks = new ArrayList<>();
    int size = queue.batchSize();
    for (int from = 0; from < ids.length; from += size) {
      long[] part = Arrays.copyOfRange(ids, from, Math.min(ids.length, from + size));
      for (WaitingBlock block : queue.blocksWithout(part, isDrain ? Set.of() : gone)) {
        long stay =
            Stream.concat(block.sources().stream(), block.standing().stream())
                .filter(node -> !gone.contains(node))
                .count();
        if (block.replicas() > stay && !block.sources().isEmpty()) {
          copies.put(block.id(), (int) (block.replicas() - stay));
          blocks.add(block);
        }
      }
    }
    return blocks;
  }

  /** Plans until nothing is left, nothing can be done or time is over. */
  private void plan(long nowMs, RandomGenerator random) {
    long began = System.nanoTime();
    while (!left.isEmpty() && slots < SLOTS_MAX && System.nanoTime() - began < planningMaxNanos) {
      Map<Long, PlannedCopy> now = new HashMap<>();
      new SlotPlan(config, cluster, snapshot, CopiesUnderWay.NONE, left, nowMs, random)
          .copies()
          .forEach(copy -> now.put(copy.blockId(), copy));
      if (now.isEmpty()) {
        isLookedAtWhole = true; // and there is no place for them
        break;
      }
      now.values().forEach(this::account);
      left = left.stream().map(block -> after(block, now)).filter(Objects::nonNull).toList();
      slots++;
    }
    isLookedAtWhole |= left.isEmpty();
  }

  /** A block with the replica that is planned for it, {@code null} when that was the last. */
  private WaitingBlock after(WaitingBlock block, Map<Long, PlannedCopy> now) {
    PlannedCopy copy = now.get(block.id());
    if (copy == null) {
      return block;
    }
    if (copies.merge(block.id(), -1, Integer::sum) == 0) {
      return null;
    }
    List<DatanodeDescriptor> standing = new ArrayList<>(block.standing());
    standing.add(copy.target());
    return new WaitingBlock(
        block.id(),
        block.sizeBytes(),
        block.priority(),
        block.replicas(),
        block.storageType(),
        block.sources(),
        standing,
        block.barred());
  }

  private void account(PlannedCopy copy) {
    planned++;
    plannedBytes += copy.sizeBytes();
    sent.merge(copy.source(), (double) copy.sizeBytes(), Double::sum);
    double sec = copy.sizeBytes() / Math.max(1, copy.bytesPerSec());
    lastSec = Math.max(lastSec, slots * config.slot().lengthSec() + sec);
    if (slots == 0) {
      firstOut.merge(copy.source(), copy.bytesPerSec(), Double::sum);
      firstIn.merge(copy.target(), copy.bytesPerSec(), Double::sum);
    }
  }

  /** Seconds until all is copied that there is room for; not a number when nothing is planned. */
  double sec() {
    return plannedBytes == 0
        ? (bytes == 0 ? 0 : Double.NaN)
        : lastSec * movedBytes() / plannedBytes;
  }

  /** For all blocks, also those that there was no time to plan. */
  private double movedBytes() {
    return factor * (isLookedAtWhole ? plannedBytes : bytes);
  }

  /** Blocks for which there is no DataNode with room, as far as is known. */
  long withoutPlace() {
    return isLookedAtWhole ? Math.round(left.size() * factor) : 0;
  }

  /** Whether DataNodes that stay have room for all copies. */
  boolean hasSpace() {
    return bytes * factor <= freeBytes() && withoutPlace() == 0;
  }

  private double freeBytes() {
    double free = 0;
    for (int node = 0; node < snapshot.topology().nodeCount(); node++) {
      for (int type = 0; type < snapshot.storageTypes(); type++) {
        free += snapshot.acceptsReplicas(node) ? snapshot.freeBytes(type, node) : 0;
      }
    }
    return free;
  }

  /** Adds what is to be told. */
  void describe(AdminAnswer answer) {
    answer
        .with("copies_planned", planned)
        .with("blocks_without_place", withoutPlace())
        .with("blocks_not_looked_at", isLookedAtWhole ? 0 : Math.round(left.size() * factor))
        .with("bytes", bytes * factor)
        .with("free_bytes", freeBytes())
        .with("slots", slots)
        .with("recovery_sec", sec())
        .with("link_share", bytes == 0 ? 0 : movedBytes() / sec() / capacity())
        .with("interference", interference());
  }

  /** The DataNode that would send most; {@code null} for none. */
  AdminAnswer hottest() {
    Map.Entry<DatanodeDescriptor, Double> most =
        sent.entrySet().stream().max(Comparator.comparingDouble(Map.Entry::getValue)).orElse(null);
    if (most == null) {
      return null;
    }
    double idle = snapshot.outBytesPerSec(cluster.nodes().numberOf(most.getKey()));
    double sends = most.getValue() * factor;
    return new AdminAnswer()
        .with("name", most.getKey().getXferAddr())
        .with("rack", most.getKey().getNetworkLocation())
        .with("bytes", sends)
        .with("idle_out_bytes_per_sec", idle)
        .with("use_of_idle", sends / (idle * sec()));
  }

  private boolean isThere(DatanodeDescriptor datanode) {
    return datanode.isAlive() && (isDrain || !gone.contains(datanode));
  }

  /** Bytes per second of all links in one direction. */
  private double capacity() {
    LinkSnapshot links = cluster.nodes().links();
    DatanodeDescriptor[] datanodes = cluster.nodes().datanodes();
    double capacity = 0;
    for (int node = 0; node < datanodes.length; node++) {
      capacity += isThere(datanodes[node]) ? links.hostCapacity(node) : 0;
    }
    return capacity;
  }

  /** Eq. 3 and 4 of the first slot, which is the fullest, over both directions of all links. */
  private double interference() {
    LinkSnapshot links = cluster.nodes().links();
    DatanodeDescriptor[] datanodes = cluster.nodes().datanodes();
    double overload = 0;
    for (int node = 0; node < datanodes.length; node++) {
      DatanodeDescriptor datanode = datanodes[node];
      if (isThere(datanode)) {
        double total = links.hostCapacity(node);
        overload +=
            config
                    .bandwidth()
                    .overload(total, links.hostTx(node) + firstOut.getOrDefault(datanode, 0.0))
                + config
                    .bandwidth()
                    .overload(total, links.hostRx(node) + firstIn.getOrDefault(datanode, 0.0));
      }
    }
    double capacity = 2 * capacity();
    return capacity == 0 ? 0 : overload / capacity;
  }
}
