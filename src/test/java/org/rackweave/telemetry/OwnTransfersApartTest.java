package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Links ranked by what others leave, shared by our own transfers under way. */
class OwnTransfersApartTest {

  private static final double MB = 1e6;
  private static final long BLOCK = 8_000_000;
  private static final CollectorSettings COLLECTOR =
      new CollectorSettings(0.5, 15_000, 300_000, 600_000, 100 * MB, true);
  private static final NetworkSettings APART =
      new NetworkSettings(100 * MB, 1, 1e12, 1000, 1, Promise.SHARE);
  private static final ClusterTopology TWO_RACKS =
      ClusterTopology.of(
          List.of(
              new NodePlace("a0", "/a", null),
              new NodePlace("a1", "/a", null),
              new NodePlace("b0", "/b", null),
              new NodePlace("b1", "/b", null)));
  private static final int A = 0;
  private static final int B = 1;

  private final FakeAgent[] agents = new FakeAgent[4];
  private final NodeEstimate[] estimates = new NodeEstimate[4];
  private final int[] underWay = new int[4];
  private long nowMs = 1000;

  OwnTransfersApartTest() {
    for (int node = 0; node < 4; node++) {
      agents[node] = new FakeAgent(7);
      estimates[node] = new NodeEstimate(COLLECTOR, false);
      estimates[node].accept(agents[node].report(), nowMs, agents[node].wallMs());
    }
    second(0, 0, 0, 0);
  }

  /** A second passes in which every host receives so much, and all of them report. */
  private void second(long... rxMb) {
    nowMs += 1000;
    for (int node = 0; node < 4; node++) {
      agents[node].runs(1000, rxMb[node], 0);
      assertNull(estimates[node].accept(agents[node].report(), nowMs, agents[node].wallMs()));
    }
  }

  /** The same where agents also count how many of the bytes were of blocks. */
  private void second(long rx0, long rx1, long rx2, long rx3, long blockMb) {
    for (FakeAgent agent : agents) {
      agent.receivesBlocks(blockMb);
    }
    second(new long[] {rx0, rx1, rx2, rx3});
  }

  private LinkLedger ledger(NetworkSettings settings) {
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(TWO_RACKS, settings, nowMs);
    for (int node = 0; node < 4; node++) {
      estimates[node].settle(underWay[node]);
      estimates[node].copyTo(snapshot, node, nowMs);
      snapshot.storage(node, 0);
    }
    return new LinkLedger(snapshot.build(), null, estimates);
  }

  private LinkLedger ledger() {
    return ledger(APART);
  }

  /** A block comes into a rack and is passed on to its second host. */
  private void order(LinkLedger links, int rack) {
    int first = TWO_RACKS.firstNode(rack);
    links.reserve(new int[] {first, first + 1}, 0, 2, true, BLOCK, nowMs);
    underWay[first]++;
    underWay[first + 1]++;
  }

  @Test
  void ourOwnBytesAreNoLoadOfOthers() {
    order(ledger(), A);
    second(8, 8, 8, 8);
    LinkSnapshot seen = ledger().snapshot();
    assertEquals(0, seen.rackOthersRx(A), 1e-6);
    assertEquals(0.5 * 16 * MB, seen.rackOthersRx(B), 1e-6);
    assertEquals(0.5 * 16 * MB, seen.rackRx(A), 1e-6, "what is measured stays what it is");
  }

  @Test
  void roomIsSharedByTransfersUnderWay() {
    LinkLedger links = ledger();
    assertEquals(100 * MB, links.expectedAtRack(A), 1e-6);
    order(links, A);
    assertEquals(50 * MB, links.expectedAtRack(A), 1e-6);
    assertEquals(50 * MB, links.expectedAtHost(0), 1e-6);
    assertEquals(50 * MB, links.expectedAtHost(1), 1e-6);
    order(links, A);
    assertEquals(100 * MB / 3, links.expectedAtRack(A), 1e-6);
    assertEquals(100 * MB, links.expectedAtRack(B), 1e-6);
  }

  @Test
  void aTransferCountsUntilItHasArrivedWhateverIsMeasured() {
    order(ledger(), A);
    second(4, 4, 0, 0);
    assertEquals(50 * MB, ledger().expectedAtRack(A), 1e-6);
    underWay[0] = 0;
    underWay[1] = 0;
    assertEquals(100 * MB, ledger().expectedAtRack(A), 1e-6);
  }

