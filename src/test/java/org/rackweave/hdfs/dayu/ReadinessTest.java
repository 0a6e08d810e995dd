package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.Mode;

class ReadinessTest {
  private static StockReason whyStock(Mode mode) {
    NameNode nameNode = mock(NameNode.class);
    when(nameNode.isActiveState()).thenReturn(true);
    ReconstructionQueue queue = mock(ReconstructionQueue.class);
    when(queue.isPopulated()).thenReturn(true);
    when(queue.holdingPolicy(false)).thenReturn(new Object());
    RecoveryCluster known =
        new RecoveryCluster(
            ClusterViews.of(
                cluster().idleRack("/a", 3).snapshot(), new DatanodeDescriptor[0], Map.of()),
            mode,
            false,
            false,
            0.5,
            false);
    return new Readiness(
            nameNode, () -> DayuConfig.from(new Configuration(false)), queue, () -> known)
        .whyStock();
  }

  @Test
  void recoversOnlyInModeActive() {
    assertNull(whyStock(Mode.ACTIVE));
    assertEquals(StockReason.SHADOW_MODE, whyStock(Mode.SHADOW));
    assertEquals(StockReason.SWITCHED_OFF, whyStock(Mode.OFF));
  }
}
