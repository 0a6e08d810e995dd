package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/**
 * Reaches the throttles that a DataNode receives and sends blocks through. They live in a
 * package-private class; the public reconfiguration makes a new throttle each time, which transfers
 * already in flight never see.
 */
public final class LinkThrottles {

  private LinkThrottles() {}

  /** Makes every block write that starts from now on share {@code throttle}. */
  public static void receive(DataNode node, DataTransferThrottler throttle) {
    node.xserver.setWriteThrottler(throttle);
  }

  /** Makes every read and every copy to another DataNode from now on share {@code throttle}. */
  public static void send(DataNode node, DataTransferThrottler throttle) {
    node.xserver.setReadThrottler(throttle);
    node.xserver.setTransferThrottler(throttle);
  }
}
