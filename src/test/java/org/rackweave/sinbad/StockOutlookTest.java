package org.rackweave.sinbad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sinbad.RequestFixture.replicas;
import static org.rackweave.telemetry.ClusterFixture.MB;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.ClusterFixture;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.NetworkSettings;
import org.rackweave.telemetry.Promise;

/** How long blocks are likely to take. Loads are MB/s received, links 100. */
class StockOutlookTest {
  private static final long SIZE = (long) (100 * MB);

  private final ClusterFixture racks =
      cluster()
          .rackLinks(100)
          .diskWrite(80)
          .rack("/a", 0, 0)
          .rack("/b", 60, 60)
          .rack("/c", 100, 100);

  private double rate(PlacementRequest request, String... pipeline) {
    return ExpectedRate.of(racks.ledger(), request, racks.nodes(pipeline)) / MB;
  }

  @Test
  void aBlockIsAsFastAsTheNarrowestLinkOfItsPipeline() {
    PlacementRequest fromA = replicas(3, racks).writer("/a/0").build();
    assertEquals(80, rate(fromA, "/a/0"), 1e-9, "its own disk");
    assertEquals(80, rate(fromA, "/a/0", "/a/1"), 1e-9);
    assertEquals(12.5, rate(fromA, "/a/0", "/b/0", "/b/1"), 1e-9, "of a rack link that is full");
    assertEquals(40, rate(replicas(1, racks).writerInRack("/b").build(), "/b/0"), 1e-9);
    assertEquals(12.5, rate(fromA, "/a/0", "/c/0"), 1e-9, "a newcomer's share of a full link");
  }

  /** Where blocks are told apart they share links and disks, however fast the links are. */
  @Test
  void blocksUnderWayShareTheDisk() {
    ClusterFixture fast =
        cluster().hostLinks(1000).rackLinks(1000).diskWrite(100).blocksApart().rack("/a", 0, 0);
    LinkLedger links = fast.ledger();
    int node = fast.node("/a/0");
    assertEquals(100 * MB, links.likelyAtHost(node, false, false), 1);
    links.reserve(node, false, SIZE, 0);
    assertEquals(50 * MB, links.likelyAtHost(node, false, false), 1);
  }

  /** By going through all draws: the mean of what each takes, the writer's own limit included. */
  @Test
  void stockTakesWhatItsDrawsTakeOnAverage() {
    LinkLedger links = racks.ledger();
    StockOutlook outlook = StockOutlook.draw(links, new Random(5));
    assertFalse(outlook.isEmpty());
    Random same = new Random(5);
    for (double most : List.of(1e6, 30 * MB, 60 * MB, Double.POSITIVE_INFINITY)) {
      same.setSeed(5);
      double sum = 0;
      for (int i = 0; i < 64; i++) {
        int second = same.nextInt(6);
        int rack = links.topology().rackOf(second);
        int third = links.topology().firstNode(rack) + same.nextInt(2);
        double rate =
            Math.min(
                links.likelyAtHost(second, true, true), links.likelyAtHost(third, false, false));
        sum += SIZE / Math.min(rate, most);
      }
      assertEquals(sum / 64, outlook.meanSeconds(SIZE, most), 1e-6 * sum, "at most " + most);
    }
    assertEquals(SIZE / (12.5 * MB), outlook.lateSeconds(SIZE, Double.POSITIVE_INFINITY), 1e-6);
    assertTrue(
        outlook.meanSeconds(SIZE, 80 * MB) < outlook.lateSeconds(SIZE, 80 * MB), "one in ten");
  }

  @Test
  void nothingIsKnownOfAnEmptyCluster() {
    NetworkSettings settings = racks.snapshot().settings();
    LinkSnapshot nothing =
        new LinkSnapshot.Builder(ClusterTopology.of(List.of()), settings, 0).build();
    assertTrue(StockOutlook.draw(new LinkLedger(nothing, null), new Random(1)).isEmpty());
    assertTrue(settings.promise() != Promise.SHARE, "the fixture's");
  }
}
