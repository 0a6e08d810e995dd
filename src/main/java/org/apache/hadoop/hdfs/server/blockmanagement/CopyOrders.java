package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor.BlockTargetPair;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;

/**
 * Bridge: orders to copy blocks that their sources have not been given yet, the most urgent first.
 * They are kept apart from HDFS's own queue of a DataNode: what waits there makes it too busy for
 * other repairs, and leaves in the order in which it came, at {@code
 * dfs.namenode.replication.max-streams} at a time.
 *
 * <p>Thread-safe. Soft state: as many as there are copies under way, at most.
 */
final class CopyOrders {
  private final SourceQueue queue;
  private final Map<DatanodeDescriptor, List<Order>> waiting = new HashMap<>();

  CopyOrders(SourceQueue queue) {
    this.queue = queue;
  }

  private record Order(BlockTargetPair pair, int priority) {
    boolean isOf(long blockId, DatanodeDescriptor target) {
      return pair.block.getBlockId() == blockId
          && pair.targets[0].getDatanodeDescriptor() == target;
    }
  }

  /**
   * Takes an order out of HDFS's queue and keeps it. To be called under the namesystem's write
   * lock: no heartbeat is answered meanwhile.
   */
  synchronized void keep(
      DatanodeDescriptor source, long blockId, DatanodeDescriptor target, int priority) {
    queue.offer(
        source,
        pair -> {
          Order order = new Order(pair, priority);
          boolean isIt = order.isOf(blockId, target);
          if (isIt) {
            insert(source, order);
          }
          return isIt;
        });
  }

  private void insert(DatanodeDescriptor source, Order order) {
    List<Order> orders = waiting.computeIfAbsent(source, unknown -> new ArrayList<>());
    int at = orders.size();
    while (at > 0 && orders.get(at - 1).priority() > order.priority()) {
      at--;
    }
    orders.add(at, order);
  }

  /** Forgets an order that its source has not been given. */
  synchronized void takeBack(DatanodeDescriptor source, long blockId, DatanodeDescriptor target) {
    List<Order> orders = waiting.get(source);
    if (orders != null
        && orders.removeIf(order -> order.isOf(blockId, target))
        && orders.isEmpty()) {
      waiting.remove(source);
    }
  }

  /** How many a source has not been given yet. */
  synchronized int waiting(DatanodeDescriptor source) {
    List<Order> orders = waiting.get(source);
    return orders == null ? 0 : orders.size();
  }

  /** The same of all sources. */
  synchronized int waiting() {
    return waiting.values().stream().mapToInt(List::size).sum();
  }

  /** The next orders of a source, whose blocks have not been deleted. */
  synchronized List<BlockTargetPair> next(DatanodeDescriptor source, int most) {
    List<BlockTargetPair> next = new ArrayList<>();
    List<Order> orders = waiting.getOrDefault(source, List.of());
    for (Iterator<Order> its = orders.iterator(); its.hasNext() && next.size() < most; ) {
      BlockTargetPair pair = its.next().pair();
      its.remove();
      Block block = pair.block;
      if (block.getNumBytes() == BlockCommand.NO_ACK) {
        DatanodeStorageInfo.decrementBlocksScheduled(pair.targets);
      } else {
        next.add(pair);
      }
    }
    if (orders.isEmpty()) {
      waiting.remove(source);
    }
    return next;
  }

  /** Gives them all to HDFS, which lets them go at its own pace. */
  synchronized void handOver() {
    waiting.forEach((source, orders) -> orders.forEach(order -> queue.add(source, order.pair())));
    waiting.clear();
  }

  /** Forgets them, as HDFS does with its own when a NameNode becomes a standby. */
  synchronized void forget() {
    waiting.clear();
  }
}
