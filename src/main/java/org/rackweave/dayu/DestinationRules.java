package org.rackweave.dayu;

/**
 * Which nodes may get a block, whatever they are doing: one replica a node, the spread over racks,
 * storage type and space. O(replicas) when no replica stands in the node's rack, O(replicas^2) at
 * most.
 */
final class DestinationRules {
  private final SlotLoads loads;
  private final RecoverySnapshot snapshot;
  private final RecoveryBatch batch;
  private final int[] rackOf;
  private final int racks;

  DestinationRules(SlotLoads loads) {
    this.loads = loads;
    snapshot = loads.snapshot;
    batch = loads.batch;
    rackOf = loads.rackOf;
    racks = snapshot.acceptingRacks();
  }

  boolean admits(int task, int node) {
    return hasRoom(task, node) && spreads(task, node);
  }

  /** Whether a node accepts replicas and has room for one of the task's type and size. */
  boolean hasRoom(int task, int node) {
    int type = batch.storageType(task);
    return type < loads.freeBytes.length && loads.freeBytes[type][node] >= batch.sizeBytes(task);
  }

  /** Whether a node is none of the task's and its rack may have one more replica. */
  boolean spreads(int task, int node) {
    int rack = rackOf[node];
    boolean shared = false;
    int end = batch.firstNode(task + 1);
    for (int at = batch.firstNode(task); at < end; at++) {
      int other = batch.nodeAt(at);
      if (other == node) {
        return false;
      }
      shared |= rackOf[other] == rack;
    }
    return !shared || mayShare(task, rack);
  }

  /** Whether a rack with replicas of the task may have one more. */
  boolean mayShare(int task, int rack) {
    int inRack = 0;
    int distinct = 0;
    int from = batch.firstNode(task);
    for (int at = from; at < batch.barredFrom(task); at++) {
      if (counts(at)) {
        inRack += rackOf[batch.nodeAt(at)] == rack ? 1 : 0;
        distinct += isFirstOfItsRack(from, at) ? 1 : 0;
      }
    }
    SpreadRule rule = batch.spread(task);
    return inRack == 0 || inRack < rule.rackLimit() && distinct >= Math.min(rule.racksMin(), racks);
  }

  private boolean counts(int at) {
    return !snapshot.isLeaving(batch.nodeAt(at));
  }

  private boolean isFirstOfItsRack(int from, int at) {
    for (int before = from; before < at; before++) {
      if (counts(before) && rackOf[batch.nodeAt(before)] == rackOf[batch.nodeAt(at)]) {
        return false;
      }
    }
    return true;
  }

  /** Racks that may not get the block, as bits; for clusters of at most 32 racks. */
  int forbiddenRacks(int task) {
    int bits = 0;
    for (int at = batch.firstNode(task); at < batch.barredFrom(task); at++) {
      int rack = rackOf[batch.nodeAt(at)];
      if (!mayShare(task, rack)) {
        bits |= 1 << rack;
      }
    }
    return bits;
  }

  /** Whether any node may get the block and has bandwidth. */
  boolean admitSome(int task) {
    for (int node = 0; node < rackOf.length; node++) {
      if (snapshot.inBytesPerSec(node) > 0 && admits(task, node)) {
        return true;
      }
    }
    return false;
  }
}
