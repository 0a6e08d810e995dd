package org.rackweave.hdfs.datanode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hdfs.server.datanode.TransferTap;

/**
 * The DataNodes of this process that run the plugin. A DataNode may have no UUID yet when its
 * plugins start, so each is asked when it is looked for. Bounded by the DataNodes in the process.
 */
final class StartedDataNodes {
  private static final List<TransferTap> TAPS = new CopyOnWriteArrayList<>();

  private StartedDataNodes() {}

  static void add(TransferTap tap) {
    TAPS.add(tap);
  }

  static void remove(TransferTap tap) {
    TAPS.remove(tap);
  }

  /** The DataNode with a UUID, or null when it has not started the plugin. */
  static TransferTap find(String datanodeUuid) {
    for (TransferTap tap : TAPS) {
      if (datanodeUuid.equals(tap.datanodeUuid())) {
        return tap;
      }
    }
    return null;
  }
}
