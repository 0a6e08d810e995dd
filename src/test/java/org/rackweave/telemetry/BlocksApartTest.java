package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Links ranked by what others leave, shared by the blocks under way. Rates are MB/s. */
class BlocksApartTest {

  private static final double MB = 1e6;

  /** Rates travel with an error of 0.36 %. */
  private static final double EPSILON = 0.1 * MB;

  /** The same of a difference of two. */
  private static final double ROUNDED = 4 * EPSILON;

  private static final long BLOCK = 8_000_000;
  private static final int REST = 0;
  private static final CollectorSettings COLLECTOR =
      new CollectorSettings(Smoothing.CURRENT, 15_000, 300_000, 600_000, 100 * MB, true);
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

  BlocksApartTest() {
    for (int node = 0; node < 4; node++) {
      agents[node] = new FakeAgent(7);
      estimates[node] = new NodeEstimate(COLLECTOR, false);
      reports(node, 0, 0, 0);
    }
  }

  /** A second passes, then an agent says what it receives now, and how much of it is of blocks. */
  private void reports(int node, double rxMb, double blocksMb, int writers) {
    nowMs += 1000;
    double others = Math.max(0, rxMb - blocksMb);
    agents[node]
        .runs(1000, Math.round(rxMb), REST)
        .sees(new LinkRates(rxMb * MB, 0, others * MB, blocksMb * MB, rxMb * MB, 0, 0, 0))
        .writers(writers);
    assertNull(estimates[node].accept(agents[node].report(), nowMs, agents[node].wallMs()));
  }

  /** The same of a host that receives no others than blocks, and sends. */
  private void sends(int node, double rxMb, double blocksMb, double txMb) {
    nowMs += 1000;
    agents[node]
        .runs(1000, Math.round(rxMb), Math.round(txMb))
        .sees(new LinkRates(rxMb * MB, txMb * MB, 0, blocksMb * MB, rxMb * MB, txMb * MB, 0, 0))
        .writers(underWay[node]);
    assertNull(estimates[node].accept(agents[node].report(), nowMs, agents[node].wallMs()));
  }

  private LinkLedger ledger(NetworkSettings settings, LinkLedger previous) {
    LinkSnapshot.Builder snapshot = new LinkSnapshot.Builder(TWO_RACKS, settings, nowMs);
    for (int node = 0; node < 4; node++) {
      estimates[node].settle(underWay[node]);
      estimates[node].copyTo(snapshot, node, nowMs);
      snapshot.storage(node, 0);
    }
    return new LinkLedger(snapshot.build(), previous, estimates);
  }

  private LinkLedger ledger() {
    return ledger(APART, null);
  }

  /** A block comes into a rack and is passed on to its second host. */
  private void order(LinkLedger links, int rack) {
    int first = TWO_RACKS.firstNode(rack);
    links.reserve(new int[] {first, first + 1}, 0, 2, true, BLOCK, nowMs);
    underWay[first]++;
    underWay[first + 1]++;
  }

  @Test
  void blocksAreNoLoadOfOthers() {
    order(ledger(), A);
    reports(0, 60, 50, 1);
    LinkSnapshot seen = ledger().snapshot();
    assertEquals(10 * MB, seen.hostOthersRx(0), EPSILON);
    assertEquals(10 * MB, seen.rackOthersRx(A), EPSILON);
    assertEquals(60 * MB, seen.rackRx(A), 0.01 * 60 * MB, "what is measured stays what it is");
  }

  @Test
  void roomIsSharedByBlocksUnderWay() {
    LinkLedger links = ledger();
    assertEquals(100 * MB, links.expectedAtRack(A), EPSILON);
    order(links, A);
    assertEquals(50 * MB, links.expectedAtRack(A), EPSILON);
    assertEquals(50 * MB, links.expectedAtHost(0), EPSILON);
    assertEquals(50 * MB, links.expectedAtHost(1), EPSILON);
    order(links, A);
    assertEquals(100 * MB / 3, links.expectedAtRack(A), EPSILON);
    assertEquals(100 * MB, links.expectedAtRack(B), EPSILON);
  }

  /** A rack's link may be wide enough for several disks. */
  @Test
  void blocksUnderWayShareAHostsDiskButEachOfARackHasItsOwn() {
    NetworkSettings slowDisks = new NetworkSettings(100 * MB, 1, 20 * MB, 1000, 1, Promise.SHARE);
    LinkLedger links = ledger(slowDisks, null);
    for (int blocks = 0; blocks < 5; blocks++) {
      assertEquals(20 * MB, links.expectedAtRack(A), EPSILON, blocks + " under way");
      assertEquals(20 * MB / (1 + blocks), links.expectedAtHost(0), EPSILON);
      links.reserve(0, true, BLOCK, nowMs);
    }
    assertEquals(100 * MB / 6, links.expectedAtRack(A), EPSILON);
  }

  @Test
  void aBlockCountsUntilItHasArrivedWhateverIsMeasured() {
    order(ledger(), A);
    reports(0, 4, 4, 1);
    reports(1, 4, 4, 1);
    assertEquals(50 * MB, ledger().expectedAtRack(A), EPSILON);
    underWay[0] = 0;
    underWay[1] = 0;
    assertEquals(100 * MB, ledger().expectedAtRack(A), EPSILON);
  }

  @Test
  void aWriterOnTheNodeLoadsNoLink() {
    LinkLedger links = ledger();
    links.orderLocally(0);
    underWay[0]++;
    assertEquals(100 * MB, ledger().expectedAtHost(0), EPSILON);
    assertEquals(100 * MB, ledger().expectedAtRack(A), EPSILON);
  }

