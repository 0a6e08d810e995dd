package org.rackweave.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.network.Flow;
import org.rackweave.sim.scenario.TelemetrySpec;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;
import org.rackweave.telemetry.Promise;

class ReportedLinksTest {
  private static final long SEED = 11;

  private final SmallCluster small = new SmallCluster(2, 3);
  private final NetworkSettings settings = new NetworkSettings(0, 2, 50, 1000, 1);

  private LinkKnowledge listening(TelemetrySpec telemetry) {
    return listening(telemetry, settings);
  }

  private LinkKnowledge listening(TelemetrySpec telemetry, NetworkSettings settings) {
    ReportedLinks links =
        new ReportedLinks(
            small.loop, small.cluster, telemetry, settings, new SplittableRandom(SEED));
    links.start();
    return links;
  }

  private void until(double seconds) {
    small.loop.runUntil(SimTime.ofSeconds(seconds));
  }

  @Test
  void ratesBecomeKnownAsFastAsTheAverageAllows() {
    LinkKnowledge knowledge = listening(new TelemetrySpec(1000, 0, 0, 0, 0.5, 3));
    small.network.start(small.links.transfer(0, 3), 1e9, () -> {});
    until(30);
    LinkSnapshot snapshot = knowledge.ledger().snapshot();
    assertEquals(1, snapshot.coverage());
    assertEquals(100, snapshot.hostRx(3), 1);
    assertEquals(100, snapshot.hostTx(0), 1);
    assertEquals(100, snapshot.rackRx(1), 1);
    assertEquals(0, snapshot.hostRx(4), 1e-9);
  }

  /** As shipped: what is received at the moment of a report, and how much of it is no block. */
  @Test
  void aBlockIsNoLoadOfOthersWhereNodesTellRates() {
    LinkKnowledge knowledge =
        listening(
            new TelemetrySpec(3000, 0, 0, 0, 0.2, 3),
            new NetworkSettings(0, 2, 50, 3000, 1, Promise.SHARE));
    Flow block = small.network.start(small.links.transfer(1, 3), 1e9, () -> {});
    small.cluster.blockComes(3, block);
    until(4);
    LinkSnapshot ours = knowledge.ledger().snapshot();
    assertEquals(100, ours.hostRx(3), 1);
    assertEquals(0, ours.hostOthersRx(3), 1);
    small.network.cancel(block);
    small.cluster.blockCame(3, block);
    small.network.start(small.links.transfer(0, 3), 1e9, () -> {});
    until(8);
    assertEquals(100, knowledge.ledger().snapshot().hostOthersRx(3), 1);
  }

  @Test
  void lostAndLateReportsCostResolutionButNoBytes() {
    LinkKnowledge knowledge = listening(new TelemetrySpec(1000, 300, 100, 0.3, 0.2, 20));
    small.network.start(small.links.transfer(0, 3), 1e9, () -> {});
    until(120);
    assertEquals(100, knowledge.ledger().snapshot().hostRx(3), 1);
  }

  @Test
  void aSilentNodeCountsAsFullUntilItIsDeclaredDead() {
    LinkKnowledge knowledge = listening(new TelemetrySpec(1000, 0, 0, 0, 0.2, 3));
    until(10);
    small.cluster.fail(4, small.loop.nowNanos());
    until(20);
    LinkSnapshot silent = knowledge.ledger().snapshot();
    assertEquals(LinkSource.MISSING, silent.source(4));
    assertEquals(100, silent.hostRx(4), 1e-9);
    assertTrue(silent.usable(4));
    until(700);
    assertTrue(!knowledge.ledger().snapshot().usable(4));
    small.cluster.restore(4);
    until(705);
    LinkSnapshot back = knowledge.ledger().snapshot();
    assertTrue(back.usable(4));
    // It comes back as full and is trusted again measurement by measurement.
    assertTrue(back.hostRx(4) > 20 && back.hostRx(4) < 100, "load " + back.hostRx(4));
  }

  @Test
  void trueLinksSeeTheRatesOfTheMoment() {
    TrueLinks links = new TrueLinks(small.loop, small.cluster, settings);
    small.network.start(small.links.transfer(0, 3), 1e9, () -> {});
    until(0.001);
    assertEquals(100, links.ledger().snapshot().hostRx(3), 1e-9);
    assertTrue(links.ledger() == links.ledger());
  }
}
