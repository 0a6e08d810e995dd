package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;

/** Racks {@code /a} of four hosts and {@code /b} of two, links of 100 MB/s, heartbeats of 3 s. */
class LearnedCapacitiesTest {
  private static final double MB = ClusterFixture.MB;
  private static final long HEARTBEAT_MS = 3_000;
  private static final long SNAPSHOT_MS = 250;
  private static final long TWO_DAYS_MS = TimeUnit.DAYS.toMillis(2);
  private static final int HOSTS = 6;
  private static final int A = 0;
  private static final int B = 1;

  private final ClusterTopology topology =
      ClusterFixture.cluster().idleRack("/a", 4).idleRack("/b", 2).topology();
  private final double[] rxMb = new double[HOSTS];
  private final double[] txMb = new double[HOSTS];
  private final boolean[] losesRx = new boolean[HOSTS];
  private final boolean[] losesTx = new boolean[HOSTS];
  private final double[] disks = new double[HOSTS];
  private final LinkSource[] sources = new LinkSource[HOSTS];
  private NetworkSettings declared = new NetworkSettings(0, 0, 0, HEARTBEAT_MS, 0.1);
  private LearnedCapacities learned = new LearnedCapacities(declared);
  private long nowMs = 1_000_000;

  @BeforeEach
  void allReport() {
    Arrays.fill(sources, LinkSource.MEASURED);
  }

  private LinkSnapshot snapshot() {
    LinkSnapshot.Builder links = new LinkSnapshot.Builder(topology, declared, nowMs);
    learned.tell(links, nowMs);
    for (int node = 0; node < HOSTS; node++) {
      links
          .host(node, sources[node], 100 * MB, rxMb[node] * MB, txMb[node] * MB, 1, nowMs)
          .saturated(node, losesRx[node], losesTx[node])
          .storage(node, 0);
    }
    return links.build();
  }

  /** Everything stays as it is for some heartbeats. */
  private void stays(int heartbeats) {
    long untilMs = nowMs + heartbeats * HEARTBEAT_MS;
    for (; nowMs < untilMs; nowMs += SNAPSHOT_MS) {
      learned.look(snapshot(), disks);
    }
  }

  /** Rack /a receives so much, its hosts alike, of which some lose data. */
  private void receives(double mb, int losing) {
    for (int node = 0; node < 4; node++) {
      rxMb[node] = mb / 4;
      losesRx[node] = node < losing;
    }
  }

  private void declares(double rackMb, double oversubscription, double diskMb) {
    declared = new NetworkSettings(rackMb * MB, oversubscription, diskMb * MB, HEARTBEAT_MS, 0.1);
    learned = new LearnedCapacities(declared);
  }

  private double learnedMb() {
    return learned.rackBytesPerSec(nowMs) / MB;
  }

  @Test
  void aRackIsAsWideAsItsHostsAsLongAsNoneIsFull() {
    receives(120, 0);
    stays(20);
    assertEquals(0, learnedMb());
    assertEquals(400 * MB, snapshot().rankedRackCapacity(A));
  }

  @Test
  void whatARackCarriesWhileMostOfItsHostsLoseDataIsAFullLinks() {
    receives(120, 3);
    stays(3);
    assertEquals(120, learnedMb(), 1e-9);
    assertEquals(120 * MB, snapshot().rankedRackCapacity(A), 1);
    assertEquals(120 * MB, snapshot().rankedRackCapacity(B), 1, "of every rack");
    assertEquals(400 * MB, snapshot().rackCapacity(A), "recovery and EAFR do not go by it");
  }

  @Test
  void aRackIsNoWiderThanItsHosts() {
    receives(300, 3);
    stays(3);
    assertEquals(200 * MB, snapshot().rankedRackCapacity(B));
  }

  @Test
  void whatIsSentCountsAsWell() {
    txMb[4] = 30;
    txMb[5] = 20;
    losesTx[4] = losesTx[5] = true;
    stays(3);
    assertEquals(50, learnedMb(), 1e-9);
  }

