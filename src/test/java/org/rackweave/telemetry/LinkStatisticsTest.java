package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import org.junit.jupiter.api.Test;

/** Imbalance as section 4.3 measures it: Cv, the standard deviation over the mean. */
class LinkStatisticsTest {
  @Test
  void isZeroWithoutLinksAndWithoutTraffic() {
    assertEquals(new LinkStatistics(0, 0, 0, 0), LinkStatistics.of(new double[0]));
    assertEquals(new LinkStatistics(0, 0, 0, 0), LinkStatistics.of(new double[] {0, 0}));
  }

  @Test
  void computesTheCoefficientOfVariation() {
    LinkStatistics statistics = LinkStatistics.of(new double[] {0.6, 0.2});
    assertEquals(0.5, statistics.cv(), 1e-12);
    assertEquals(0.2, statistics.p50());
    assertEquals(0.6, statistics.p95());
    assertEquals(0.6, statistics.max());
  }

  @Test
  void takesPercentilesByNearestRank() {
    double[] percent = new double[100];
    for (int i = 0; i < 100; i++) {
      percent[i] = (100 - i) / 100.0;
    }
    LinkStatistics statistics = LinkStatistics.of(percent);
    assertEquals(0.50, statistics.p50());
    assertEquals(0.95, statistics.p95());
    assertEquals(1.00, statistics.max());
  }

  @Test
  void countsHostsWhoseLoadIsKnown() {
    LinkSnapshot snapshot =
        cluster()
            .rack("/a", 20, 60, 0)
            .load("/a/0", 20, 10)
            .missing("/a/2")
            .source("/a/1", LinkSource.DERIVED)
            .snapshot();
    assertEquals(0.5, LinkStatistics.ofHosts(snapshot, LinkDirection.RX).cv(), 1e-12);
    assertEquals(1, LinkStatistics.ofHosts(snapshot, LinkDirection.TX).cv(), 1e-12);
    assertEquals(0.1, LinkStatistics.ofHosts(snapshot, LinkDirection.TX).max(), 1e-12);
  }

  @Test
  void countsRacksThatHaveALiveHost() {
    LinkSnapshot snapshot =
        cluster()
            .rackLinks(100)
            .rack("/a", 20)
            .load("/a/0", 20, 7)
            .rack("/b", 60)
            .rack("/gone", 0)
            .dead("/gone/0")
            .snapshot();
    assertEquals(0.5, LinkStatistics.ofRacks(snapshot, LinkDirection.RX).cv(), 1e-12);
    assertEquals(0.07, LinkStatistics.ofRacks(snapshot, LinkDirection.TX).max(), 1e-12);
  }
}
