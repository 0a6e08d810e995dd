package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;

/**
 * The demo of all features once, as short as a death is noticed. How fast things are is not tested:
 * machines differ.
 */
@Tag("newest-hadoop")
class AllFeaturesDemoIT {

  private static final List<String> FIGURES =
      List.of(
          "block_write_mean_s",
          "read_p99_s",
          "rebuild_s",
          "stored_bytes_per_byte",
          "cross_rack_bytes_per_encoded_byte",
          "bytes_verified",
          "bytes_lost",
          "fallbacks");

  @TempDir Path directory;

  @Test
  void everyFeatureActsAndNoByteIsLost() throws Exception {
    ChosenRpcEngine.forget();
    Path home = directory.resolve("demo");
    Path json = directory.resolve("figures.json");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        new DemoCommand(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                DemoSettings.brief(),
                AllFeaturesSettings.brief(),
                home)
            .run(new String[] {"--json", json.toString(), "--seed", "3"});
    assertEquals(0, exit, err.toString(StandardCharsets.UTF_8));
    JsonNode figures = new ObjectMapper().readTree(json.toFile());
    JsonNode stock = figures.path("stock");
    JsonNode rackweave = figures.path("rackweave");
    for (JsonNode side : List.of(stock, rackweave)) {
      FIGURES.forEach(key -> assertTrue(side.path(key).isNumber(), () -> key + " of " + side));
      assertEquals(0, side.path("bytes_lost").asLong());
      assertEquals(0, side.path("reads_failed").asLong());
      assertEquals(
          AllFeaturesSettings.brief().warehouseFiles() * (3L << 20),
          side.path("bytes_encoded").asLong());
    }
    assertEquals(stock.path("bytes_verified"), rackweave.path("bytes_verified"));
    assertEquals(stock.path("blocks"), rackweave.path("blocks"));
    assertEquals(0, stock.path("fallbacks").asInt());
    assertTrue(
        rackweave.path("cross_rack_bytes_per_encoded_byte").asDouble()
            < stock.path("cross_rack_bytes_per_encoded_byte").asDouble(),
        () -> "stripes come about in core racks: " + figures);
    String page = Files.readString(home.resolve("report.html"));
    assertTrue(page.contains("</html>"));
    assertTrue(page.contains("A DataNode dies"));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("bytes lost"));
  }
}
