package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** How cumulative counters become the load of a link (Sinbad, section 6.2). Rates are MB/s. */
class NodeEstimateTest {
  private static final double MB = 1e6;
  private static final long EPOCH = 1_700_000_000_000L;
  private static final long STALE_MS = 15_000;
  private static final CollectorSettings SETTINGS =
      new CollectorSettings(0.2, STALE_MS, 300_000, 600_000, 100 * MB, true);
  private static final ClusterTopology ONE_NODE =
      ClusterTopology.of(List.of(new NodePlace("n", "/r", null)));

  private final FakeAgent agent = new FakeAgent(EPOCH);
  private NodeEstimate estimate = new NodeEstimate(SETTINGS, false);
  private long nowMs = 1000;

  /** Agent and NameNode live through the same time, then the agent reports. */
  private DropCause report(long ms, long rxMb, long txMb) {
    nowMs += ms;
    agent.runs(ms, rxMb, txMb);
    return send();
  }

  private DropCause send() {
    return estimate.accept(agent.report(), nowMs, agent.wallMs());
  }

  private LinkSnapshot look() {
    NetworkSettings network = new NetworkSettings(0, 1, 1e12, 1000, 1);
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(ONE_NODE, network, nowMs);
    estimate.copyTo(snapshot, 0, nowMs);
    return snapshot.storage(0, 0).build();
  }

  private double rxMb() {
    return look().hostRx(0) / MB;
  }

  private double txMb() {
    return look().hostTx(0) / MB;
  }

  /** "v(l) is initialized to zero" and alpha is 0.2. */
  @Test
  void startsTheAverageAtZero() {
    assertNull(report(0, 0, 0));
    assertNull(report(1000, 50, 10));
    assertEquals(10, rxMb(), 1e-9);
    assertEquals(2, txMb(), 1e-9);
    report(1000, 50, 10);
    assertEquals(0.2 * 50 + 0.8 * 10, rxMb(), 1e-9);
    assertEquals(0.2 * 10 + 0.8 * 2, txMb(), 1e-9);
  }

  @Test
  void weighsTheNewMeasurementWithAlpha() {
    estimate =
        new NodeEstimate(
            new CollectorSettings(1, STALE_MS, 300_000, 600_000, 100 * MB, true), false);
    report(0, 0, 0);
    report(1000, 30, 0);
    assertEquals(30, rxMb(), 1e-9);
    report(1000, 70, 0);
    assertEquals(70, rxMb(), 1e-9);
  }

  @Test
  void aLinkOfUnknownSpeedIsAsFastAsWhatItCarriedForASecond() {
    estimate =
        new NodeEstimate(new CollectorSettings(1, STALE_MS, 300_000, 600_000, 0, true), false);
    report(0, 0, 0);
    report(999, 300, 0);
    assertEquals(125 * MB, look().hostCapacity(0));
    assertEquals(0, estimate.claimedBytesPerSec());
    report(3000, 600, 900);
    assertEquals(300 * MB, look().hostCapacity(0));
    assertEquals(300 * MB, estimate.linkBytesPerSec());
    assertEquals(0, estimate.claimedBytesPerSec(), "nobody said so");
    report(3000, 3, 3);
    assertEquals(300 * MB, look().hostCapacity(0));
  }

  @Test
  void aLinkOfDeclaredSpeedIsNoFaster() {
    report(0, 0, 0);
    report(3000, 600, 900);
    assertEquals(100 * MB, look().hostCapacity(0));
    assertEquals(0, estimate.claimedBytesPerSec());
  }

  @Test
  void tellsASnapshotWhatTheSaturationSamplersAt() {
    agent.sees(new LinkRates(1, 1, 1, 1, 1, 1, 0, 0)).saturates(new Saturation(true, false, 64e6));
    report(0, 0, 0);
    assertTrue(look().isSaturatedRx(0));
    assertFalse(look().isSaturatedTx(0));
    assertEquals(64e6, estimate.diskWriteBytesPerSec());
    agent.saturates(new Saturation(false, true, 128e6));
    report(3000, 1, 1);
    assertFalse(look().isSaturatedRx(0));
    assertTrue(look().isSaturatedTx(0));
    assertEquals(128e6, estimate.diskWriteBytesPerSec());
  }

  /** "Missing updates are treated as if the update indicated the link was fully loaded." */
  @Test
  void countsAsFullBeforeTheFirstMeasurement() {
    assertEquals(LinkSource.MISSING, look().source(0));
    assertEquals(100, rxMb());
    report(0, 0, 0);
    assertEquals(LinkSource.MISSING, look().source(0), "one report is no rate yet");
    report(1000, 0, 0);
    assertEquals(LinkSource.MEASURED, look().source(0));
    assertEquals(0, rxMb());
  }

