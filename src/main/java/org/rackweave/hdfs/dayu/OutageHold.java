package org.rackweave.hdfs.dayu;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Which blocks wait for an outage to be over: those that had a replica on a DataNode that vanished
 * and still have two others, none of them on a DataNode that is drained. Blocks at highest risk,
 * drains, raised factors and replicas in too few racks never wait.
 *
 * <p>A DataNode whose blocks are not known, because it died before this NameNode was up or told to
 * recover, because stock was the first to notice, or because too much is lost already, may have had
 * any.
 *
 * <p>Single-threaded. Soft state: two bytes a replica of DataNodes that died within the grace, at
 * most {@value #REPLICAS_MAX} replicas.
 */
final class OutageHold {
  /** HDFS's queue of blocks with one replica that can be read, or none but drained ones. */
  private static final int HIGHEST_PRIORITY = 0;

  /** HDFS's queue of blocks that lack no replica. */
  private static final int BADLY_DISTRIBUTED = 3;

  private static final int REPLICAS_MAX = 50_000_000;

  private final Map<DatanodeDescriptor, Lost> lost = new HashMap<>();
  private final int replicasMax;

  private record Lost(BlockBloomFilter replicas, int count, long diedMs) {}

  OutageHold() {
    this(REPLICAS_MAX);
  }

  OutageHold(int replicasMax) {
    this.replicasMax = replicasMax;
  }

  /** How many replicas may be noted yet. */
  int room() {
    return replicasMax - lost.values().stream().mapToInt(Lost::count).sum();
  }

  /**
   * Notes what a DataNode had when it died.
   *
   * @param replicas {@code null} where that is not known
   */
  void died(DatanodeDescriptor node, BlockBloomFilter replicas, int count, long nowMs) {
    lost.remove(node);
    if (replicas != null) {
      lost.put(node, new Lost(replicas, count, nowMs));
    }
  }

  /** Forgets DataNodes that nobody waits for. */
  void retain(Collection<DatanodeDescriptor> vanished) {
    lost.keySet().retainAll(vanished);
  }

  /** Forgets DataNodes that died before a time. */
  void forgetBefore(long ms) {
    lost.values().removeIf(its -> its.diedMs() < ms);
  }

  /**
   * Which blocks wait.
   *
   * @param vanished DataNodes that are waited for
   */
  Predicate<WaitingBlock> because(List<DatanodeDescriptor> vanished) {
    return block ->
        !block.isStriped()
            && block.priority() != HIGHEST_PRIORITY
            && block.priority() != BADLY_DISTRIBUTED
            && !isDrained(block)
            && vanished.stream().anyMatch(node -> mayHaveHad(node, block));
  }

  private static boolean isDrained(WaitingBlock block) {
    return block.sources().stream().anyMatch(node -> !node.isInService())
        || block.standing().stream().anyMatch(node -> !node.isInService());
  }

  private boolean mayHaveHad(DatanodeDescriptor node, WaitingBlock block) {
    Lost its = lost.get(node);
    return its == null || its.replicas().mayHold(block.id());
  }
}
