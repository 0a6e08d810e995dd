package org.rackweave.hdfs.eafr;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.TransferSpeeds;
import org.rackweave.hdfs.ClusterView;

/**
 * How fast replicas get to each DataNode: the time from the order to copy a block, which goes to
 * its source with a heartbeat's answer, until the destination says that it has it. What HDFS orders
 * is measured, for any reason.
 *
 * <p>Soft state. Copies under way are kept up to {@value #UNDER_WAY_MAX} and for ten minutes, some
 * 100 bytes each; of more there is no measurement. Thread-safe; a heartbeat without an order and a
 * report without a block costs no lock.
 */
public final class TransferTimes {
  private static final int UNDER_WAY_MAX = 20_000;
  private static final long LONGEST_NANOS = 600_000_000_000L;
  private static final long WINDOW_MS = 10_000;

  private record Copy(long blockId, int server) {}

  private record Begun(long nanos, long bytes) {}

  /** Oldest first. */
  private final Map<Copy, Begun> underWay = new LinkedHashMap<>();

  private final DoubleSupplier alpha;
  private final TransferSpeeds speeds;
  private Map<Integer, Integer> numbers = Map.of();
  private DatanodeDescriptor[] datanodes = {};
  private volatile boolean isIdle = true;
  private long windowBeganMs;

  /**
   * @param alpha weight of the last window's speed
   */
  TransferTimes(DoubleSupplier alpha) {
    this.alpha = alpha;
    speeds = new TransferSpeeds(0, alpha.getAsDouble());
  }

  /** What HDFS answers to a heartbeat. */
  public void answered(HeartbeatResponseProto response) {
    for (int i = 0; i < response.getCmdsCount(); i++) {
      DatanodeCommandProto command = response.getCmds(i);
      if (command.hasBlkCmd()
          && command.getBlkCmd().getAction() == BlockCommandProto.Action.TRANSFER) {
        ordered(command.getBlkCmd(), System.nanoTime());
      }
    }
  }

  private synchronized void ordered(BlockCommandProto order, long nowNanos) {
    expire(nowNanos);
    for (int i = 0; i < Math.min(order.getBlocksCount(), order.getTargetsCount()); i++) {
      BlockProto block = order.getBlocks(i);
      for (DatanodeInfoProto target : order.getTargets(i).getDatanodesList()) {
        if (underWay.size() < UNDER_WAY_MAX) {
          Copy copy =
              new Copy(block.getBlockId(), ServerKey.of(target.getId().getDatanodeUuidBytes()));
          underWay.put(copy, new Begun(nowNanos, block.getNumBytes()));
        }
      }
    }
    isIdle = underWay.isEmpty();
  }

  private void expire(long nowNanos) {
    Iterator<Begun> oldest = underWay.values().iterator();
    while (oldest.hasNext() && nowNanos - oldest.next().nanos() > LONGEST_NANOS) {
      oldest.remove();
    }
  }

  /** A DataNode has received or deleted blocks. */
  public void received(BlockReceivedAndDeletedRequestProto report) {
    if (isIdle) {
      return;
    }
    long nowNanos = System.nanoTime();
    int server = ServerKey.of(report.getRegistration().getDatanodeID().getDatanodeUuidBytes());
    for (StorageReceivedDeletedBlocksProto storage : report.getBlocksList()) {
      for (ReceivedDeletedBlockInfoProto block : storage.getBlocksList()) {
        if (block.getStatus() == BlockStatus.RECEIVED) {
          received(new Copy(block.getBlock().getBlockId(), server), nowNanos);
        }
      }
    }
  }

  private synchronized void received(Copy copy, long nowNanos) {
    Begun begun = underWay.remove(copy);
    Integer node = numbers.get(copy.server());
    if (begun != null && node != null) {
      speeds.completed(node, begun.bytes(), nowNanos - begun.nanos());
    }
    isIdle = underWay.isEmpty();
  }

  /** Follows the cluster, and ends windows of time. */
  synchronized void look(ClusterView cluster, long nowMs) {
    if (cluster.datanodes() != datanodes) {
      renumber(cluster.datanodes());
    }
    if (nowMs - windowBeganMs >= WINDOW_MS) {
      windowBeganMs = nowMs;
      speeds.weigh(alpha.getAsDouble());
      speeds.endWindow();
    }
  }

  private void renumber(DatanodeDescriptor[] next) {
    Map<DatanodeDescriptor, Integer> before = new IdentityHashMap<>();
    for (int node = 0; node < datanodes.length; node++) {
      before.put(datanodes[node], node);
    }
    int[] oldNumbers = new int[next.length];
    Map<Integer, Integer> byServer = new HashMap<>();
    for (int node = 0; node < next.length; node++) {
      oldNumbers[node] = before.getOrDefault(next[node], -1);
      byServer.put(ServerKey.of(next[node].getDatanodeUuid()), node);
    }
    speeds.renumber(oldNumbers);
    numbers = byServer;
    datanodes = next;
  }

  /** Expected speed to each DataNode. */
  double[] bytesPerSec() {
    return speeds.expected();
  }

  /** Copies that are being timed. */
  synchronized int underWay() {
    return underWay.size();
  }
}
