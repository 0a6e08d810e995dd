package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of runs: figures beside stock, tables, JSON, page. */
class WritesExperimentTest {

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

  private final Report<WritesRun> both =
      ResultFixture.result(5, WritesExperiment.STOCK, WritesExperiment.SINBAD);
  private final Results.Pair<WritesRun> beside = both.results().beside(WritesExperiment.SINBAD);

  @Test
  void speedUpIsStocksTimeOverThePolicys() {
    // (40 x 8 + 60 x 1) / 100 against (2 x 8 + 98 x 1) / 100, each seed a little slower than the
    // last.
    assertEquals(3.8 / 1.14, beside.speedUp(WritesFigures.COLD_WRITER_MEAN).mean(), 1e-9);
    assertEquals(5, beside.speedUp(WritesFigures.COLD_WRITER_MEAN).seeds());
  }

  @Test
  void speedUpOfWritersWhoStayColdIsOfWhatTheyMet() {
    assertEquals(3.8 / 1.14, beside.speedUp(WritesFigures.COLD_WHILE_WRITTEN).mean(), 1e-9);
    assertTrue(both.text().contains("target hot at some time, mean"));
    JsonNode json = both.json().path("beside_stock").path("sinbad");
    assertEquals(3.333333, json.path("cold_writer_throughout_speed_up").path("mean").asDouble());
  }

  @Test
  void avoidedIsWhatIsLeftOfStocksShareOfHotTargets() {
    assertEquals(1 - 0.02 / 0.4, WritesExperiment.AVOIDED.of().apply(beside).mean(), 1e-9);
    assertTrue(
        WritesExperiment.AVOIDED.of().apply(beside).low()
            <= WritesExperiment.AVOIDED.of().apply(beside).high());
  }

  @Test
  void settledLeavesOutWhatCameJustAfterTheLoadMoved() {
    // Of the 25 blocks just after, ten had a hot target; of the 75 others, thirty.
    double settled =
        WritesFigures.SETTLED_COLD_TO_HOT
            .of()
            .applyAsDouble(both.results().runs().get(0).figures());
    assertEquals(30 / 75.0, settled, 1e-9);
    double sinbad =
        WritesFigures.SETTLED_COLD_TO_HOT
            .of()
            .applyAsDouble(both.results().runs().get(1).figures());
    assertEquals(1 / 75.0, sinbad, 1e-9);
  }

  @Test
  void ceilingIsStockWithAllItsColdWritersMeetingNoHotRack() {
    // Seed 1: 100 blocks at 1.01 s, 50 of hot writers at 8.08 s.
    double ceiling =
        WritesFigures.CEILING.of().applyAsDouble(both.results().runs().get(0).figures());
    assertEquals((100 * 1.01 + 50 * 8.08) / 150, ceiling, 1e-9);
    assertEquals(780.0 / 500, WritesExperiment.CEILING.of().apply(beside).mean(), 1e-9);
  }

  private List<Boolean> met(Results.Pair<WritesRun> pair) {
    return both.experiment().definition().beside().stream()
        .filter(one -> !one.wanted().isEmpty())
        .map(one -> one.isReached().test(one.of().apply(pair).mean()))
        .toList();
  }

  private static JsonNode json(Report<WritesRun> report) {
    return report.json();
  }

  @Test
  void mustsAreMetOrMissedByTheirMeans() {
    assertEquals(List.of(true, true, true, true), met(beside));
    List<Boolean> againstItself = met(new Results.Pair<>(beside.baseline(), beside.baseline()));
    assertEquals(List.of(false, false, false, true), againstItself);
  }

  @Test
  void differenceIsThePolicysLessStocks() {
    assertEquals(0.2 - 0.8, beside.difference(WritesFigures.LINK_CV).mean(), 1e-9);
    assertEquals(0.05, beside.difference(WritesFigures.STORAGE_CV).mean(), 1e-9);
  }

  @Test
  void tableShowsSpreadWhereThereIsOne() {
    String figures = both.figures().text();
    assertTrue(figures.lines().findFirst().orElseThrow().strip().matches("stock +sinbad"));
    assertTrue(
        figures.lines().anyMatch(line -> line.matches("writer cold, mean +3.91 s ± 0.06 +1.1.*")),
        figures);
    Report<WritesRun> quick =
        ResultFixture.result(1, WritesExperiment.STOCK, WritesExperiment.SINBAD);
    assertFalse(quick.figures().text().contains("±"));
  }

  @Test
  void tableMarksRunsThatWereDisturbedAllTheSame() {
    String runs = both.runs().text();
    List<String> disturbed = runs.lines().filter(line -> line.endsWith("disturbed")).toList();
    assertEquals(1, disturbed.size());
    assertTrue(disturbed.get(0).startsWith("seed 2, sinbad"));
  }