  @Test
  void aWriterOnTheNodeLoadsNoLink() {
    LinkLedger links = ledger();
    links.orderLocally(0);
    underWay[0]++;
    assertEquals(100 * MB, ledger().expectedAtHost(0), 1e-6);
    assertEquals(100 * MB, ledger().expectedAtRack(A), 1e-6);
  }

  /** Our writes fill a link for a second now and then, others fill it for good. */
  @Test
  void aRackThatOthersLoadIsAvoidedThoughOursLoadAnotherAsMuch() {
    LinkLedger links = ledger();
    for (int second = 0; second < 4; second++) {
      order(links, A);
      second(8, 8, 8, 8);
      underWay[0] = 0;
      underWay[1] = 0;
      links = ledger();
      second(0, 0, 8, 8);
      links = ledger();
    }
    assertEquals(A, links.racks(new Random(1)).next());
    assertEquals(100 * MB, links.expectedAtRack(A), 1e-6);
  }

  /** Counters of a full link cannot tell who fills it; what filled it before is likelier. */
  @Test
  void aTransferThatCrawlsAlongALinkOthersFillDoesNotMakeItLookFree() {
    for (int i = 0; i < 20; i++) {
      second(90, 90, 0, 0);
    }
    for (int i = 0; i < 3; i++) {
      order(ledger(), A);
      second(90, 90, 0, 0);
      assertTrue(ledger().snapshot().hostOthersRx(0) > (85 - 5 * i) * MB, "after " + (i + 1));
    }
    assertEquals(B, ledger().racks(new Random(1)).next());
  }

  /** Where the agent counts the bytes of blocks nothing has to be guessed. */
  @Test
  void othersThatComeWhileOursAreUnderWayAreNoticedAtOnce() {
    order(ledger(), A);
    second(0, 0, 0, 0, 1);
    order(ledger(), A);
    second(90, 90, 0, 0, 2);
    assertEquals(0.5 * 88 * MB, ledger().snapshot().hostOthersRx(0), 1e-6);
    order(ledger(), B);
    second(0, 0, 8, 8, 8);
    assertEquals(0, ledger().snapshot().hostOthersRx(2), 1e-6);
  }

  @Test
  void aBriefPauseOfOthersIsNotTakenForTheirEnd() {
    estimates[0].orderLocally();
    for (int i = 0; i < 20; i++) {
      second(90, 90, 0, 0);
    }
    second(40, 40, 0, 0);
    assertEquals((0.9 * 90 + 0.1 * 40) * MB, ledger().snapshot().hostOthersRx(0), 1e-2 * MB);
    second(90, 90, 0, 0);
    assertEquals((0.95 * 90 + 0.05 * 40) * MB, ledger().snapshot().hostOthersRx(0), 1e-2 * MB);
  }

  @Test
  void othersAreForgottenWhenTheyLeaveThoughOursAreUnderWay() {
    for (int i = 0; i < 20; i++) {
      second(90, 90, 0, 0);
    }
    order(ledger(), A);
    for (int i = 0; i < 20; i++) {
      second(2, 2, 0, 0);
    }
    assertTrue(ledger().snapshot().hostOthersRx(0) < 15 * MB);
  }

  @Test
  void fullLinksAreRankedByOurTransfersOnThem() {
    for (int i = 0; i < 20; i++) {
      second(100, 100, 100, 100);
    }
    LinkLedger links = ledger();
    order(links, A);
    assertEquals(B, links.racks(new Random(1)).next());
    assertEquals(1 * MB, links.expectedAtRack(B), 1e-3);
  }

  @Test
  void nothingIsToldApartUnlessThatIsAskedFor() {
    NetworkSettings paper = new NetworkSettings(100 * MB, 1, 1e12, 1000, 1);
    order(ledger(paper), A);
    second(8, 8, 8, 8);
    LinkLedger links = ledger(paper);
    assertEquals(links.expectedAtRack(B), links.expectedAtRack(A), 1e-6);
    assertEquals(0, links.snapshot().rackTransfers(A));
  }
}
