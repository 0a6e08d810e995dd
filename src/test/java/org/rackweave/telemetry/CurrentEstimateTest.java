package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** What a link carries now, by what its agent sees of it. Rates are MB/s. */
class CurrentEstimateTest {
  private static final double MB = 1e6;
  private static final long STALE_MS = 15_000;
  private static final ClusterTopology ONE_NODE =
      ClusterTopology.of(List.of(new NodePlace("n", "/r", null)));

  private final FakeAgent agent = new FakeAgent(1_700_000_000_000L);
  private NodeEstimate estimate = by(Smoothing.CURRENT, false);
  private long nowMs = 1000;

  private static NodeEstimate by(Smoothing way, boolean startsFull) {
    return new NodeEstimate(
        new CollectorSettings(way, STALE_MS, 300_000, 600_000, 100 * MB, true), startsFull);
  }

  /** Time passes while the counters grow, then the agent reports. */
  private void report(long ms, long rxMb) {
    nowMs += ms;
    agent.runs(ms, rxMb, 0);
    assertNull(estimate.accept(agent.report(), nowMs, agent.wallMs()));
  }

  private void sees(double rxMb, double trendMb) {
    agent.sees(
        new LinkRates(rxMb * MB, 0, rxMb * MB, LinkRates.UNKNOWN, rxMb * MB, 0, trendMb * MB, 0));
  }

  private LinkSnapshot look() {
    NetworkSettings network = new NetworkSettings(0, 1, 1e12, 1000, 1);
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(ONE_NODE, network, nowMs);
    estimate.copyTo(snapshot, 0, nowMs);
    return snapshot.storage(0, 0).build();
  }

  private void assertRx(double mb) {
    assertEquals(mb, look().hostRx(0) / MB, 0.006 * mb + 1e-6);
  }

  @Test
  void takesWhatTheAgentSeesFromItsFirstReportOn() {
    sees(70, 0);
    report(0, 0);
    assertEquals(LinkSource.MEASURED, look().source(0));
    assertRx(70);
    sees(5, 0);
    report(3000, 200);
    assertRx(5);
  }

  @Test
  void comparesCountersForThePapersEstimate() {
    estimate = by(new Smoothing.PerReport(0.2), false);
    sees(70, 0);
    report(0, 0);
    assertEquals(LinkSource.MISSING, look().source(0));
    report(1000, 50);
    assertRx(0.2 * 50);
  }

  @Test
  void followsATrendForASecondOrSo() {
    sees(40, 20);
    report(3000, 100);
    nowMs += 500;
    double soon = look().hostRx(0) / MB;
    assertTrue(soon > 46 && soon < 50, "after half a second " + soon);
    nowMs += 1000;
    double later = look().hostRx(0) / MB;
    nowMs += 8000;
    double muchLater = look().hostRx(0) / MB;
    assertTrue(later > soon && muchLater > later && muchLater < 62, later + ", " + muchLater);
  }

  @Test
  void followsNoTrendBeyondWhatALinkCarries() {
    sees(80, 50);
    report(3000, 100);
    nowMs += 2000;
    assertRx(100);
    sees(20, -50);
    report(1000, 0);
    nowMs += 2000;
    assertRx(0);
  }

  @Test
  void ofOthersTheTrendIsThatOfTheWhole() {
    agent.sees(new LinkRates(50 * MB, 0, 10 * MB, 40 * MB, 50 * MB, 0, -25 * MB, 0));
    report(3000, 100);
    assertEquals(10, look().hostOthersRx(0) / MB, 0.1);
    nowMs += 3000;
    assertEquals(
        look().hostRx(0) / MB / 5, look().hostOthersRx(0) / MB, 0.1, "a fifth of it as before");
  }

  @Test
  void believesALinkThatWasSilentByHalvesInTenSeconds() {
    sees(0, 0);
    report(0, 0);
    assertRx(0);
    report(STALE_MS + 1, 0);
    assertRx(100);
    report(5000, 0);
    report(5000, 0);
    assertRx(50);
    report(10_000, 0);
    assertRx(25);
  }

  @Test
  void believesADataNodeThatJoinsARunningClusterJustSo() {
    estimate = by(Smoothing.CURRENT, true);
    sees(20, 0);
    report(0, 0);
    assertRx(100);
    report(10_000, 200);
    assertRx(60);
  }

  /** Agents of earlier versions: the same time constant whatever the heartbeat interval. */
  @ParameterizedTest
  @ValueSource(ints = {250, 500, 1000})
  void seesHalfOfARiseInASecondWhereOnlyCountersAreKnown(int everyMs) {
    report(0, 0);
    for (int ms = 0; ms < 1000; ms += everyMs) {
      report(everyMs, 80L * everyMs / 1000);
    }
    assertRx(40);
    for (int ms = 0; ms < 3000; ms += everyMs) {
      report(everyMs, 0);
    }
    assertRx(20);
  }

  /** Copies say how many bytes they moved between two heartbeats, which is compared with this. */
  @Test
  void tellsTheMeanBetweenTwoReportsBeside() {
    sees(90, 0);
    report(0, 0);
    report(3000, 60);
    assertRx(90);
    assertEquals(20, look().hostMeanRx(0) / MB, 1e-6);
    assertEquals(20, look().rackMeanRx(0) / MB, 1e-6);
  }

  @Test
  void goesOnByCountersWhenTheAgentIsAnOlderOneAgain() {
    sees(90, 0);
    report(0, 0);
    agent.sees(null);
    report(3000, 30);
    assertTrue(look().hostRx(0) / MB < 60, "half of a fall is seen in 3 s");
    assertTrue(!look().isApart(0));
  }
}