  @Test
  void jsonHasTheKeysOfTheDemo() {
    JsonNode json = both.json();
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
    JsonNode json = json(ResultFixture.result(1, WritesExperiment.STOCK));
    assertTrue(json.path("stock").path("spread").path("storage_cv").path("sd").isNull());
    assertTrue(json.path("beside_stock").isEmpty());
  }

  @Test
  void pageNeedsNothingBesideItself() {
    String html = both.html();
    assertTrue(html.contains("rack is cold, sinbad writes a block 3.3 times as fast"));
    assertTrue(html.contains("two &lt;fast&gt; cores"));
    assertFalse(html.contains("<script"));
    assertFalse(html.contains("http"));
    assertFalse(html.contains("NaN"));
  }

  @Test
  void pageShowsOnePolicyWhenOneRan() {
    String html = ResultFixture.result(1, WritesExperiment.STOCK).html();
    assertTrue(html.contains("Block writes on a testbed"));
    assertFalse(html.contains("NaN"));
  }

  @Test
  void everyClassHasItsRatioToStockWithItsInterval() {
    JsonNode json = both.json();
    JsonNode classes = json.path("sinbad").path("classes");
    JsonNode free = classes.path("writer_and_target_free");
    assertEquals(1, free.path("ratio").asDouble(), 1e-6);
    assertEquals(1, free.path("low").asDouble(), 1e-6);
    assertEquals(1, free.path("high").asDouble(), 1e-6);
    assertFalse(free.path("slower").asBoolean());
    assertEquals(490, free.path("blocks").asInt());
    assertEquals(300, free.path("blocks_stock").asInt());
    assertTrue(free.path("block_write_mean_s").isNumber(), "as before");
    assertTrue(classes.path("writer_free_target_hot_throughout").path("ratio").isNumber());
    assertTrue(classes.path("writer_hot_target_hot").path("ratio").isNull(), "no such blocks");
    assertFalse(json.path("beside_stock").path("sinbad").path("any_class_slower").asBoolean());
    assertTrue(json.path("stock").path("classes").path("writer_hot").path("ratio").isMissingNode());
  }

  @Test
  void aClassIsSlowerWhenEvenTheUpperEndOfItsIntervalIs() {
    Report<WritesRun> slow =
        ResultFixture.result(
            5, WritesExperiment.STOCK, ResultFixture.TWICE_AS_SLOW_WHERE_WRITERS_ARE_HOT);
    JsonNode json = json(slow);
    JsonNode beside = json.path("beside_stock").path("sinbad-tuned");
    assertTrue(beside.path("any_class_slower").asBoolean());
    assertEquals("writer_hot_target_free", beside.path("slowest_class").path("class").asText());
    assertEquals(0.5, beside.path("slowest_class").path("ratio").asDouble(), 1e-6);
    String table = slow.text();
    assertTrue(
        table.lines().anyMatch(line -> line.startsWith("slowest: ") && line.endsWith("slower")),
        table);
  }

  @Test
  void oneSeedHasNoIntervalAndNobodyIsSlowerByIt() {
    JsonNode json =
        json(
            ResultFixture.result(
                1, WritesExperiment.STOCK, ResultFixture.TWICE_AS_SLOW_WHERE_WRITERS_ARE_HOT));
    JsonNode hot = json.path("sinbad-tuned").path("classes").path("writer_hot");
    assertEquals(0.5, hot.path("ratio").asDouble(), 1e-6);
    assertTrue(hot.path("high").isNull());
    assertFalse(hot.path("slower").asBoolean());
  }

  @Test
  void severalTimesOfTheLoadAreOneComparisonEach() {
    Map<Integer, Report<WritesRun>> results = new LinkedHashMap<>();
    results.put(5, ResultFixture.result(2, WritesExperiment.STOCK, WritesExperiment.SINBAD));
    results.put(20, both);
    WritesByMove moves = new WritesByMove(results);
    JsonNode json = moves.json();
    assertEquals("writes", json.path("experiment").asText());
    assertEquals(both.json().path("sinbad"), json.path("moves").path("20").path("sinbad"));
    assertTrue(json.path("moves").path("5").path("stock").path("cold_writer_mean_s").isNumber());
    List<String> lines = moves.text().lines().toList();
    assertTrue(lines.get(1).startsWith("5 s"), lines.get(1));
    assertTrue(lines.get(2).startsWith("20 s"), lines.get(2));
    String html = moves.html();
    assertTrue(html.contains("load that moves every 5, 20 s"));
    assertTrue(html.contains("Load that moves every 20 s"));
    assertFalse(html.contains("NaN"));
  }
}
