package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class UtilisationCollectorTest {
  private static final double LINK = 100e6;
  private static final long WARM_UP_MS = 600_000;
  private static final CollectorSettings SETTINGS =
      new CollectorSettings(0.2, 15_000, 300_000, WARM_UP_MS, LINK, true);

  private final UtilisationCollector collector = new UtilisationCollector(SETTINGS, 0);
  private final FakeAgent agent = new FakeAgent(1_700_000_000_000L);

  private DropCause send(String node, long nowMs) {
    return collector.accept(node, agent.report(), nowMs, agent.wallMs());
  }

  private double rxAfterTwoIdleReports(String node, long nowMs) {
    send(node, nowMs);
    agent.runs(1000, 0, 0);
    send(node, nowMs + 1000);
    NetworkSettings network = new NetworkSettings(0, 1, 1e12, 1000, 1);
    ClusterTopology one = ClusterTopology.of(List.of(new NodePlace("n", "/r", null)));
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(one, network, nowMs + 1000);
    collector.estimate(node).copyTo(snapshot, 0, nowMs + 1000);
    return snapshot.build().hostRx(0);
  }

  @Test
  void dropsReportsOfNodesItDoesNotKnow() {
    collector.retainOnly(Set.of("a"), 0);
    assertEquals(DropCause.UNKNOWN_NODE, send("b", 0));
    assertNull(collector.estimate("b"), "memory is bounded by the known nodes");
    assertEquals(1, collector.droppedCount(DropCause.UNKNOWN_NODE));
    assertEquals(0, collector.acceptedCount());
  }

  @Test
  void countsWhatItTakesAndWhatItDropsByCause() {
    collector.retainOnly(Set.of("a"), 0);
    assertNull(send("a", 0));
    assertEquals(DropCause.REPLAYED, send("a", 0));
    agent.clockAhead(1_000_000);
    assertEquals(DropCause.FUTURE_DATED, send("a", 0));
    collector.drop(DropCause.TRUNCATED);
    assertEquals(1, collector.acceptedCount());
    assertEquals(1, collector.droppedCount(DropCause.REPLAYED));
    assertEquals(1, collector.droppedCount(DropCause.FUTURE_DATED));
    assertEquals(1, collector.droppedCount(DropCause.TRUNCATED));
    assertEquals(0, collector.droppedCount(DropCause.MALFORMED));
  }

  @Test
  void keepsWhatItKnowsOfNodesThatStayAndForgetsTheRest() {
    collector.retainOnly(Set.of("a", "b"), 0);
    NodeEstimate stays = collector.estimate("a");
    NodeEstimate leaves = collector.estimate("b");
    collector.retainOnly(Set.of("a"), 1);
    assertSame(stays, collector.estimate("a"));
    assertNull(collector.estimate("b"));
    collector.retainOnly(Set.of("a", "b"), 2);
    assertNotNull(collector.estimate("b"));
    assertNotSame(leaves, collector.estimate("b"));
  }

  @Test
  void trustsNodesThatStartWithTheNameNode() {
    collector.retainOnly(Set.of("a"), WARM_UP_MS);
    assertEquals(0, rxAfterTwoIdleReports("a", WARM_UP_MS));
  }

  @Test
  void takesALateComerForFullUntilItProvesOtherwise() {
    collector.retainOnly(Set.of("a"), WARM_UP_MS + 1);
    assertEquals(0.8 * LINK, rxAfterTwoIdleReports("a", WARM_UP_MS + 1), 1);
  }

  @Test
  void takesANodeThatLeftAndCameBackForFull() {
    collector.retainOnly(Set.of("a"), 0);
    rxAfterTwoIdleReports("a", 0);
    collector.retainOnly(Set.of(), WARM_UP_MS);
    collector.retainOnly(Set.of("a"), WARM_UP_MS + 1);
    assertEquals(0.8 * LINK, rxAfterTwoIdleReports("a", WARM_UP_MS + 1), 1);
  }
}
