package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/**
 * Reaches the throttle that a DataNode receives block writes through. It lives in a package-private
 * class; the public reconfiguration makes a new throttle each time, which block receives already in
 * flight never see.
 */
public final class ReceiveThrottles {

  private ReceiveThrottles() {}

  /** Makes every block write that starts from now on share {@code throttle}. */
  public static void useForWrites(DataNode node, DataTransferThrottler throttle) {
    node.xserver.setWriteThrottler(throttle);
  }
}