  @Test
  void dividesByTheTimeTheSenderMeasuredWhenAHeartbeatIsLate() {
    report(0, 0, 0);
    agent.runs(2000, 100, 0);
    nowMs += 9000;
    assertNull(send());
    assertEquals(0.2 * 50, rxMb(), 1e-9);
  }

  @Test
  void losesNoBytesWhenAHeartbeatIsLost() {
    report(0, 0, 0);
    agent.runs(1000, 90, 0);
    nowMs += 1000;
    assertNull(report(1000, 10, 0));
    assertEquals(0.2 * 50, rxMb(), 1e-9);
  }

  @Test
  void neverExceedsTheLinkThatTheAgentReports() {
    agent.link(40);
    report(0, 0, 0);
    report(1000, 5000, 0);
    assertEquals(40, look().hostCapacity(0) / MB);
    assertEquals(0.2 * 40, rxMb(), 1e-9);
  }

  @Test
  void fallsBackToTheConfiguredLinkWhenTheAgentKnowsNone() {
    report(0, 0, 0);
    report(1000, 0, 0);
    assertEquals(100, look().hostCapacity(0) / MB);
  }

  @Test
  void countsAsFullOnceItsLastMeasurementIsStale() {
    report(0, 0, 0);
    report(1000, 50, 0);
    nowMs += STALE_MS;
    assertEquals(LinkSource.MEASURED, look().source(0));
    nowMs += 1;
    assertEquals(LinkSource.MISSING, look().source(0));
    assertEquals(100, rxMb());
  }

  @Test
  void comesBackAsFullAndDecaysWithEvidence() {
    report(0, 0, 0);
    report(1000, 0, 0);
    report(STALE_MS + 1, 0, 0);
    assertEquals(LinkSource.MISSING, look().source(0), "counters over the gap are no measurement");
    report(1000, 0, 0);
    assertEquals(80, rxMb(), 1e-9);
    report(1000, 0, 0);
    assertEquals(64, rxMb(), 1e-9);
    assertEquals(64, txMb(), 1e-9);
  }

  @Test
  void entersAsFullWhenItJoinsARunningCluster() {
    estimate = new NodeEstimate(SETTINGS, true);
    agent.link(200);
    report(0, 0, 0);
    report(1000, 0, 0);
    assertEquals(160, rxMb(), 1e-9, "full on the link it reports, not on the configured one");
  }

  @Test
  void takesARestartedAgentsCountersAsANewBaseline() {
    report(0, 0, 0);
    report(1000, 50, 0);
    nowMs += 1000;
    agent.restarts(EPOCH + 5000);
    assertNull(send());
    assertEquals(10, rxMb(), 1e-9, "a new epoch alone changes nothing");
    report(1000, 50, 0);
    assertEquals(18, rxMb(), 1e-9);
  }

  @Test
  void dropsAReportSeenBefore() {
    report(0, 0, 0);
    report(1000, 50, 0);
    assertEquals(DropCause.REPLAYED, send());
    assertEquals(10, rxMb(), 1e-9);
  }

  @Test
  void dropsAReportOvertakenByANewerOne() {
    report(0, 0, 0);
    agent.runs(1000, 50, 0);
    ReportReader late = agent.report();
    agent.runs(1000, 50, 0);
    nowMs += 2000;
    assertNull(send());
    assertEquals(DropCause.REPLAYED, estimate.accept(late, nowMs, agent.wallMs()));
    assertEquals(10, rxMb(), 1e-9);
  }

  @Test
  void dropsAReportOfAnEarlierEpoch() {
    report(3000, 10, 0);
    ReportReader old = agent.report();
    agent.restarts(EPOCH + 5000);
    report(1000, 0, 0);
    assertEquals(DropCause.REPLAYED, estimate.accept(old, nowMs, agent.wallMs()));
  }

  @Test
  void acceptsAnEarlierEpochOnceTheLaterOneIsSilent() {
    report(0, 0, 0);
    nowMs += STALE_MS + 1;
    agent.restarts(EPOCH - 3_600_000); // restarted with its clock set back
    assertNull(send());
    assertNull(report(1000, 50, 0));
    assertEquals(LinkSource.MEASURED, look().source(0));
  }

  @Test
  void toleratesAClockThatRunsAheadALittle() {
    agent.clockAhead(300_000);
    assertNull(report(0, 0, 0));
    agent.clockAhead(300_001);
    assertEquals(DropCause.FUTURE_DATED, report(1000, 0, 0));
    assertEquals(300_001, estimate.clockAheadMs(), "known though the report was dropped");
  }

