package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.TextTable;

/** What is made of a result: table, JSON, page. */
class DemoOutputTest {

  private static final List<String> KEYS =
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

  private final DemoResult both = DemoFixture.result(Placement.STOCK, Placement.SINBAD);
  private final DemoResult stock = DemoFixture.result(Placement.STOCK);

  @Test
  void tableShowsStockSinbadAndTheirRatio() {
    List<String> lines = both.table().text().lines().toList();
    assertEquals(List.of("stock", "sinbad", "ratio"), List.of(lines.get(0).strip().split(" +")));
    assertTrue(lines.get(1).matches("block write, mean +1\\.200 s +0\\.600 s +2\\.00"));
    assertTrue(lines.stream().anyMatch(line -> line.matches("blocks +4 +4")));
    assertTrue(lines.stream().anyMatch(line -> line.matches("decisions left to stock +0 +1")));
  }

  @Test
  void tableHasOneColumnWhenOnePolicyRan() {
    TextTable table = stock.table();
    assertEquals(List.of("", "stock"), table.head());
    table.rows().forEach(row -> assertEquals(2, row.size()));
  }

  @Test
  void jsonHasEveryKeyForBothPolicies() {
    JsonNode json = both.json();
    for (String policy : List.of("stock", "sinbad")) {
      for (String key : KEYS) {
        assertTrue(json.path(policy).path(key).isNumber(), policy + " " + key);
      }
    }
    assertEquals(1.2, json.path("stock").path("block_write_mean_s").asDouble());
    assertEquals(2.0, json.path("speed_up").asDouble());
    assertEquals(42, json.path("seed").asLong());
  }

  @Test
  void jsonSaysNullWhereThereIsNothingToSay() {
    JsonNode json = stock.json();
    assertTrue(json.path("speed_up").isNull());
    assertTrue(json.path("sinbad").isMissingNode());
  }

  @Test
  void pageNeedsNothingBesideItself() {
    String html = new DemoReport(both).html();
    assertTrue(html.contains("Sinbad writes a block 2.0 times as fast as stock HDFS"));
    assertTrue(html.contains("--seed 42"));
    assertTrue(html.contains("/in&lt;put&gt;"));
    assertFalse(html.contains("<script"));
    assertFalse(html.contains("http"));
    assertFalse(html.contains("NaN"));
  }

  @Test
  void pageShowsOnePolicyWhenOneRan() {
    String html = new DemoReport(stock).html();
    assertTrue(html.contains("Block writes with stock placement"));
    assertFalse(html.contains("NaN"));
  }
}
