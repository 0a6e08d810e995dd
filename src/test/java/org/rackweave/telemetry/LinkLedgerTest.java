package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.telemetry.ClusterFixture.MB;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;

/** Expected capacity (Pseudocode 2, line 30) and hysteresis (section 6.2). Delta is 1 s. */
class LinkLedgerTest {
  private static final long BLOCK = (long) (30 * MB);
  private final Random random = new Random(1);

  private static List<Integer> walk(BestLinkIndex.Walk walk) {
    List<Integer> order = new ArrayList<>();
    for (int link = walk.next(); link >= 0; link = walk.next()) {
      order.add(link);
    }
    return order;
  }

  /** expectedCapacity(l) = min(Cap(l) - Rx^(l), DiskWriteCap). */
  @Test
  void expectsWhatTheLinkHasLeft() {
    LinkLedger links = cluster().rack("/a", 10, 75).ledger();
    assertEquals(90 * MB, links.expectedAtHost(0));
    assertEquals(25 * MB, links.expectedAtHost(1));
    assertEquals(115 * MB, links.expectedAtRack(0));
  }

  @Test
  void expectsNoMoreThanADiskWrites() {
    LinkLedger links = cluster().diskWrite(60).rack("/a", 10, 75).ledger();
    assertEquals(60 * MB, links.expectedAtHost(0));
    assertEquals(25 * MB, links.expectedAtHost(1));
    assertEquals(60 * MB, links.expectedAtRack(0));
  }

  @Test
  void expectsNothingOfAMissingHost() {
    LinkLedger links = cluster().rack("/a", 0, 0).missing("/a/0").ledger();
    assertEquals(0, links.expectedAtHost(0));
    assertEquals(List.of(1, 0), walk(links.hosts(0, random)), "last, but still offered");
  }

  @Test
  void ranksARackByTheNarrowerOfItsLinkAndItsBestHost() {
    ClusterFixture cluster =
        cluster()
            .hostLinks(100)
            .rack("/wide", 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95) // 60 left, 5 a host
            .rack("/narrow", 80, 60); // 60 left, 40 at the best host
    LinkLedger links = cluster.ledger();
    assertEquals(
        List.of(cluster.rack("/narrow"), cluster.rack("/wide")), walk(links.racks(random)));
    assertEquals(40 * MB, links.expectedForReplicas(cluster.rack("/narrow"), 1, false, random));
    assertEquals(5 * MB, links.expectedForReplicas(cluster.rack("/wide"), 1, false, random));
  }

  @Test
  void ranksARackByItsNthBestHostForSeveralReplicas() {
    ClusterFixture cluster = cluster().oversubscription(2).rack("/a", 50, 10, 30);
    LinkLedger links = cluster.ledger(); // rack link: 150 - 90
    assertEquals(60 * MB, links.expectedForReplicas(0, 1, false, random));
    assertEquals(60 * MB, links.expectedForReplicas(0, 2, false, random));
    assertEquals(50 * MB, links.expectedForReplicas(0, 3, false, random));
    assertEquals(BestLinkIndex.NEVER, links.expectedForReplicas(0, 4, false, random));
  }

  @Test
  void offersNeitherDeadHostsNorRacksWithoutALiveOne() {
    ClusterFixture cluster =
        cluster()
            .rackLinks(500)
            .idleRack("/a", 2)
            .dead("/a/0")
            .idleRack("/gone", 1)
            .dead("/gone/0");
    LinkLedger links = cluster.ledger();
    assertEquals(List.of(cluster.rack("/a")), walk(links.racks(random)));
    assertEquals(List.of(1), walk(links.hosts(0, random)));
  }

  /** I(B, delta) = min(Cap(l) - v^(l), Size(B) / delta). */
  @Test
  void addsTheBlockOverTheTimeLeftUntilTheNextUpdate() {
    LinkLedger links = cluster().rack("/a", 10, 0, 0).ledger();
    links.reserve(0, true, BLOCK, 400); // 600 ms left: 50 MB/s
    assertEquals(40 * MB, links.expectedAtHost(0), 1);
    assertEquals(240 * MB, links.expectedAtRack(0), 1);
  }