  @Test
  void startsOverWhenACounterWentBack() {
    report(1000, 100, 100);
    agent.runs(0, -60, 0);
    assertEquals(DropCause.COUNTER_WENT_BACK, report(1000, 0, 0));
    assertEquals(LinkSource.MISSING, look().source(0));
    assertNull(report(1000, 50, 0));
    assertEquals(10, rxMb(), 1e-9);
  }

  @Test
  void seesADiskCounterThatWentBackButNotOneThatIsUnknown() {
    agent.disk(500);
    report(0, 0, 0);
    agent.disk(0);
    assertNull(report(1000, 0, 0));
    agent.disk(600);
    assertNull(report(1000, 0, 0));
    agent.disk(400);
    assertEquals(DropCause.COUNTER_WENT_BACK, report(1000, 0, 0));
  }

  /** Growth of the space used and transfers under way, whichever is more. */
  @Test
  void derivesLoadWhereNoAgentReports() {
    estimate.derive(1000, 0, 3, 5 * MB);
    assertEquals(LinkSource.MISSING, look().source(0), "one heartbeat shows no growth");
    nowMs = 2000;
    estimate.derive(2000, (long) (50 * MB), 3, 5 * MB);
    assertEquals(LinkSource.DERIVED, look().source(0));
    assertEquals(0.2 * 50, rxMb(), 1e-9);
    assertEquals(0.2 * 15, txMb(), 1e-9);
    nowMs = 3000;
    estimate.derive(3000, (long) (20 * MB), 4, 5 * MB); // blocks were deleted
    assertEquals(0.2 * 20 + 0.8 * 10, rxMb(), 1e-9);
  }

  @Test
  void countsOneHeartbeatOnce() {
    estimate.derive(1000, 0, 0, 5 * MB);
    nowMs = 2000;
    estimate.derive(2000, (long) (50 * MB), 0, 5 * MB);
    estimate.derive(2000, (long) (50 * MB), 0, 5 * MB);
    assertEquals(10, rxMb(), 1e-9);
    assertEquals(1, look().sequence(0));
  }

  @Test
  void prefersWhatAnAgentMeasures() {
    report(0, 0, 0);
    estimate.derive(nowMs, 0, 10, 5 * MB);
    report(1000, 10, 0);
    estimate.derive(nowMs, (long) (90 * MB), 10, 5 * MB);
    assertEquals(LinkSource.MEASURED, look().source(0));
    assertEquals(2, rxMb(), 1e-9);
  }

  @Test
  void derivesAgainOnceTheAgentIsSilent() {
    report(0, 0, 0);
    report(1000, 50, 0);
    for (int i = 0; i < 6; i++) {
      nowMs += 3000;
      estimate.derive(nowMs, 0, 0, 5 * MB);
    }
    assertEquals(LinkSource.DERIVED, look().source(0));
    nowMs += STALE_MS + 1;
    assertEquals(LinkSource.MISSING, look().source(0));
  }

  @Test
  void comesBackAsFullWithoutAnAgentToo() {
    estimate.derive(1000, 0, 0, 5 * MB);
    estimate.derive(2000, 0, 0, 5 * MB);
    nowMs = 2000;
    assertEquals(0, rxMb());
    nowMs = 2000 + STALE_MS + 1;
    estimate.derive(nowMs, 0, 0, 5 * MB);
    assertEquals(LinkSource.DERIVED, look().source(0));
    assertEquals(80, rxMb(), 1e-9);
  }

  @Test
  void goesOnFromDerivedLoadWhenAnAgentTakesOver() {
    estimate.derive(1000, 0, 0, 5 * MB);
    estimate.derive(2000, (long) (50 * MB), 0, 5 * MB);
    nowMs = 2000;
    report(0, 0, 0);
    report(1000, 10, 0);
    assertEquals(LinkSource.MEASURED, look().source(0));
    assertEquals(0.2 * 10 + 0.8 * 10, rxMb(), 1e-9);
  }

  @Test
  void derivesNothingWhenToldNotTo() {
    estimate =
        new NodeEstimate(
            new CollectorSettings(0.2, STALE_MS, 300_000, 600_000, 100 * MB, false), false);
    estimate.derive(1000, 0, 0, 5 * MB);
    estimate.derive(2000, 0, 0, 5 * MB);
    assertEquals(LinkSource.MISSING, look().source(0));
  }

  @Test
  void numbersItsMeasurementsSoThatPromisesKnowWhenTheyAreOvertaken() {
    report(0, 0, 0);
    assertEquals(0, look().sequence(0));
    report(1000, 0, 0);
    assertEquals(1, look().sequence(0));
    assertEquals(nowMs, look().sampledAtMs(0));
    send();
    assertEquals(1, look().sequence(0), "a dropped report is no measurement");
  }
}
