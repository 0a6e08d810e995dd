package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;

/** What is made of runs: figures beside stock, tables, JSON, page. */
class WritesResultTest {

  private static final List<String> KEYS_OF_THE_DEMO =
      List.of(
          "block_write_mean_s",
          "block_write_p95_s",
          "cold_writer_mean_s",
          "hot_target_avoided",
          "link_cv_median",
          "storage_cv",
          "blocks",
          "bytes_verified",
          "fallbacks");

  private static final Layout LAYOUT = LayoutFixture.layout(2, 1);

  private final WritesResult both =
      ResultFixture.result(5, TestbedPolicy.STOCK, TestbedPolicy.SINBAD);
  private final WritesBesideStock beside = both.beside(TestbedPolicy.SINBAD);

  @Test
  void speedUpIsStocksTimeOverThePolicys() {
    // (40 x 8 + 60 x 1) / 100 against (2 x 8 + 98 x 1) / 100, each seed a little slower than the
    // last.
    assertEquals(3.8 / 1.14, beside.runs().speedUp(WritesFigures.COLD_WRITER_MEAN).mean(), 1e-9);
    assertEquals(5, beside.runs().speedUp(WritesFigures.COLD_WRITER_MEAN).seeds());
  }

  @Test
  void speedUpOfWritersWhoStayColdIsOfWhatTheyMet() {
    assertEquals(3.8 / 1.14, beside.runs().speedUp(WritesFigures.COLD_WHILE_WRITTEN).mean(), 1e-9);
    assertTrue(new WritesTable(both).text().contains("target hot at some time, mean"));
    JsonNode json = WritesJson.tree(both).path("beside_stock").path("sinbad");
    assertEquals(3.333333, json.path("cold_writer_throughout_speed_up").path("mean").asDouble());
  }

  @Test
  void avoidedIsWhatIsLeftOfStocksShareOfHotTargets() {
    assertEquals(1 - 0.02 / 0.4, beside.hotTargetAvoided().mean(), 1e-9);
    assertTrue(beside.hotTargetAvoided().low() <= beside.hotTargetAvoided().high());
  }

  @Test
  void settledLeavesOutWhatCameJustAfterTheLoadMoved() {
    // Of the 25 blocks just after, ten had a hot target; of the 75 others, thirty.
    double settled =
        WritesFigures.SETTLED_COLD_TO_HOT.of().applyAsDouble(both.results().runs().get(0));
    assertEquals(30 / 75.0, settled, 1e-9);
    double sinbad =
        WritesFigures.SETTLED_COLD_TO_HOT.of().applyAsDouble(both.results().runs().get(1));
    assertEquals(1 / 75.0, sinbad, 1e-9);
  }

  @Test
  void ceilingIsStockWithAllItsColdWritersMeetingNoHotRack() {
    // Seed 1: 100 blocks at 1.01 s, 50 of hot writers at 8.08 s.
    double ceiling = WritesFigures.CEILING.of().applyAsDouble(both.results().runs().get(0));
    assertEquals((100 * 1.01 + 50 * 8.08) / 150, ceiling, 1e-9);
    assertEquals(780.0 / 500, beside.ceilingSpeedUp().mean(), 1e-9);
  }

  @Test
  void mustsAreMetOrMissedByTheirMeans() {
    List<Boolean> met = beside.musts().stream().map(WritesBesideStock.Must::met).toList();
    assertEquals(List.of(true, true, true, true), met);
    List<Boolean> againstItself =
        new WritesBesideStock(
                new BesideBaseline<>(beside.runs().baseline(), beside.runs().baseline()))
            .musts().stream().map(WritesBesideStock.Must::met).toList();
    assertEquals(List.of(false, false, false, true), againstItself);
  }

  @Test
  void differenceIsThePolicysLessStocks() {
    assertEquals(0.2 - 0.8, beside.runs().difference(WritesFigures.LINK_CV).mean(), 1e-9);
    assertEquals(0.05, beside.runs().difference(WritesFigures.STORAGE_CV).mean(), 1e-9);
  }

  @Test
  void tableShowsSpreadWhereThereIsOne() {
    String figures = new WritesTable(both).figures().text();
    assertTrue(figures.lines().findFirst().orElseThrow().strip().matches("stock +sinbad"));
    assertTrue(
        figures.lines().anyMatch(line -> line.matches("writer cold, mean +3.91 s ± 0.06 +1.1.*")),
        figures);
    WritesResult quick = ResultFixture.result(1, TestbedPolicy.STOCK, TestbedPolicy.SINBAD);
    assertFalse(new WritesTable(quick).figures().text().contains("±"));
  }

  @Test
  void tableMarksRunsThatWereDisturbedAllTheSame() {
    String runs = new WritesTable(both).runs().text();
    List<String> disturbed = runs.lines().filter(line -> line.endsWith("disturbed")).toList();
    assertEquals(1, disturbed.size());
    assertTrue(disturbed.get(0).startsWith("seed 2, sinbad"));
  }

  @Test
  void jsonHasTheKeysOfTheDemo() {
    JsonNode json = WritesJson.tree(both);
    for (String policy : List.of("stock", "sinbad")) {
      for (String key : KEYS_OF_THE_DEMO) {
        assertTrue(json.path(policy).path(key).isNumber(), policy + " " + key);
      }
    }
    assertEquals(750, json.path("stock").path("blocks").asInt());
    assertEquals(5, json.path("sinbad").path("fallbacks").asInt());
    JsonNode must = json.path("beside_stock").path("sinbad").path("cold_writer_speed_up");
    assertEquals(3.333333, must.path("mean").asDouble());
    assertTrue(must.path("met").asBoolean());
    assertEquals(10, json.path("runs").size());
  }

  @Test
  void jsonSaysNullWhereOneSeedHasNoSpread() {
    JsonNode json = WritesJson.tree(ResultFixture.result(1, TestbedPolicy.STOCK));
    assertTrue(json.path("stock").path("spread").path("storage_cv").path("sd").isNull());
    assertTrue(json.path("beside_stock").isEmpty());
  }

  @Test
  void pageNeedsNothingBesideItself() {
    String html = new WritesReport(both, LAYOUT).html();
    assertTrue(html.contains("rack is cold, sinbad writes a block 3.3 times as fast"));
    assertTrue(html.contains("two &lt;fast&gt; cores"));
    assertFalse(html.contains("<script"));
    assertFalse(html.contains("http"));
    assertFalse(html.contains("NaN"));
  }

  @Test
  void pageShowsOnePolicyWhenOneRan() {
    String html = new WritesReport(ResultFixture.result(1, TestbedPolicy.STOCK), LAYOUT).html();
    assertTrue(html.contains("Block writes on a testbed"));
    assertFalse(html.contains("NaN"));
  }
}