  @Test
  void addsNoMoreThanTheLinkHasLeft() {
    LinkLedger links = cluster().rackLinks(120).rack("/a", 10, 0).ledger();
    links.reserve(0, true, 10 * BLOCK, 0);
    assertEquals(0, links.expectedAtHost(0));
    assertEquals(0, links.expectedAtRack(0));
    links.reserve(0, true, BLOCK, 0);
    assertEquals(0, links.expectedAtHost(0));
  }

  @Test
  void takesTheWholeIntervalForAHostNeverMeasured() {
    LinkSnapshot.Builder snapshot =
        new LinkSnapshot.Builder(
            cluster().idleRack("/a", 1).topology(), new NetworkSettings(0, 1, 1e12, 2000, 1), 0);
    snapshot.host(0, LinkSource.MEASURED, 100 * MB, 0, 0, 0, Long.MIN_VALUE).storage(0, 0);
    LinkLedger links = new LinkLedger(snapshot.build(), null);
    links.reserve(0, true, BLOCK, 123_456);
    assertEquals(85 * MB, links.expectedAtHost(0), 1);
  }

  @Test
  void keepsDeltaWithinATenthAndTheWholeOfTheInterval() {
    LinkLedger links = cluster().hostLinks(1000).rack("/a", 0, 0).ledger();
    links.reserve(0, true, BLOCK, 5000); // the update is overdue
    assertEquals(700 * MB, links.expectedAtHost(0), 1);
    links.reserve(1, true, BLOCK, -5000); // a clock read before the measurement
    assertEquals(970 * MB, links.expectedAtHost(1), 1);
  }

  @Test
  void promisesNoMoreThanADiskWritesWhereAskedTo() {
    ClusterTopology topology = cluster().idleRack("/a", 1).topology();
    for (Promise promise : List.of(Promise.WHOLE_BLOCK, Promise.DISK_RATE)) {
      NetworkSettings settings = new NetworkSettings(0, 1, 10 * MB, 1000, 1, promise);
      LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(topology, settings, 0);
      snapshot.host(0, LinkSource.MEASURED, 100 * MB, 0, 0, 1, 0).storage(0, 0);
      LinkLedger links = new LinkLedger(snapshot.build(), null);
      int taken = 0;
      while (links.expectedAtHost(0) > 0) {
        links.reserve(0, true, BLOCK, 0);
        taken++;
      }
      assertEquals(promise == Promise.DISK_RATE ? 10 : 4, taken, promise::name);
    }
  }

  @Test
  void sparesTheRackLinkWhenTheBytesStayInTheRack() {
    LinkLedger links = cluster().rack("/a", 0, 0).ledger();
    links.reserve(0, false, BLOCK, 0);
    assertEquals(70 * MB, links.expectedAtHost(0), 1);
    assertEquals(200 * MB, links.expectedAtRack(0), 1);
  }

  @Test
  void reordersHostsAndRacksAfterAPromise() {
    ClusterFixture cluster = cluster().rack("/a", 0, 20).rack("/b", 10, 90);
    LinkLedger links = cluster.ledger();
    assertEquals(List.of(0, 1), walk(links.racks(random)));
    links.reserve(cluster.node("/a/0"), true, BLOCK, 0);
    assertEquals(List.of(1, 0), walk(links.hosts(cluster.rack("/a"), random)));
    assertEquals(List.of(1, 0), walk(links.racks(random)));
  }

  /** "When an updated measurement arrives, v^(l) is invalidated." */
  @Test
  void dropsAPromiseWhenTheNextMeasurementArrives() {
    ClusterFixture cluster = cluster().rack("/a", 0, 0);
    LinkLedger before = cluster.ledger();
    before.reserve(0, true, BLOCK, 0);
    before.reserve(1, true, BLOCK, 0);
    LinkLedger after = cluster.measured("/a/0", 6, 1000).ledgerAfter(before);
    assertEquals(94 * MB, after.expectedAtHost(0), 1);
    assertEquals(70 * MB, after.expectedAtHost(1), 1, "its measurement is still to come");
    assertEquals(164 * MB, after.expectedAtRack(0), 1, "the rack forgets the same promises");
    LinkLedger last = cluster.measured("/a/1", 6, 1000).ledgerAfter(after);
    assertEquals(188 * MB, last.expectedAtRack(0), 1);
  }

