package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.telemetry.ClusterFixture.MB;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;

class LinkSnapshotTest {

  /** Section 6.2: inner links sum up the hosts below them. */
  @Test
  void sumsTheHostsOfARack() {
    ClusterFixture cluster =
        cluster().rack("/a", 10, 20).load("/a/1", 20, 5).rack("/b", 1).rack("/a", 30);
    LinkSnapshot snapshot = cluster.snapshot();
    int a = cluster.rack("/a");
    assertEquals(300 * MB, snapshot.rackCapacity(a));
    assertEquals(60 * MB, snapshot.rackRx(a));
    assertEquals(5 * MB, snapshot.rackTx(a));
    assertEquals(1 * MB, snapshot.rackRx(cluster.rack("/b")));
  }

  @Test
  void dividesTheRackLinkByTheOversubscription() {
    ClusterFixture cluster = cluster().oversubscription(4).rack("/a", 10, 20).rack("/b", 90, 90);
    LinkSnapshot snapshot = cluster.snapshot();
    assertEquals(50 * MB, snapshot.rackCapacity(cluster.rack("/a")));
    assertEquals(30 * MB, snapshot.rackRx(cluster.rack("/a")));
    assertEquals(
        50 * MB,
        snapshot.rackRx(cluster.rack("/b")),
        "traffic inside the rack cannot load its link beyond the capacity");
  }

  @Test
  void takesTheDeclaredRackCapacityOverTheSum() {
    ClusterFixture cluster = cluster().rackLinks(70).oversubscription(10).rack("/a", 10, 20);
    assertEquals(70 * MB, cluster.snapshot().rackCapacity(cluster.rack("/a")));
  }

  @Test
  void tellsWhatWouldBeWithAnotherRackLink() {
    ClusterFixture cluster = cluster().rackLinks(70).rack("/a", 10, 20).rack("/b", 5);
    LinkSnapshot half = cluster.snapshot().withRackLink(cluster.rack("/a"), 0.25);
    assertEquals(17.5 * MB, half.rackCapacity(cluster.rack("/a")));
    assertEquals(17.5 * MB, half.rackRx(cluster.rack("/a")), "no more than it can carry");
    assertEquals(70 * MB, half.rackCapacity(cluster.rack("/b")));
    assertEquals(70 * MB, cluster.snapshot().rackCapacity(cluster.rack("/a")), "as before");
  }

  @Test
  void leavesDeadNodesOutOfTheRack() {
    ClusterFixture cluster = cluster().rack("/a", 10, 20).dead("/a/1");
    LinkSnapshot snapshot = cluster.snapshot();
    assertEquals(100 * MB, snapshot.rackCapacity(cluster.rack("/a")));
    assertEquals(10 * MB, snapshot.rackRx(cluster.rack("/a")));
    assertFalse(snapshot.usable(cluster.node("/a/1")));
    assertEquals(1, snapshot.liveCount());
  }

  /** Section 6.2: a missing update counts as a full link. */
  @Test
  void countsAMissingHostAsFull() {
    ClusterFixture cluster = cluster().rack("/a", 10, 20).missing("/a/1");
    LinkSnapshot snapshot = cluster.snapshot();
    assertEquals(100 * MB, snapshot.hostRx(cluster.node("/a/1")));
    assertEquals(100 * MB, snapshot.hostTx(cluster.node("/a/1")));
    assertEquals(110 * MB, snapshot.rackRx(cluster.rack("/a")));
    assertTrue(snapshot.usable(cluster.node("/a/1")), "full, but not forbidden");
  }

  @Test
  void measuresCoverageByLiveNodesOnly() {
    LinkSnapshot snapshot =
        cluster()
            .idleRack("/a", 6)
            .source("/a/0", LinkSource.DERIVED)
            .missing("/a/1")
            .missing("/a/2")
            .dead("/a/2")
            .dead("/a/3")
            .snapshot();
    assertEquals(4, snapshot.liveCount());
    assertEquals(2, snapshot.measuredCount());
    assertEquals(1, snapshot.derivedCount());
    assertEquals(0.75, snapshot.coverage());
  }

