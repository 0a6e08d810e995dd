package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.metrics.LiveCounters;
import org.apache.hadoop.hdfs.util.Canceler;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.rackweave.hdfs.datanode.OwnTraffic;
import org.rackweave.hdfs.datanode.Pace;

/**
 * Bridge: live traffic of one DataNode.
 *
 * <p>HDFS counts bytes read when a read ends, and block copies to other DataNodes not at all. Both
 * tell their throttler about every packet, so this puts a counting throttler in front of the
 * DataNode's own, or of none. What an operator sets at run time takes effect as always; the counter
 * gets in front of it at the next {@link #attach}.
 *
 * <p>Not seen: the sending side of the Balancer's block moves and of erasure-coding reconstruction.
 */
public final class TransferInterceptor implements OwnTraffic {
  /** Named in {@code META-INF/services}. */
  public static final class Access implements OwnTraffic.Access {
    @Override
    public OwnTraffic of(DataNode dataNode) {
      return new TransferInterceptor(dataNode);
    }
  }

  private final DataNode dataNode;
  private final LiveCounters counters;
  private final LongAdder bytesSent = new LongAdder();

  /**
   * @param dataNode a started DataNode
   */
  TransferInterceptor(DataNode dataNode) {
    this.dataNode = dataNode;
    this.counters = new LiveCounters(dataNode.getMetrics());
    attach();
  }

  @Override
  public DataNode dataNode() {
    return dataNode;
  }

  @Override
  public String datanodeUuid() {
    return dataNode.getDatanodeUuid();
  }

  @Override
  public int namespaces() {
    return dataNode.getAllBpOs().size();
  }

  @Override
  public long bytesWritten() {
    return counters.bytesWritten();
  }

  @Override
  public long bytesSent() {
    return bytesSent.sum();
  }

  @Override
  public long packetsReceived() {
    return counters.packetsReceived();
  }

  @Override
  public long downstreamAcks() {
    return counters.downstreamAcksThisInterval();
  }

  @Override
  public int readers() {
    return Math.max(0, counters.readXceivers() + dataNode.getXmitsInProgress());
  }

  @Override
  public int writers() {
    return Math.max(0, counters.writeXceivers());
  }

  @Override
  public void attach() {
    DataXceiverServer server = dataNode.getXferServer();
    if (!isMine(server.getReadThrottler())) {
      server.setReadThrottler(new CountingThrottler(server.getReadThrottler(), bytesSent));
    }
    if (!isMine(server.getTransferThrottler())
        && !(server.getTransferThrottler() instanceof PacedThrottler)) {
      server.setTransferThrottler(new CountingThrottler(server.getTransferThrottler(), bytesSent));
    }
  }

  @Override
  public void detach() {
    DataXceiverServer server = dataNode.getXferServer();
    if (isMine(server.getReadThrottler())) {
      server.setReadThrottler(((CountingThrottler) server.getReadThrottler()).limit);
    }
    if (isMine(server.getTransferThrottler())) {
      server.setTransferThrottler(((CountingThrottler) server.getTransferThrottler()).limit);
    }
  }

  @Override
  public synchronized void transfer(
      ExtendedBlock block, DatanodeInfo[] targets, StorageType[] types, String[] ids, Pace pace)
      throws IOException {
    // A transfer keeps the throttler that is there when it is made.
    DataXceiverServer server = dataNode.getXferServer();
    DataTransferThrottler usual = server.getTransferThrottler();
    DataTransferThrottler paced = new PacedThrottler(usual, pace);
    server.setTransferThrottler(paced);
    try {
      dataNode.transferBlock(block, targets, types, ids);
    } finally {
      if (server.getTransferThrottler() == paced) {
        server.setTransferThrottler(usual); // unless an operator has set another meanwhile
      }
    }
  }

  /**
   * As HDFS's own tests do. The monitor is held by others, too, only to note blocks and to wait,
   * and nothing else is locked under it.
   */
  @Override
  public boolean heartbeatNow() {
    boolean isAnyAsked = false;
    for (BPOfferService service : dataNode.getAllBpOs()) {
      for (BPServiceActor actor : service.getBPServiceActors()) {
        isAnyAsked |= heartbeatNow(actor.getScheduler(), actor.getIbrManager());
      }
    }
    return isAnyAsked;
  }

  private static boolean heartbeatNow(
      BPServiceActor.Scheduler scheduler, IncrementalBlockReportManager whereTheActorWaits) {
    if (scheduler.getHeartbeatWaitTime() <= DUE_ANYWAY_MS) {
      return false;
    }
    synchronized (whereTheActorWaits) {
      scheduler.scheduleHeartbeat();
      whereTheActorWaits.notifyAll();
    }
    return true;
  }

  private boolean isMine(DataTransferThrottler throttler) {
    return throttler instanceof CountingThrottler counting && counting.bytes == bytesSent;
  }

  /** Counts without a lock; only a limit the operator set makes transfers wait for each other. */
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  private static final class CountingThrottler extends DataTransferThrottler {
    private final DataTransferThrottler limit;
    private final LongAdder bytes;

    CountingThrottler(DataTransferThrottler limit, LongAdder bytes) {
      super(Integer.MAX_VALUE);
      this.limit = limit;
      this.bytes = bytes;
    }

    @Override
    public void throttle(long numOfBytes) {
      throttle(numOfBytes, null);
    }

    @Override
    public void throttle(long numOfBytes, Canceler canceler) {
      if (numOfBytes > 0) {
        bytes.add(numOfBytes);
      }
      if (limit != null) {
        limit.throttle(numOfBytes, canceler);
      }
    }

    @Override
    public long getBandwidth() {
      return limit == null ? Long.MAX_VALUE : limit.getBandwidth();
    }

    @Override
    public void setBandwidth(long bytesPerSecond) {
      if (limit != null) {
        limit.setBandwidth(bytesPerSecond);
      }
    }
  }
}
