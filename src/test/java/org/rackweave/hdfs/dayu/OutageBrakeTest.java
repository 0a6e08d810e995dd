package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.dayu.Brake;
import org.rackweave.dayu.Brake.Cause;
import org.rackweave.dayu.Brake.Judgement;

/** Four racks of three DataNodes each. */
class OutageBrakeTest {
  private static final long HEARTBEAT_MS = 3_000;
  private static final long EXPIRY_MS = 630_000;
  private static final long WINDOW_MS = 60_000;
  private static final long GRACE_MS = 900_000;
  private static final long T0 = 10_000_000;

  private final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private int looks;
  private final OutageBrake brake =
      new OutageBrake(
          () -> new Brake(1, WINDOW_MS / 1000.0, GRACE_MS / 1000.0),
          () -> {
            looks++;
            return List.copyOf(nodes);
          },
          () -> (int) nodes.stream().filter(DatanodeDescriptor::isAlive).count(),
          HEARTBEAT_MS,
          EXPIRY_MS);

  @BeforeEach
  void bringUp() {
    for (int i = 0; i < 12; i++) {
      nodes.add(DFSTestUtil.getDatanodeDescriptor("10.0.0." + (i + 1), "/r" + i / 3));
    }
    nodes.forEach(node -> node.setAlive(true));
    hearAll(T0);
  }

  /** Hears of all but those that are dead. */
  private void hearAll(long nowMs) {
    for (DatanodeDescriptor node : nodes) {
      if (node.isAlive()) {
        node.setLastUpdateMonotonic(nowMs);
      }
    }
  }

  /** Has a rack be dead, and the others speak at that time. */
  private void lose(int rack, long nowMs) {
    hearAll(nowMs);
    for (DatanodeDescriptor node : nodes.subList(3 * rack, 3 * rack + 3)) {
      node.setLastUpdateMonotonic(nowMs - EXPIRY_MS);
      node.setAlive(false);
    }
  }

  private void comesBack(int rack, long nowMs) {
    nodes.subList(3 * rack, 3 * rack + 3).forEach(node -> node.setAlive(true));
    hearAll(nowMs);
  }

  private void assertWaits(int rack, Judgement judgement) {
    assertEquals(Cause.RACK, judgement.cause());
    assertFalse(judgement.mayRecover());
    assertTrue(
        brake.describe().startsWith("rack /r" + rack + " was lost at once"), brake.describe());
  }

  /** As HDFS lists hosts of the include file; a NameNode's clock may begin with its machine. */
  @Test
  void hostsThatNeverRegisteredAreNotMissed() {
    long nowMs = EXPIRY_MS + GRACE_MS / 2;
    hearAll(nowMs);
    for (int i = 0; i < 6; i++) {
      nodes.add(new DatanodeDescriptor(new DatanodeID("10.0.1." + i, "h" + i, "", 1, 2, 3, 4)));
    }
    assertTrue(brake.judge(nowMs).mayRecover(), brake::describe);
    assertTrue(brake.vanished().isEmpty());
  }

  @Test
  void theOperatorsGoEndsTheWaitAndSaysSo() {
    lose(1, T0);
    assertWaits(1, brake.judge(T0));
    assertFalse(brake.isOverridden());

    brake.override(true, T0 + 1000);
    assertTrue(brake.isOverridden(), "at once");
    assertTrue(brake.judge(T0 + 1500).mayRecover());
    assertEquals("3 DataNodes were lost at once, the operator said go", brake.describe());
  }

  @Test
  void waitTakesTheGoBack() {
    lose(1, T0);
    brake.override(true, T0 + 1000);
    assertTrue(brake.judge(T0 + 1500).mayRecover());

    brake.override(false, T0 + 2000);
    assertFalse(brake.isOverridden());
    assertWaits(1, brake.judge(T0 + 2000 + HEARTBEAT_MS));
    assertEquals((GRACE_MS - 2000 - HEARTBEAT_MS) / 1000.0, brake.last().waitSec());
  }

  @Test
  void aGoSaidWhileNothingIsLostIsForNothing() {
    brake.override(true, T0);
    assertFalse(brake.isOverridden());
    lose(1, T0 + 1000);
    assertWaits(1, brake.judge(T0 + 1000));
  }

