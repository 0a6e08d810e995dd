package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Ports for DataNodes that are stopped and started again and have to find theirs free, because the
 * operator's rules tell DataNodes of one machine apart by it. The kernel gives none of these to
 * sockets that ask for any port, so nobody gets one while its DataNode is off.
 */
final class LastingPorts {
  /** Above what services are known by, and below what Linux gives away by itself. */
  private static final int FIRST = 12_000;

  private static final int END = 32_000;

  /** JVMs that test side by side begin at different places. */
  private static int next = new SplittableRandom().nextInt(FIRST, END);

  private LastingPorts() {}

  /** Settings of each DataNode, to be laid over those of its mini-cluster. */
  static Configuration[] of(int dataNodes) {
    Configuration[] overlays = new Configuration[dataNodes];
    for (int i = 0; i < dataNodes; i++) {
      overlays[i] = new Configuration(false);
      overlays[i].set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, "127.0.0.1:" + next());
      overlays[i].set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, "127.0.0.1:" + next());
      overlays[i].set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    }
    return overlays;
  }

  private static synchronized int next() {
    for (int tried = FIRST; tried < END; tried++) {
      int port = next++;
      next = next < END ? next : FIRST;
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port from " + FIRST + " to " + END + " is free");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
