package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.namenode.PlacementContext;

class PlacementContextTest {
  private final NetworkTopology network = mock(NetworkTopology.class);
  private final PlacementContext context =
      new PlacementContext(
          RackweaveConfig.from(new Configuration(false)), network, () -> 30_000, 0);

  @AfterEach
  void stop() {
    context.close();
  }

  private static DatanodeDescriptor node(int number, String rack) {
    DatanodeDescriptor node =
        new DatanodeDescriptor(
            new DatanodeID("10.0.0." + number, "h" + number, "uuid" + number, 1, 2, 3, 4), rack);
    node.setAlive(true);
    return node;
  }

  /** A rack is replaced; what is known of the old one must not be taken for the new one's. */
  @Test
  void anErrorInTheMiddleOfAScanLeavesNothingHalfDone() {
    List<Node> leaves = new ArrayList<>(List.of(node(0, "/a"), node(1, "/b"), node(2, "/c")));
    when(network.getLeaves("")).thenReturn(leaves);
    context.refresh(0);

    DatanodeDescriptor failing = spy(node(3, "/d"));
    doThrow(new OutOfMemoryError("injected")).doReturn("uuid3").when(failing).getDatanodeUuid();
    leaves.set(0, failing);
    context.topologyChanged();
    assertThrows(OutOfMemoryError.class, () -> context.refresh(1));
    assertRacksAreRight();
    context.refresh(2);
    assertRacksAreRight();
    assertEquals("/d", context.state().datanodes()[2].getNetworkLocation());
  }

  private void assertRacksAreRight() {
    ClusterView state = context.state();
    assertEquals(state.topology().nodeCount(), state.datanodes().length);
    for (int node = 0; node < state.datanodes().length; node++) {
      assertEquals(
          state.datanodes()[node].getNetworkLocation(),
          state.topology().rackPath(state.topology().rackOf(node)));
    }
  }
}
