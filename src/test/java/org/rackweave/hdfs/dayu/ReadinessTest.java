package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.Mode;

class ReadinessTest {
  private final NameNode nameNode = mock(NameNode.class);
  private final ReconstructionQueue queue = mock(ReconstructionQueue.class);
  private Mode mode = Mode.ACTIVE;
  private final Readiness readiness =
      new Readiness(
          nameNode,
          () -> DayuConfig.from(new Configuration(false)),
          queue,
          () ->
              new RecoveryCluster(
                  ClusterViews.of(
                      cluster().idleRack("/a", 3).snapshot(), new DatanodeDescriptor[0], Map.of()),
                  mode,
                  false,
                  false,
                  0.5,
                  false));

  @BeforeEach
  void isReady() {
    when(nameNode.isActiveState()).thenReturn(true);
    when(queue.isPopulated()).thenReturn(true);
    when(queue.holdingPolicy(false)).thenReturn(new Object());
  }

  private StockReason whyStock(Mode now) {
    mode = now;
    return readiness.whyStock();
  }

  @Test
  void recoversOnlyInModeActive() {
    assertNull(whyStock(Mode.ACTIVE));
    assertEquals(StockReason.SHADOW_MODE, whyStock(Mode.SHADOW));
    assertEquals(StockReason.SWITCHED_OFF, whyStock(Mode.OFF));
  }

  /** Who never wanted recovery is not told that his policy has none. */
  @Test
  void thePolicyIsAskedForOnlyInModeActive() {
    when(queue.holdingPolicy(false)).thenReturn(null);
    assertEquals(StockReason.SHADOW_MODE, whyStock(Mode.SHADOW));
    assertEquals(StockReason.SWITCHED_OFF, whyStock(Mode.OFF));
    assertEquals(StockReason.OTHER_POLICY, whyStock(Mode.ACTIVE));
  }

  /** A standby notices dead DataNodes early only where it would have to recover what they had. */
  @Test
  void aStandbyTakesOverOnlyWhatWouldBeItsTurn() {
    when(nameNode.isActiveState()).thenReturn(false);
    assertTrue(readiness.mayTakeOver());
    mode = Mode.SHADOW;
    assertFalse(readiness.mayTakeOver());
    mode = Mode.ACTIVE;
    when(queue.holdingPolicy(false)).thenReturn(null);
    assertFalse(readiness.mayTakeOver());
  }
}