  @Test
  void carriesPromisesThroughSnapshotsWithoutAMeasurement() {
    ClusterFixture cluster = cluster().rack("/a", 0, 0);
    LinkLedger ledger = cluster.ledger();
    ledger.reserve(0, true, BLOCK, 0);
    ledger.reserve(0, false, BLOCK, 0);
    for (int i = 0; i < 5; i++) {
      ledger = cluster.ledgerAfter(ledger);
    }
    assertEquals(40 * MB, ledger.expectedAtHost(0), 1);
    assertEquals(170 * MB, ledger.expectedAtRack(0), 1);
    assertEquals(List.of(1, 0), walk(ledger.hosts(0, random)), "the index knows them too");
  }

  @Test
  void keepsPromisesWhenADataNodeJoins() {
    ClusterFixture cluster = cluster().rack("/b", 0, 0);
    LinkLedger before = cluster.ledger();
    before.reserve(1, true, BLOCK, 0);
    LinkLedger after = cluster.idleRack("/a", 1).idleRack("/b", 1).ledgerAfter(before);
    for (int node = 0; node < after.topology().nodeCount(); node++) {
      boolean promised = after.topology().nodeName(node).equals("/b/1");
      assertEquals((promised ? 70 : 100) * MB, after.expectedAtHost(node), 1);
    }
    assertEquals(270 * MB, after.expectedAtRack(after.topology().rackAt("/b")), 1);
  }

  @Test
  void agreesWithPlainSumsOverRandomPromises() {
    long seed = System.nanoTime();
    System.out.println("promises against plain sums, seed " + seed);
    Random dice = MixedRandom.of(seed);
    for (int round = 0; round < 300; round++) {
      ClusterFixture cluster = cluster().hostLinks(1e6);
      int racks = 1 + dice.nextInt(4);
      for (int rack = 0; rack < racks; rack++) {
        cluster.idleRack("/r" + rack, 1 + dice.nextInt(5));
      }
      LinkLedger links = cluster.diskWrite(1e9).ledger();
      double[] host = new double[cluster.topology().nodeCount()];
      double[] rack = new double[racks];
      for (int i = 0; i < 40; i++) {
        int node = dice.nextInt(host.length);
        boolean crosses = dice.nextBoolean();
        long size = dice.nextInt((int) (100 * MB));
        links.reserve(node, crosses, size, 0);
        host[node] += size;
        rack[cluster.topology().rackOf(node)] += crosses ? size : 0;
      }
      for (int node = 0; node < host.length; node++) {
        assertEquals(1e12 - host[node], links.expectedAtHost(node), 10, () -> "seed " + seed);
      }
      for (int r = 0; r < racks; r++) {
        double capacity = cluster.topology().rackSize(r) * 1e12;
        assertEquals(capacity - rack[r], links.expectedAtRack(r), 10, () -> "seed " + seed);
        double bestHost = 0;
        for (int n = cluster.topology().firstNode(r);
            n < cluster.topology().firstNode(r + 1);
            n++) {
          bestHost = Math.max(bestHost, links.expectedAtHost(n));
        }
        assertEquals(
            Math.min(bestHost, links.expectedAtRack(r)),
            links.expectedForReplicas(r, 1, false, dice));
      }
    }
  }

  @Test
  void losesNoPromiseOfManyThreads() throws Exception {
    ClusterFixture cluster = cluster().hostLinks(1e6).diskWrite(1e9).idleRack("/a", 2);
    LinkLedger links = cluster.idleRack("/b", 2).ledger();
    int threads = 4;
    int each = 2_000;
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        work.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < each; i++) {
                    links.reserve(i % 4, true, 1000, 0);
                  }
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> one : work) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    double promised = threads * each / 4 * 1000.0;
    for (int node = 0; node < 4; node++) {
      assertEquals(1e12 - promised, links.expectedAtHost(node), 1);
    }
    assertEquals(2e12 - 2 * promised, links.expectedAtRack(0), 1);
    assertEquals(1e12 - promised, links.expectedForReplicas(0, 1, false, random), 1);
    assertTrue(walk(links.racks(random)).containsAll(List.of(0, 1)));
  }
}
