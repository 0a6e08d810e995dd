package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;

/**
 * A queue's answers, and how long they took. That is taken for the time that a lock was held, but
 * for looks at copies that are all expected, which take none.
 */
final class HeldQueue implements ReconstructionQueue {
  private final ReconstructionQueue queue;
  private final Map<String, Integer> blocksAsked = new TreeMap<>();
  private final Map<String, Long> micros = new TreeMap<>();
  long readNanos;
  long writeNanos;
  long longestNanos;
  private final List<PlannedCopy> copies = new ArrayList<>();

  /** Those that HDFS was told to make. */
  List<PlannedCopy> copies() {
    return copies;
  }

  /** Blocks that were looked at under the lock to be planned. */
  int read() {
    return blocksAsked.get("read");
  }

  HeldQueue(ReconstructionQueue queue) {
    this.queue = queue;
  }

  private <T> T timed(String what, int blocks, boolean isWrite, Supplier<T> work) {
    long began = System.nanoTime();
    T answer = work.get();
    long nanos = System.nanoTime() - began;
    longestNanos = Math.max(longestNanos, nanos);
    if (isWrite) {
      writeNanos += nanos;
    } else {
      readNanos += nanos;
    }
    blocksAsked.merge(what, blocks, Integer::sum);
    micros.merge(what, nanos / 1000, Long::sum);
    return answer;
  }

  @Override
  public int batchSize() {
    return queue.batchSize();
  }

  @Override
  public int waitingCount() {
    return queue.waitingCount();
  }

  @Override
  public int[] waitingByPriority() {
    return queue.waitingByPriority();
  }

  @Override
  public boolean isPopulated() {
    return queue.isPopulated();
  }

  @Override
  public boolean isStaleTarget(DatanodeDescriptor node) {
    return false; // heartbeats have ceased here
  }

  @Override
  public Dead noticeDead(int replicasMax) {
    return null;
  }

  @Override
  public Object holdingPolicy(boolean any) {
    return queue.holdingPolicy(any);
  }

  @Override
  public void rewind() {
    queue.rewind();
  }

  @Override
  public Batch next(int max, Map<Long, WaitingBlock> known) {
    Batch batch = timed("read", 0, false, () -> queue.next(max, known));
    int unknown =
        (int) batch.blocks().stream().filter(block -> known.get(block.id()) != block).count();
    blocksAsked.merge("read", unknown, Integer::sum);
    blocksAsked.merge("known", batch.looked() - unknown, Integer::sum);
    return batch;
  }

  @Override
  public List<WaitingBlock> blocksWithout(long[] ids, Set<DatanodeDescriptor> lost) {
    throw new AssertionError("nobody asks what if");
  }

  @Override
  public List<CopyOutcome> schedule(List<PlannedCopy> planned, long term) {
    List<CopyOutcome> outcomes =
        timed("order", planned.size(), true, () -> queue.schedule(planned, term));
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) == CopyOutcome.SCHEDULED) {
        copies.add(planned.get(i));
      }
    }
    return outcomes;
  }

  @Override
  public List<CopyState> states(List<? extends Copy> asked) {
    List<CopyState> states = queue.states(asked);
    if (!Set.of(CopyState.UNDER_WAY).containsAll(states)) {
      throw new AssertionError("nothing arrives here: " + states);
    }
    blocksAsked.merge("look", states.size(), Integer::sum);
    return states;
  }

  @Override
  public int ordersWaiting(DatanodeDescriptor source) {
    return queue.ordersWaiting(source);
  }

  @Override
  public int ordersWaiting() {
    return queue.ordersWaiting();
  }

  @Override
  public DatanodeCommandProto nextOrders(DatanodeDescriptor source, int most) {
    return queue.nextOrders(source, most);
  }

  @Override
  public void handOverOrders() {
    queue.handOverOrders();
  }

  @Override
  public void forgetOrders() {
    queue.forgetOrders();
  }

  @Override
  public long pendingTimeoutMs() {
    return queue.pendingTimeoutMs();
  }

  @Override
  public void expectOn(List<PlannedCopy> asked) {
    queue.expectOn(asked);
  }

  @Override
  public List<WaitingBlock> blocksOf(List<PlannedCopy> asked) {
    return timed("read of copies", asked.size(), false, () -> queue.blocksOf(asked));
  }

  @Override
  public List<CopyOutcome> replace(List<Replacement> replacements, long term) {
    return timed("replace", replacements.size(), true, () -> queue.replace(replacements, term));
  }

  @Override
  public void release(List<? extends Copy> broken, long term) {
    queue.release(broken, term);
  }

  @Override
  public int leaveToStock(List<WaitingBlock> blocks) {
    throw new AssertionError("stock gets nothing: " + blocks.size());
  }

  @Override
  public long longestHoldNanos() {
    return queue.longestHoldNanos();
  }

  @Override
  public String toString() {
    return "blocks " + blocksAsked + ", us " + micros;
  }
}