  @Test
  void aGoSaidForAFailureLikeAnyOtherIsForNothing() {
    lose(1, T0);
    nodes.get(5).setAlive(true);
    nodes.get(5).setLastUpdateMonotonic(T0);
    brake.override(true, T0);
    assertFalse(brake.isOverridden());
    lose(2, T0 + 1000);
    assertWaits(2, brake.judge(T0 + 1000));
  }

  @Test
  void anotherOutageWaitsWhileTheFirstStillLasts() {
    lose(1, T0);
    brake.override(true, T0 + 1000);

    long laterMs = T0 + GRACE_MS / 2;
    lose(2, laterMs);
    assertWaits(2, brake.judge(laterMs));
    comesBack(2, laterMs + 1000);
    assertEquals(Cause.OVERRIDDEN, brake.judge(laterMs + 1000).cause(), "the first was let go");

    lose(3, laterMs + 2000);
    assertWaits(3, brake.judge(laterMs + 2000));
    brake.override(true, laterMs + 3000);
    assertTrue(brake.judge(laterMs + 3500).mayRecover());
  }

  @Test
  void aGoIsAlsoForThoseOfTheOutageThatAreTakenForDeadLater() {
    lose(1, T0);
    brake.override(true, T0);
    // They fell silent half a minute after the others.
    lose(2, T0 + WINDOW_MS / 2);
    assertEquals(Cause.OVERRIDDEN, brake.judge(T0 + WINDOW_MS / 2).cause());
  }

  @Test
  void aGoIsForgottenWhenItsOutageIsOverThoughNobodyAsksMeanwhile() {
    lose(1, T0);
    brake.override(true, T0);
    comesBack(1, T0 + 10_000);
    brake.settle(T0 + 10_000);
    assertFalse(brake.isOverridden());
    assertEquals("nothing unusual is lost", brake.describe());
    lose(1, T0 + 20_000);
    assertWaits(1, brake.judge(T0 + 20_000));
  }

  @Test
  void aGoIsForgottenWhenTheGraceIsOver() {
    lose(1, T0);
    brake.override(true, T0);
    hearAll(T0 + GRACE_MS - 1);
    brake.settle(T0 + GRACE_MS - 1);
    assertTrue(brake.isOverridden());
    hearAll(T0 + GRACE_MS + HEARTBEAT_MS);
    brake.settle(T0 + GRACE_MS + HEARTBEAT_MS);
    assertFalse(brake.isOverridden());
  }

  @Test
  void looksOnceAHeartbeatAndWhenSomebodyDies() {
    for (long nowMs = T0; nowMs < T0 + HEARTBEAT_MS; nowMs += 500) {
      assertTrue(brake.judge(nowMs).mayRecover());
    }
    assertEquals(1, looks);
    brake.judge(T0 + HEARTBEAT_MS);
    assertEquals(2, looks);
    lose(1, T0 + HEARTBEAT_MS + 500);
    assertWaits(1, brake.judge(T0 + HEARTBEAT_MS + 500));
    assertEquals(3, looks);
    brake.override(true, T0 + HEARTBEAT_MS + 600);
    assertTrue(brake.judge(T0 + HEARTBEAT_MS + 700).mayRecover(), "at the operator's word at once");
  }

  @Test
  void aGoIsForgottenWhenItIsAnothersTurn() {
    lose(1, T0);
    brake.override(true, T0);
    brake.forget();
    assertFalse(brake.isOverridden());
    assertWaits(1, brake.judge(T0 + 1000));
  }

  @Test
  void thoseThatWillBeTakenForDeadNextCountWithTheFirst() {
    hearAll(T0);
    nodes.get(5).setLastUpdateMonotonic(T0 - EXPIRY_MS);
    nodes.get(5).setAlive(false);
    for (DatanodeDescriptor silent : nodes.subList(3, 5)) {
      silent.setLastUpdateMonotonic(T0 - EXPIRY_MS + WINDOW_MS / 2);
    }
    assertWaits(1, brake.judge(T0));
  }

  @Test
  void drainedDataNodesAreNotMissed() {
    lose(1, T0);
    nodes.get(5).startDecommission();
    nodes.get(5).setDecommissioned();
    assertTrue(brake.judge(T0).mayRecover());
  }
}
