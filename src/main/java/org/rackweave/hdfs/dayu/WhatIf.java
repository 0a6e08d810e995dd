package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.dayu.RunningCopies.CopiesUnderWay;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * What recovery would be like if a DataNode died now: its blocks are planned slot by slot with the
 * planner that would do it, by the bandwidth that is idle now, and nothing is done. Of very many
 * blocks a part is planned and stands for all.
 *
 * <p>Single-threaded. Takes the namesystem's read lock for a batch at a time.
 */
final class WhatIf {
  private static final int SLOTS_MAX = 10_000;
  private final DayuConfig config;
  private final RecoveryCluster cluster;
  private final ReconstructionQueue queue;
  private final DatanodeDescriptor lost;
  private final long planningMaxNanos;
  private final Map<DatanodeDescriptor, Double> sent = new HashMap<>();
  private final Map<DatanodeDescriptor, Double> firstOut = new HashMap<>();
  private final Map<DatanodeDescriptor, Double> firstIn = new HashMap<>();
  private double plannedBytes;
  private double lastSec;
  private int slots;
  private boolean isLookedAtWhole;

  /**
   * @param planningMaxNanos how long to plan; what is not planned then is not looked at
   */
  WhatIf(
      DayuConfig config,
      RecoveryCluster cluster,
      ReconstructionQueue queue,
      DatanodeDescriptor lost,
      long planningMaxNanos) {
    // A slot at a time: what the many plans of one would do later, is looked at as one.
    this.config = config.withSlotsApart();
    this.cluster = cluster;
    this.queue = queue;
    this.lost = lost;
    this.planningMaxNanos = planningMaxNanos;
  }

  /** Plans, and tells of it. */
  AdminAnswer predict(long nowMs, RandomGenerator random) {
    int all = lost.numBlocks();
    List<WaitingBlock> blocks = read();
    long lostForGood = blocks.stream().filter(block -> block.sources().isEmpty()).count();
    List<WaitingBlock> waiting =
        new ArrayList<>(blocks.stream().filter(block -> !block.sources().isEmpty()).toList());
    double bytes = waiting.stream().mapToDouble(WaitingBlock::sizeBytes).sum();
    IdleBandwidth idle = new IdleBandwidth(cluster.nodes(), config.bandwidth(), Map.of());
    RecoverySnapshot snapshot = idle.snapshot(queue::isStaleTarget, lost);
    List<WaitingBlock> left = plan(snapshot, waiting, nowMs, random);
    double share = bytes == 0 ? 1 : plannedBytes / bytes;
    double factor = blocks.isEmpty() ? 1 : (double) Math.max(all, blocks.size()) / blocks.size();
    double sec = share > 0 ? lastSec / share * factor : Double.NaN;
    AdminAnswer answer = new AdminAnswer();
    answer.with(
        "whatif",
        new AdminAnswer()
            .with("node", lost.getXferAddr())
            .with("rack", lost.getNetworkLocation())
            .with("blocks", all)
            .with("blocks_planned", waiting.size() - left.size())
            .with("blocks_without_place", isLookedAtWhole ? left.size() : 0)
            .with("blocks_not_looked_at", isLookedAtWhole ? 0 : left.size())
            .with("blocks_lost", lostForGood)
            .with("bytes", bytes * factor)
            .with("slots", slots)
            .with("recovery_sec", waiting.isEmpty() ? 0 : sec)
            .with("interference", interference()));
    sent.entrySet().stream()
        .sorted(Map.Entry.<DatanodeDescriptor, Double>comparingByValue().reversed())
        .limit(1)
        .forEach(each -> answer.with("hottest_source", hottest(snapshot, each, factor, sec)));
    return answer;
  }

  private AdminAnswer hottest(
      RecoverySnapshot snapshot,
      Map.Entry<DatanodeDescriptor, Double> most,
      double factor,
      double sec) {
    double idle = snapshot.outBytesPerSec(cluster.nodes().numberOf(most.getKey()));
    double bytes = most.getValue() * factor;
    return new AdminAnswer()
        .with("name", most.getKey().getXferAddr())
        .with("rack", most.getKey().getNetworkLocation())
        .with("bytes", bytes)
        .with("idle_out_bytes_per_sec", idle)
        .with("use_of_idle", bytes / (idle * sec));
  }

  private List<WaitingBlock> read() {
    List<WaitingBlock> blocks = new ArrayList<>();
    int from = 0;
    int looked = Integer.MAX_VALUE;
    int size = 0;
    while (looked >= size && blocks.size() < config.blocksMax()) {
      size = Math.min(queue.batchSize(), config.blocksMax() - blocks.size());
      ReconstructionQueue.Batch batch = queue.blocksWithout(lost, from, size);
      looked = batch.looked();
      from += looked;
      blocks.addAll(batch.blocks());
    }
    return blocks;
  }

  /** Plans until nothing is left, nothing can be done or time is over; returns what is left. */
  private List<WaitingBlock> plan(
      RecoverySnapshot snapshot, List<WaitingBlock> blocks, long nowMs, RandomGenerator random) {
    List<WaitingBlock> left = blocks;
    long began = System.nanoTime();
    while (!left.isEmpty() && slots < SLOTS_MAX && System.nanoTime() - began < planningMaxNanos) {
      SlotPlan plan =
          new SlotPlan(config, cluster, snapshot, CopiesUnderWay.NONE, left, nowMs, random);
      Set<Long> planned = new HashSet<>();
      for (PlannedCopy copy : plan.copies()) {
        planned.add(copy.blockId());
        account(copy);
      }
      if (planned.isEmpty()) {
        isLookedAtWhole = true; // and there is no place for them
        break;
      }
      left = left.stream().filter(block -> !planned.contains(block.id())).toList();
      slots++;
    }
    isLookedAtWhole |= left.isEmpty();
    return left;
  }

  private void account(PlannedCopy copy) {
    plannedBytes += copy.sizeBytes();
    sent.merge(copy.source(), (double) copy.sizeBytes(), Double::sum);
    double sec = copy.sizeBytes() / Math.max(1, copy.bytesPerSec());
    lastSec = Math.max(lastSec, slots * config.slot().lengthSec() + sec);
    if (slots == 0) {
      firstOut.merge(copy.source(), copy.bytesPerSec(), Double::sum);
      firstIn.merge(copy.target(), copy.bytesPerSec(), Double::sum);
    }
  }

  /** Eq. 3 and 4 of the first slot, which is the fullest, over both directions of all links. */
  private double interference() {
    LinkSnapshot links = cluster.nodes().links();
    DatanodeDescriptor[] datanodes = cluster.nodes().datanodes();
    double overload = 0;
    double capacity = 0;
    for (int node = 0; node < datanodes.length; node++) {
      DatanodeDescriptor datanode = datanodes[node];
      if (datanode != lost && datanode.isAlive()) {
        double total = links.hostCapacity(node);
        capacity += 2 * total;
        overload +=
            config
                    .bandwidth()
                    .overload(total, links.hostTx(node) + firstOut.getOrDefault(datanode, 0.0))
                + config
                    .bandwidth()
                    .overload(total, links.hostRx(node) + firstIn.getOrDefault(datanode, 0.0));
      }
    }
    return capacity == 0 ? 0 : overload / capacity;
  }
}
