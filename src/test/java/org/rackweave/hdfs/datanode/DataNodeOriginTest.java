package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.datanode.DNConf;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;

class DataNodeOriginTest {
  private static final int HDFS_MS = 60_000;
  private static final int CONNECT_MS = 200;
  private static final Duration LONG = Duration.ofMillis(HDFS_MS / 2);

  /** As a machine does that has lost its power: it does not even refuse. */
  @Test
  void waitsNoLongerThanItWasToldForOneThatDoesNotAnswer() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket accepts = new ServerSocket(0, 1, here)) {
      fillQueue(accepts.getLocalSocketAddress(), waiting);
      DNConf conf = mock(DNConf.class);
      when(conf.getSocketTimeout()).thenReturn(HDFS_MS);
      DataNode dataNode = mock(DataNode.class);
      when(dataNode.getDnConf()).thenReturn(conf);
      when(dataNode.newSocket()).thenAnswer(any -> new Socket());
      DatanodeInfo other =
          new DatanodeInfoBuilder()
              .setNodeID(
                  new DatanodeID(
                      here.getHostAddress(), "other", "uuid", accepts.getLocalPort(), 0, 0, 0))
              .build();
      DataNodeOrigin origin = new DataNodeOrigin(dataNode, CONNECT_MS);
      assertTimeoutPreemptively(
          LONG,
          () ->
              assertThrows(SocketTimeoutException.class, () -> origin.connect(null, null, other)));
    } finally {
      for (Socket one : waiting) {
        one.close();
      }
    }
  }

  /** Connects until the kernel takes no more, since nobody accepts. */
  private static void fillQueue(SocketAddress address, List<Socket> waiting) throws IOException {
    while (true) {
      Socket one = new Socket();
      waiting.add(one);
      try {
        one.connect((InetSocketAddress) address, CONNECT_MS);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
  }
}
