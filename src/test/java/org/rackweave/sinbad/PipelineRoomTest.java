package org.rackweave.sinbad;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sinbad.RequestFixture.replicas;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.telemetry.ClusterFixture;
import org.rackweave.telemetry.LinkLedger;

/**
 * A block is written as fast as the narrowest hop of its whole pipeline lets it, where agents tell
 * blocks from other traffic.
 */
class PipelineRoomTest {
  private final SinbadPlacement sinbad = new SinbadPlacement(Spread.TWO_RACK, 32);
  private final Random random = new Random(20251125);

  private int[] place(ClusterFixture cluster, PlacementRequest request) {
    return sinbad.place(cluster.ledger(), request, (node, local) -> null, random).nodes();
  }

  @Test
  void aHostWhoseReadersFillItsLinkReceivesLast() {
    ClusterFixture cluster =
        cluster().blocksApart().idleRack("/a", 2).rack("/b", 0, 40).load("/b/0", 0, 90);
    int[] chosen = place(cluster, replicas(3, cluster).writer("/a/0").build());
    assertArrayEquals(cluster.nodes("/a/0", "/b/1", "/b/0"), chosen);
  }

  @Test
  void theOnlyOneBehindTheWriterMayBeOneWhoseReadersFillItsLink() {
    ClusterFixture cluster =
        cluster().blocksApart().idleRack("/a", 2).rack("/b", 0, 40).load("/b/0", 0, 90);
    int[] chosen = place(cluster, replicas(2, cluster).writer("/a/0").build());
    assertArrayEquals(cluster.nodes("/a/0", "/b/0"), chosen);
  }

  @Test
  void aRackIsAsGoodAsItsBestPairToPassOnAndToReceive() {
    ClusterFixture cluster =
        cluster()
            .blocksApart()
            .idleRack("/a", 2)
            .rack("/b", 0, 0)
            .load("/b/0", 0, 90)
            .load("/b/1", 0, 90)
            .rack("/c", 30, 30);
    int[] chosen = place(cluster, replicas(3, cluster).writer("/a/0").build());
    assertEquals(cluster.rack("/c"), cluster.topology().rackOf(chosen[1]));
    assertEquals(cluster.rack("/c"), cluster.topology().rackOf(chosen[2]));
  }

  /** The first replica of a client outside leaves its rack again for the second. */
  @Test
  void aRackWithAFullWayOutIsNoFirstOne() {
    ClusterFixture cluster =
        cluster()
            .blocksApart()
            .rack("/a", 60, 60)
            .rack("/b", 0, 0, 0, 0)
            .load("/b/0", 0, 95)
            .load("/b/1", 0, 95)
            .load("/b/2", 0, 95)
            .load("/b/3", 0, 30)
            .rackLinks(100)
            .rack("/c", 30, 20);
    int[] chosen = place(cluster, replicas(3, cluster).build());
    int[] racks = Arrays.stream(chosen).map(cluster.topology()::rackOf).toArray();
    assertEquals(cluster.rack("/c"), racks[0]);
    assertEquals(cluster.rack("/b"), racks[1], "where it ends it is the best");
  }

  @Test
  void thePapersWayLooksAtWhatIsReceivedAlone() {
    ClusterFixture cluster =
        cluster().idleRack("/a", 2).rack("/b", 0, 0).load("/b/0", 0, 90).load("/b/1", 0, 90);
    cluster.rack("/c", 30, 30);
    int[] chosen = place(cluster, replicas(3, cluster).writer("/a/0").build());
    assertEquals(cluster.rack("/b"), cluster.topology().rackOf(chosen[1]));
  }

  /** Racks with 100, 90, ... 10 MB/s of room; a full way out gives an eighth at most. */
  private static ClusterFixture tenRacks(double writersOthersMb) {
    ClusterFixture cluster = cluster().blocksApart().idleRack("/w", 1);
    cluster.load("/w/0", 0, writersOthersMb);
    for (int rack = 0; rack < 10; rack++) {
      cluster.rack("/r" + rack, 10 * rack, 10 * rack);
    }
    return cluster;
  }

  private int[] entered(ClusterFixture cluster, int blocks) {
    int[] entered = new int[10];
    LinkLedger links = cluster.ledger();
    PlacementRequest request = replicas(3, cluster).writer("/w/0").build();
    for (int i = 0; i < blocks; i++) {
      int[] chosen = sinbad.place(links, request, (node, local) -> null, random).nodes();
      for (int rack = 0; rack < 10; rack++) {
        entered[rack] += cluster.topology().rackOf(chosen[1]) == cluster.rack("/r" + rack) ? 1 : 0;
      }
    }
    return entered;
  }

  @Test
  void aWriterWithANarrowWayOutLeavesTheBestRacksToOthers() {
    int[] entered = entered(tenRacks(100), 1000);
    String spread = Arrays.toString(entered);
    for (int rack = 0; rack < 7; rack++) {
      assertTrue(entered[rack] > 0, spread);
    }
    assertTrue(entered[0] < 400, spread);
    assertEquals(0, entered[8] + entered[9], spread + ": less than twice the writer's way out");
  }

  /** A rack that was good enough and admitted nobody is not asked once more. */
  @Test
  void aRackThatRefusesCostsItsLooksOnce() {
    ClusterFixture cluster = cluster().blocksApart().rack("/w", 0).load("/w/0", 0, 100);
    cluster.idleRack("/full", 16).rack("/b", 50, 50);
    int refusing = cluster.rack("/full");
    for (int i = 0; i < 100; i++) {
      assertTrue(
          sinbad
              .place(
                  cluster.ledger(),
                  replicas(3, cluster).writer("/w/0").build(),
                  (node, local) ->
                      cluster.topology().rackOf(node) == refusing ? Refusal.NOT_GOOD_TARGET : null,
                  random)
              .stands());
    }
  }

  /** Between two snapshots, too: what is ordered into a rack is taken to go on. */
  @Test
  void firstReplicasOfClientsOutsideSpreadOverTheWaysOut() {
    ClusterFixture cluster = cluster().blocksApart().rackLinks(100);
    for (int rack = 0; rack < 10; rack++) {
      cluster.rack("/r" + rack, 20, 20).load("/r" + rack + "/0", 20, rack == 3 ? 40 : 45);
    }
    LinkLedger links = cluster.ledger();
    PlacementRequest request = replicas(3, cluster).build();
    int[] first = new int[10];
    for (int i = 0; i < 100; i++) {
      int[] chosen = sinbad.place(links, request, (node, local) -> null, random).nodes();
      sinbad.commit(links, request, chosen, 0);
      first[cluster.topology().rackOf(chosen[0])]++;
    }
    assertTrue(Arrays.stream(first).max().orElseThrow() <= 20, Arrays.toString(first));
  }

  @Test
  void aWriterWithAWideWayOutGetsTheBestRack() {
    int[] entered = entered(tenRacks(0), 100);
    assertEquals(100, entered[0], Arrays.toString(entered));
  }
}
