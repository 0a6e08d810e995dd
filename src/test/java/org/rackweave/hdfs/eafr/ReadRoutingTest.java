package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ReadQueues;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class ReadRoutingTest {
  private static final int NODES = 6;
  private static final int PER_RACK = 2;

  private final DatanodeDescriptor[] datanodes = new DatanodeDescriptor[NODES];
  private final ClusterView cluster = cluster();
  private static final long NOW = Time.monotonicNow();

  private final ReadQueues queues = new ReadQueues(NODES);
  private final Servers.Builder servers = Servers.of(cluster.topology(), 10);

  private ClusterView cluster() {
    List<NodePlace> places = new ArrayList<>();
    Map<Node, Integer> numbers = new HashMap<>();
    for (int node = 0; node < NODES; node++) {
      String rack = "/r" + node / PER_RACK;
      datanodes[node] = DFSTestUtil.getDatanodeDescriptor("10.0.0." + node, rack);
      numbers.put(datanodes[node], node);
      places.add(new NodePlace(datanodes[node].getXferAddr(), rack, null));
    }
    return ClusterViews.of(ClusterTopology.of(places), datanodes, numbers);
  }

  private DatanodeInfoWithStorage copy(int node) {
    return new DatanodeInfoWithStorage(datanodes[node], "s", StorageType.DISK);
  }

  private DatanodeInfoWithStorage[] copies(int... nodes) {
    DatanodeInfoWithStorage[] copies = new DatanodeInfoWithStorage[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      copies[i] = copy(nodes[i]);
    }
    return copies;
  }

  private void assertOrder(Node reader, int[] replicas, int... expected) {
    DatanodeInfoWithStorage[] nodes = copies(replicas);
    assertTrue(
        ReadRouting.of(cluster, servers.build(), queues).arrange(reader, nodes, nodes.length));
    assertArrayEquals(copies(expected), nodes);
  }

  /** Algorithm 3. */
  @Test
  void readersGoToTheirOwnRackAndThereToTheShortestQueue() {
    queues.reported(0, 7, 0, NOW);
    queues.reported(1, 3, 0, NOW);
    queues.reported(4, 1, 0, NOW);
    assertOrder(new NodeBase("/r0/client"), new int[] {4, 0, 1, 2}, 1, 0, 2, 4);
    assertOrder(datanodes[0], new int[] {4, 1, 0}, 0, 1, 4);
    assertOrder(new NodeBase("/elsewhere/client"), new int[] {0, 1, 4}, 4, 1, 0);
    assertOrder(null, new int[] {0, 1, 4}, 4, 1, 0);
  }

  @Test
  void sleepingServersComeLast() {
    servers.role(1, ServerRole.COLD);
    queues.reported(0, 7, 0, NOW);
    assertOrder(new NodeBase("/r0/client"), new int[] {1, 0, 4}, 0, 4, 1);
  }

  @Test
  void readersSentSinceTheLastReportCount() {
    ReadRouting routing = ReadRouting.of(cluster, servers.build(), queues);
    int[] first = new int[NODES];
    for (int i = 0; i < 30; i++) {
      DatanodeInfoWithStorage[] nodes = copies(0, 2, 4);
      for (int block = 0; block < 10; block++) {
        routing.arrange(null, nodes, nodes.length); // of which the reader reads the first
      }
      routing.sent(nodes[0].getDatanodeUuid());
      first[cluster.numbers().get(nodes[0])]++;
    }
    assertArrayEquals(new int[] {10, 0, 10, 0, 10, 0}, first);
  }

  @Test
  void whatIsBehindTheActiveOnesStaysThere() {
    queues.reported(0, 5, 0, NOW);
    DatanodeInfoWithStorage[] nodes = copies(0, 2, 4);
    DatanodeInfoWithStorage last = nodes[2];
    assertTrue(ReadRouting.of(cluster, servers.build(), queues).arrange(null, nodes, 2));
    assertEquals(copy(2), nodes[0]);
    assertSame(last, nodes[2]);
  }

  @Test
  void leavesReplicasAsTheyAreWhenOneOfThemIsUnknown() {
    DatanodeInfoWithStorage stranger =
        new DatanodeInfoWithStorage(
            DFSTestUtil.getDatanodeDescriptor("10.0.1.1", "/r0"), "s", StorageType.DISK);
    DatanodeInfoWithStorage[] nodes = {copy(4), stranger, copy(0)};
    DatanodeInfoWithStorage[] before = nodes.clone();
    assertFalse(ReadRouting.of(cluster, servers.build(), queues).arrange(null, nodes, 3));
    assertArrayEquals(before, nodes);
  }
}
