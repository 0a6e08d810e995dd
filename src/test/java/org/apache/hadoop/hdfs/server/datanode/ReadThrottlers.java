package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** Looks at the limit a DataNode puts on reads, and sets it. */
public final class ReadThrottlers {
  private ReadThrottlers() {}

  /** Bytes per second, or -1 when the DataNode has no read throttler at all. */
  public static long bandwidthOf(DataNode dataNode) {
    DataTransferThrottler throttler = dataNode.getXferServer().getReadThrottler();
    return throttler == null ? -1 : throttler.getBandwidth();
  }

  /**
   * Makes all reads that begin from now on share a limit. What configuration sets lets half a
   * second's bytes pass at once.
   */
  public static void set(DataNode dataNode, int periodMs, long bytesPerSec) {
    dataNode.getXferServer().setReadThrottler(new DataTransferThrottler(periodMs, bytesPerSec));
  }
}
