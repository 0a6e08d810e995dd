package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** Looks at the limit a DataNode puts on reads. */
public final class ReadThrottlers {
  private ReadThrottlers() {}

  /** Bytes per second, or -1 when the DataNode has no read throttler at all. */
  public static long bandwidthOf(DataNode dataNode) {
    DataTransferThrottler throttler = dataNode.getXferServer().getReadThrottler();
    return throttler == null ? -1 : throttler.getBandwidth();
  }
}
