package org.rackweave.cli.demo.cluster;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.LinkThrottles;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/**
 * The link into one DataNode, modelled by the DataNode's own throttles: writes pass one of them,
 * background block moves (the Balancer's path) the other. The first changes at run time, for writes
 * in flight too.
 */
final class ModelledLink {

  /** HDFS uses 500 ms, in which a whole block of the demo would pass unthrottled. */
  static final int THROTTLE_PERIOD_MS = 100;

  private final DataTransferThrottler writes;
  private final long capacityBytesPerSec;
  private final long hotWriteBytesPerSec;
  private volatile boolean hot;

  ModelledLink(DataNode node, long capacityBytesPerSec, long hotWriteBytesPerSec) {
    this.capacityBytesPerSec = capacityBytesPerSec;
    this.hotWriteBytesPerSec = hotWriteBytesPerSec;
    this.writes = new DataTransferThrottler(THROTTLE_PERIOD_MS, capacityBytesPerSec);
    LinkThrottles.receive(node, writes);
  }

  void setHot(boolean hot) {
    this.hot = hot;
    writes.setBandwidth(hot ? hotWriteBytesPerSec : capacityBytesPerSec);
  }

  boolean isHot() {
    return hot;
  }
}