  @Test
  void coversAnEmptyCluster() {
    assertEquals(1, cluster().snapshot().coverage());
    assertEquals(1, cluster().idleRack("/a", 1).dead("/a/0").snapshot().coverage());
  }

  /** Algorithms' guard: nodes much fuller than the mean get no network-balanced replicas. */
  @Test
  void keepsNodesAboveTheStorageImbalanceLimitOut() {
    ClusterFixture cluster =
        cluster()
            .idleRack("/a", 4)
            .used("/a/0", 0.40)
            .used("/a/1", 0.40)
            .used("/a/2", 0.49)
            .used("/a/3", 0.55);
    LinkSnapshot snapshot = cluster.snapshot(); // mean 0.46
    assertTrue(snapshot.usable(2));
    assertTrue(snapshot.usable(3));
    snapshot = cluster.used("/a/3", 0.56).used("/a/2", 0.40).snapshot(); // mean 0.44
    assertFalse(snapshot.usable(3));
  }

  @Test
  void doesNotLetDeadNodesMoveTheMean() {
    ClusterFixture cluster =
        cluster()
            .idleRack("/a", 3)
            .used("/a/0", 0.9)
            .used("/a/1", 0.9)
            .used("/a/2", 0)
            .dead("/a/2");
    assertTrue(cluster.snapshot().usable(0));
  }

  @Test
  void acceptsEqualNodesUnderALimitOfZero() {
    ClusterFixture cluster = cluster().storageImbalance(0).idleRack("/a", 10);
    for (int node = 0; node < 10; node++) {
      cluster.used("/a/" + node, 0.1);
    }
    LinkSnapshot snapshot = cluster.snapshot();
    for (int node = 0; node < 10; node++) {
      assertTrue(snapshot.usable(node), "the mean of ten times 0.1 is a rounding error below 0.1");
    }
  }

  @Test
  void knowsNothingOfANodeThatWasNotFilledIn() {
    ClusterTopology topology = cluster().idleRack("/a", 1).topology();
    LinkSnapshot snapshot =
        new LinkSnapshot.Builder(topology, new NetworkSettings(0, 1, 1, 1, 1), 0).build();
    assertEquals(LinkSource.MISSING, snapshot.source(0));
    assertEquals(Long.MIN_VALUE, snapshot.sampledAtMs(0));
    assertFalse(snapshot.usable(0));
  }

  /** Nobody attracts or repels more than a link can carry that is believed. */
  @Test
  void noLinkIsFasterThanIsBelievedNorCarriesMore() {
    ClusterFixture cluster = cluster().rack("/a", 0, 0, 0);
    LinkSnapshot snapshot =
        new LinkSnapshot.Builder(
                cluster.topology(), new NetworkSettings(0, 1, 1000 * MB, 1000, 0.1), 0)
            .believe(400)
            .host(0, LinkSource.MEASURED, 9000, 8000, 7000, 1, 0)
            .host(1, LinkSource.MEASURED, 100, 30, 20, 1, 0)
            .host(2, LinkSource.MISSING, 9000, 0, 0, 1, 0)
            .storage(0, 0)
            .storage(1, 0)
            .storage(2, 0)
            .build();
    assertEquals(400, snapshot.hostCapacity(0));
    assertEquals(400, snapshot.hostRx(0));
    assertEquals(400, snapshot.hostTx(0));
    assertEquals(400, snapshot.hostOthersRx(0));
    assertEquals(100, snapshot.hostCapacity(1), "an honest one stays as it is");
    assertEquals(30, snapshot.hostRx(1));
    assertEquals(20, snapshot.hostTx(1));
    assertEquals(400, snapshot.hostRx(2), "full, and no fuller");
    assertEquals(400, snapshot.hostTx(2));
    assertEquals(900, snapshot.rackCapacity(0));
  }
}
