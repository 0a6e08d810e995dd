package org.apache.hadoop.hdfs.server.datanode.metrics;

import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** HDFS's own counter of what a DataNode has sent to readers. */
public final class SentBytes {
  private SentBytes() {}

  /** Bytes since it started, with their checksums. */
  public static long of(DataNode dataNode) {
    return dataNode.getMetrics().bytesRead.value();
  }
}
