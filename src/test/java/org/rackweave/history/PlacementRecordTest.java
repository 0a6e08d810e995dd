package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.history.PlacementRecord.Expected;
import org.rackweave.history.PlacementRecord.Ranking;
import org.rackweave.history.PlacementRecord.Refused;
import org.rackweave.history.PlacementRecord.Target;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.Refusal;
import org.rackweave.telemetry.ClusterFixture;

class PlacementRecordTest {
  private static final Target LOCAL = new Target("/r1/10.0.0.3:9866", 100e6, 125e6, 400);
  private static final Target REMOTE = new Target("/r7/10.0.7.1:9866", 112e6, 125e6, 1200);
  private static final Refused FULL = new Refused("/r2/10.0.2.2:9866", Refusal.NO_SPACE);

  private static PlacementRecord record(
      FallbackReason fallback, List<Target> ours, List<String> stock, Expected expected) {
    return new PlacementRecord(
        0,
        "/warehouse/a",
        true,
        134_217_728,
        LOCAL.place(),
        Ranking.NETWORK,
        fallback,
        ours,
        stock,
        List.of(FULL),
        expected);
  }

  @Test
  void readsLikeASentence() {
    assertEquals(
        "134.2 MB, written on /r1/10.0.0.3:9866. Chosen by room on links: /r1/10.0.0.3:9866"
            + " (local), /r7/10.0.7.1:9866 (112 of 125 MB/s free, measured 1.2 s before). Expected"
            + " time: 1.2 s; where stock puts blocks at random 3.4 s on average, and 9.1 s or more"
            + " for one in ten. Refused: /r2/10.0.2.2:9866 (no space).",
        record(
                null,
                List.of(LOCAL, REMOTE),
                List.of(),
                new Expected(1.2, Double.NaN, 3.4, 9.1, 0, 0))
            .sentence());
  }

  @Test
  void saysWhatStockChoseAndWhy() {
    String shadow =
        record(FallbackReason.SHADOW_MODE, List.of(REMOTE), List.of(LOCAL.place()), null)
            .sentence();
    assertTrue(
        shadow.startsWith(
            "134.2 MB, written on /r1/10.0.0.3:9866. Chosen by stock HDFS (shadow-mode):"
                + " /r1/10.0.0.3:9866. By room on links it would have been: /r7/10.0.7.1:9866 (112"),
        shadow);
    String failed = record(FallbackReason.LOW_COVERAGE, List.of(), List.of(), null).sentence();
    assertTrue(failed.contains("Chosen by stock HDFS (low-coverage): none. Refused:"), failed);
  }

  @Test
  void isFoundByTheDataNodesItNames() {
    PlacementRecord record = record(null, List.of(LOCAL, REMOTE), List.of(), null);
    assertTrue(record.names("10.0.7.1:9866"));
    assertTrue(record.names("10.0.7.1"));
    assertTrue(record.names("/r7/10.0.7.1:9866"));
    assertTrue(record.names("10.0.2.2"), "refused");
    assertFalse(record.names("10.0.7.1:98"));
    assertFalse(record.names("10.0.7"));
    assertTrue(record.names("/r7"), "its rack");
    assertFalse(record.names("/r"));
    assertEquals(1, record.chosenAmong(List.of("10.0.7.1:9866", "10.0.2.2:9866")));
    PlacementRecord stocks =
        record(FallbackReason.RULE, List.of(REMOTE), List.of(LOCAL.place()), null);
    assertEquals(0, stocks.chosenAmong(List.of("10.0.7.1:9866")), "stock's went elsewhere");
    assertEquals(1, stocks.chosenAmong(List.of("10.0.0.3:9866")));
  }

  @Test
  void keepsOnlyTheEndOfAVeryLongPath() {
    String longPath = "/x".repeat(3000) + "/end";
    PlacementRecord record =
        new PlacementRecord(
            0,
            longPath,
            false,
            1,
            null,
            null,
            FallbackReason.RULE,
            List.of(),
            List.of(),
            List.of(),
            null);
    assertEquals(1000, record.path().length());
    assertTrue(record.path().endsWith("/end"));
  }

  @Test
  void takesFiguresFromTheLinksAndTheFirstOfTheRefused() {
    ClusterFixture links = cluster().rack("/a", 40, 0).rack("/b", 10, 0);
    List<Target> targets = PlacementRecord.targets(links.ledger(), links.nodes("/a/0", "/b/1"));
    assertEquals("/a//a/0", targets.get(0).place());
    assertEquals(60 * ClusterFixture.MB, targets.get(0).freeBytesPerSec(), 1);
    assertEquals(100 * ClusterFixture.MB, targets.get(0).linkBytesPerSec(), 1);
    int[] pairs = new int[100];
    for (int i = 0; i < pairs.length; i += 2) {
      pairs[i] = i % 4;
      pairs[i + 1] = Refusal.NO_SPACE.ordinal();
    }
    List<Refused> refused =
        PlacementRecord.refused(
            links.topology(), PlacementDecision.fallback(FallbackReason.SEARCH_LIMIT, pairs));
    assertEquals(16, refused.size());
    assertEquals(new Refused("/a//a/0", Refusal.NO_SPACE), refused.get(0));
  }
}