  /** The agent counts a block of a local writer among blocks, though it is not among the bytes. */
  @Test
  void othersAreSeenBesideAWriterOnTheNode() {
    LinkLedger links = ledger();
    links.orderLocally(0);
    underWay[0]++;
    reports(0, 40, 90, 1);
    assertEquals(40 * MB, ledger().snapshot().hostOthersRx(0), 0.01 * 40 * MB);
  }

  /** Of a local and a remote block, each is taken for half of what was counted. */
  @Test
  void aLocalAndARemoteBlockShareWhatIsCounted() {
    order(ledger(), A);
    ledger().orderLocally(0);
    underWay[0]++;
    reports(0, 60, 80, 2);
    assertEquals(40 * MB, ledger().snapshot().hostOthersRx(0), 0.01 * 40 * MB);
    assertEquals(1, ledger().snapshot().hostTransfers(0));
  }

  /** Another namespace's writers, or those of before a failover. */
  @Test
  void blocksThatOthersOrderedShareTheLinkToo() {
    order(ledger(), A);
    reports(0, 60, 60, 3);
    LinkSnapshot seen = ledger().snapshot();
    assertEquals(3, seen.hostTransfers(0));
    assertEquals(0, seen.hostOthersRx(0), EPSILON);
    assertEquals(100 * MB / 4, ledger().expectedAtHost(0), EPSILON);
    reports(0, 20, 20, 1);
    assertEquals(1, ledger().snapshot().hostTransfers(0), "ours alone");
  }

  @Test
  void othersThatComeWhileOursAreUnderWayAreNoticedAtOnce() {
    order(ledger(), A);
    reports(0, 90, 2, 1);
    assertEquals(88 * MB, ledger().snapshot().hostOthersRx(0), 0.01 * 88 * MB);
    assertEquals(B, ledger().racks(new Random(1)).next());
  }

  @Test
  void fullLinksAreRankedByTheBlocksOnThem() {
    for (int node = 0; node < 4; node++) {
      reports(node, 100, 0, 0);
    }
    LinkLedger links = ledger();
    order(links, A);
    assertEquals(B, links.racks(new Random(1)).next());
    assertEquals(1 * MB, links.expectedAtRack(B), EPSILON);
  }

  /** What it passes on is ours; what a writer on it sends is not to be had by others. */
  @Test
  void whatIsSentForAWriterOnTheNodeIsOfOthers() {
    order(ledger(), A);
    sends(0, 60, 60, 60);
    assertEquals(0, ledger().snapshot().hostOthersTx(0), ROUNDED);
    assertEquals(50 * MB, ledger().expectedThroughHost(0), ROUNDED);
    underWay[0]--;
    ledger().orderLocally(0);
    underWay[0]++;
    ledger();
    sends(0, 0, 60, 60);
    assertEquals(60 * MB, ledger().snapshot().hostOthersTx(0), ROUNDED);
    assertEquals(40 * MB, ledger().expectedThroughHost(0), ROUNDED);
    assertEquals(100 * MB, ledger().expectedAtHost(0), ROUNDED);
  }

  /** Readers take the way out, which is what a host needs that passes blocks on. */
  @Test
  void whatReadersTakeIsOfOthers() {
    sends(0, 10, 10, 80);
    assertEquals(70 * MB, ledger().snapshot().hostOthersTx(0), ROUNDED);
    assertEquals(70 * MB, ledger().snapshot().rackOthersTx(A), ROUNDED);
    assertEquals(30 * MB, ledger().expectedThroughHost(0), ROUNDED);
    assertEquals(100 * MB, ledger().expectedAtHost(0), ROUNDED);
    assertEquals(1, ledger().passingHosts(A, new Random(1)).next());
  }

  /** Hosts with and without a DataNode plugin in one rack. */
  @Test
  void aHostThatDoesNotTellBlocksApartTakesWholeBlocks() {
    agents[1].sees(new LinkRates(0, 0, 0, LinkRates.UNKNOWN, 0, 0, 0, 0));
    agents[1].runs(1000, 0, 0);
    estimates[1].accept(agents[1].report(), nowMs, agents[1].wallMs());
    LinkLedger links = ledger();
    links.reserve(1, true, BLOCK, nowMs);
    assertEquals(92 * MB, links.expectedAtHost(1), EPSILON);
    assertEquals(92 * MB, links.expectedAtRack(A), EPSILON, "promised, not under way");
    links.reserve(0, true, BLOCK, nowMs);
    assertEquals(50 * MB, links.expectedAtHost(0), EPSILON);
    assertEquals(46 * MB, links.expectedAtRack(A), EPSILON);
    LinkLedger next = ledger(APART, links);
    assertEquals(92 * MB, next.expectedAtHost(1), EPSILON, "no measurement since");
    agents[1].runs(1000, 0, 0);
    estimates[1].accept(agents[1].report(), nowMs, agents[1].wallMs());
    assertEquals(100 * MB, ledger(APART, next).expectedAtHost(1), EPSILON);
  }

  @Test
  void nothingIsToldApartByThePapersEstimate() {
    NetworkSettings paper = new NetworkSettings(100 * MB, 1, 1e12, 1000, 1);
    order(ledger(paper, null), A);
    reports(0, 8, 8, 1);
    LinkLedger links = ledger(paper, null);
    assertTrue(links.expectedAtHost(0) < 93 * MB, "all that is received is load");
    order(links, A);
    assertTrue(links.expectedAtHost(0) < 85 * MB, "and whole blocks are promised");
  }
}
