package org.rackweave.hdfs.dayu;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;

/** Refuses every call; tests answer those that they expect. */
abstract class RefusingQueue implements ReconstructionQueue {
  private static AssertionError refusal(String call) {
    return new AssertionError("not to be called: " + call);
  }

  @Override
  public int batchSize() {
    throw refusal("batchSize");
  }

  @Override
  public int waitingCount() {
    throw refusal("waitingCount");
  }

  @Override
  public int[] waitingByPriority() {
    throw refusal("waitingByPriority");
  }

  @Override
  public boolean isPopulated() {
    throw refusal("isPopulated");
  }

  @Override
  public boolean isStaleTarget(DatanodeDescriptor node) {
    throw refusal("isStaleTarget");
  }

  @Override
  public Dead noticeDead(int replicasMax) {
    throw refusal("noticeDead");
  }

  @Override
  public Object holdingPolicy(boolean any) {
    throw refusal("holdingPolicy");
  }

  @Override
  public void rewind() {
    throw refusal("rewind");
  }

  @Override
  public Batch next(int max, Map<Long, WaitingBlock> known) {
    throw refusal("next");
  }

  @Override
  public List<WaitingBlock> blocksWithout(long[] ids, Set<DatanodeDescriptor> lost) {
    throw refusal("blocksWithout");
  }

  @Override
  public List<CopyOutcome> schedule(List<PlannedCopy> copies, long term) {
    throw refusal("schedule");
  }

  @Override
  public List<CopyState> states(List<? extends Copy> copies) {
    throw refusal("states");
  }

  @Override
  public int ordersWaiting(DatanodeDescriptor source) {
    throw refusal("ordersWaiting");
  }

  @Override
  public int ordersWaiting() {
    throw refusal("ordersWaiting");
  }

  @Override
  public DatanodeCommandProto nextOrders(DatanodeDescriptor source, int most) {
    throw refusal("nextOrders");
  }

  @Override
  public void handOverOrders() {
    throw refusal("handOverOrders");
  }

  @Override
  public void forgetOrders() {
    throw refusal("forgetOrders");
  }

  @Override
  public long pendingTimeoutMs() {
    throw refusal("pendingTimeoutMs");
  }

  @Override
  public void expectOn(List<PlannedCopy> copies) {
    throw refusal("expectOn");
  }

  @Override
  public List<WaitingBlock> blocksOf(List<PlannedCopy> copies) {
    throw refusal("blocksOf");
  }

  @Override
  public List<CopyOutcome> replace(List<Replacement> replacements, long term) {
    throw refusal("replace");
  }

  @Override
  public void release(List<? extends Copy> broken, long term) {
    throw refusal("release");
  }

  @Override
  public int leaveToStock(List<WaitingBlock> blocks) {
    throw refusal("leaveToStock");
  }

  @Override
  public long longestHoldNanos() {
    throw refusal("longestHoldNanos");
  }
}