  @Test
  void halfOfTheHostsAreTooFew() {
    receives(120, 2);
    stays(20);
    assertEquals(0, learnedMb());
  }

  @Test
  void aHostThatLosesDataOnItsOwnFullLinkSaysNothingOfTheRacks() {
    receives(4 * 90, 4);
    stays(20);
    assertEquals(0, learnedMb());
  }

  @Test
  void aRackThatCarriesNextToNothingIsNotFull() {
    receives(19, 4);
    stays(20);
    assertEquals(0, learnedMb());
    receives(21, 4);
    stays(20);
    assertEquals(21, learnedMb(), 1e-9);
  }

  @Test
  void aRackOfWhichNotAllHostsReportSaysNothing() {
    receives(120, 3);
    for (LinkSource source : new LinkSource[] {LinkSource.DERIVED, LinkSource.MISSING}) {
      sources[3] = source;
      stays(20);
      assertEquals(0, learnedMb(), source + "");
    }
  }

  @Test
  void aMomentIsNotEnough() {
    for (int moment = 0; moment < 20; moment++) {
      receives(120, 4);
      stays(1);
      receives(120, 0);
      stays(1);
    }
    assertEquals(0, learnedMb());
  }

  @Test
  void theLeastOfAStretchCountsAsReportsOfItsHostsComeOneAfterAnother() {
    receives(200, 4);
    stays(1);
    receives(110, 4);
    stays(2);
    assertEquals(110, learnedMb(), 1e-9);
  }

  @Test
  void moreThanAFullLinkCarriesIsRight() {
    receives(40, 4); // lost on another rack's link
    stays(3);
    assertEquals(40, learnedMb(), 1e-9);
    receives(0, 0);
    rxMb[4] = 80;
    stays(5);
    assertEquals(80, learnedMb(), 1e-9);
  }

  @Test
  void isForgottenWhenNoneIsFullAnyMore() {
    receives(120, 4);
    stays(3);
    receives(120, 0);
    nowMs += TWO_DAYS_MS / 2;
    stays(3);
    assertEquals(120, learnedMb(), 1e-9);
    nowMs += TWO_DAYS_MS / 2;
    stays(3);
    assertEquals(0, learnedMb());
    assertEquals(400 * MB, snapshot().rankedRackCapacity(A));
  }

  @Test
  void aDisksSpeedIsThatOfTheMiddleDataNode() {
    assertEquals(150 * MB, snapshot().diskWriteBytesPerSec(), "a hard disk's");
    disks[0] = 90 * MB;
    disks[1] = 95 * MB;
    stays(5);
    assertEquals(150 * MB, snapshot().diskWriteBytesPerSec());
    disks[2] = 1e12;
    stays(5);
    assertEquals(95 * MB, snapshot().diskWriteBytesPerSec());
  }

  @Test
  void whatIsDeclaredWins() {
    declares(0, 4, 200);
    receives(80, 4);
    Arrays.fill(disks, 100 * MB);
    stays(20);
    assertEquals(80, learnedMb(), 1e-9);
    assertEquals(100 * MB, snapshot().rankedRackCapacity(A));
    assertEquals(200 * MB, snapshot().diskWriteBytesPerSec());
    assertFalse(learned.disagreement().isPresent(), "within what is not known exactly");
  }

  @Test
  void saysWhereADeclarationIsFarOff() {
    declares(300, 0, 0);
    receives(100, 4);
    stays(2);
    learned.look(snapshot(), disks);
    assertEquals(
        "a rack's link is full at 100 MB/s, and 300 is declared",
        learned.disagreement().orElseThrow());
    declares(0, 1, 150);
    receives(0, 0);
    Arrays.fill(disks, 20 * MB);
    stays(20);
    assertEquals(
        "busy disks write 20 MB/s, and 150 is declared", learned.disagreement().orElseThrow());
  }
}
