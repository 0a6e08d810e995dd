package org.rackweave.sinbad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sinbad.RequestFixture.replicas;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.ClusterFixture;
import org.rackweave.telemetry.LinkLedger;

/**
 * Section 6.2: without hysteresis a burst between two measurements would all follow the one link
 * that was best when it was measured. Ten racks of ten hosts, 10:1, one of them a little freer; 100
 * blocks of 30 MB in 100 ms.
 */
class HysteresisTest {
  private static final int REQUESTS = 100;
  private final SinbadPlacement sinbad = new SinbadPlacement(Spread.TWO_RACK, 32);
  private final ClusterFixture cluster = cluster().oversubscription(10).idleRack("/writers", 10);

  HysteresisTest() {
    for (int rack = 0; rack < 9; rack++) {
      cluster.rack("/r" + rack, 1, 1, 1, 1, 1, 1, 1, 1, 1, rack == 4 ? 0 : 1);
    }
  }

  /** Replicas that entered each rack from outside. */
  private int[] burst(LinkLedger links, boolean committed) {
    Random random = new Random(20130812);
    int[] entered = new int[cluster.topology().rackCount()];
    for (int i = 0; i < REQUESTS; i++) {
      PlacementRequest request = replicas(3, cluster).writer("/writers/" + i % 10).build();
      PlacementDecision decision = sinbad.place(links, request, (node, local) -> null, random);
      entered[cluster.topology().rackOf(decision.nodes()[1])]++;
      if (committed) {
        sinbad.commit(links, request, decision.nodes(), i);
      }
    }
    return entered;
  }

  @Test
  void followsTheOneBestRackWithoutIt() {
    assertEquals(REQUESTS, burst(cluster.ledger(), false)[cluster.rack("/r4")]);
  }

  @Test
  void spreadsABurstOverTheRacksWithIt() {
    int[] entered = burst(cluster.ledger(), true);
    String spread = Arrays.toString(entered);
    for (int rack = 0; rack < 9; rack++) {
      int share = entered[cluster.rack("/r" + rack)];
      // An even share is 11; once every link is promised away, equal ones are drawn by lot.
      assertTrue(share >= 4 && share <= 22, spread);
    }
  }

  @Test
  void sharesOutWhatTheLinksHaveBeforeItPromisesAnythingTwice() {
    LinkLedger links = cluster.ledger();
    Random random = new Random(20130812);
    int[] entered = new int[cluster.topology().rackCount()];
    for (int i = 0; i < 18; i++) {
      PlacementRequest request = replicas(3, cluster).writer("/writers/" + i % 10).build();
      PlacementDecision decision = sinbad.place(links, request, (node, local) -> null, random);
      sinbad.commit(links, request, decision.nodes(), 0);
      entered[cluster.topology().rackOf(decision.nodes()[1])]++;
    }
    for (int rack = 0; rack < 9; rack++) {
      assertEquals(2, entered[cluster.rack("/r" + rack)], Arrays.toString(entered));
    }
  }

  @Test
  void returnsToTheBestRackOnceItIsMeasuredAgain() {
    LinkLedger before = cluster.ledger();
    burst(before, true);
    for (int host = 0; host < 10; host++) {
      cluster.measured("/r4/" + host, 0, 1000);
    }
    LinkLedger after = cluster.ledgerAfter(before);
    PlacementRequest request = replicas(3, cluster).writer("/writers/0").build();
    PlacementDecision decision = sinbad.place(after, request, (node, local) -> null, new Random(1));
    assertEquals(cluster.rack("/r4"), cluster.topology().rackOf(decision.nodes()[1]));
  }
}
