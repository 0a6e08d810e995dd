package org.rackweave.hdfs.datanode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The DataNodes of this process that run the plugin. A DataNode may have no UUID yet when its
 * plugins start, so each is asked when it is looked for. Bounded by the DataNodes in the process.
 */
final class StartedDataNodes {
  private static final List<OwnTraffic> RUNNING = new CopyOnWriteArrayList<>();

  private StartedDataNodes() {}

  static void add(OwnTraffic dataNode) {
    RUNNING.add(dataNode);
  }

  static void remove(OwnTraffic dataNode) {
    RUNNING.remove(dataNode);
  }

  /** The DataNode with a UUID, or null when it has not started the plugin. */
  static OwnTraffic find(String datanodeUuid) {
    for (OwnTraffic dataNode : RUNNING) {
      if (datanodeUuid.equals(dataNode.datanodeUuid())) {
        return dataNode;
      }
    }
    return null;
  }
}
