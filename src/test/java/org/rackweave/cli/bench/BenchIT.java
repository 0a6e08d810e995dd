package org.rackweave.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That the benches run and keep their contract; nothing about their figures. */
@Tag("newest-hadoop")
class BenchIT {
  @TempDir Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int bench(String... args) throws Exception {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return ToolRunner.run(new Configuration(), new Bench(out, out), args);
  }

  @ParameterizedTest
  @ValueSource(strings = {"choose-target", "heartbeat", "read-order", "copy-sources"})
  void writesOneRowASizeWithTheKeysOfTheContract(String what) throws Exception {
    Path json = directory.resolve("rows.json");
    assertEquals(0, bench(what, "--quick", "--nodes", "60", "--json", json.toString()));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    assertTrue(rows.isArray() && !rows.isEmpty(), rows::toString);
    for (JsonNode row : rows) {
      assertTrue(row.get("policy").isTextual());
      assertEquals(60, row.get("nodes").asInt());
      for (String key : new String[] {"stock_ns", "ours_ns", "ratio", "bytes_per_op"}) {
        assertTrue(row.get(key).isNumber(), key);
      }
    }
  }

  @Test
  void tellsWhatTwoThreadsCostEachOther() throws Exception {
    Path json = directory.resolve("rows.json");
    assertEquals(0, bench("contention", "--quick", "--nodes", "60", "--json", json.toString()));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    assertEquals("stock", rows.get(0).get("policy").asText());
    assertEquals("sinbad", rows.get(1).get("policy").asText());
    for (JsonNode row : rows) {
      assertEquals(60, row.get("nodes").asInt());
      for (String key : new String[] {"independent_ns", "shared_ns", "share"}) {
        assertTrue(row.get(key).asDouble() > 0, key);
      }
    }
  }

  @Test
  void encodesEveryCellInEveryKindOfBuffer() throws Exception {
    Path json = directory.resolve("rows.json");
    assertEquals(0, bench("rs-encode", "--quick", "--json", json.toString()));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    Set<String> measured = new TreeSet<>();
    for (JsonNode row : rows) {
      assertEquals("rs-10-4", row.get("schema").asText());
      for (String key : new String[] {"gb_per_s", "hadoop_gb_per_s", "ratio"}) {
        assertTrue(row.get(key).asDouble() > 0, key);
      }
      measured.add(
          String.join(
              " ",
              row.get("coder").asText(),
              row.get("buffer").asText(),
              row.get("cell").asText()));
    }
    for (String buffer : new String[] {"direct", "heap"}) {
      for (int cell : new int[] {4096, 65536, 262144, 1048576}) {
        assertTrue(measured.contains("java " + buffer + " " + cell), measured::toString);
      }
    }
  }

  @Test
  void simulatorBenchWritesOneRowANumberOfFlows() throws Exception {
    Path json = directory.resolve("rows.json");
    assertEquals(0, bench("sim", "--quick", "--nodes", "60", "--json", json.toString()));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    assertTrue(rows.isArray() && rows.size() >= 2, rows::toString);
    for (JsonNode row : rows) {
      assertEquals(60, row.get("nodes").asInt());
      for (String key :
          new String[] {"flows", "events_per_s", "us_per_event", "solved_per_event"}) {
        assertTrue(row.get(key).isNumber(), key);
      }
    }
  }

  @Test
  void popularityBenchTellsTimesAndMemory() throws Exception {
    Path json = directory.resolve("rows.json");
    assertEquals(0, bench("popularity", "--quick", "--nodes", "60", "--json", json.toString()));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    assertEquals(1, rows.size());
    JsonNode row = rows.get(0);
    assertEquals(1_000_000, row.get("files").asInt());
    for (String key :
        new String[] {"stock_ns", "ours_ns", "ratio", "counting_ratio", "bytes_per_file"}) {
      assertTrue(row.get(key).asDouble() > 0, key);
    }
    assertTrue(row.get("bytes_per_file").asDouble() <= 32, row::toString);
  }

  @Test
  void recoveryBenchWritesOneRowAnAlgorithmAndKindOfUplink() throws Exception {
    Path json = directory.resolve("rows.json");
    assertEquals(0, bench("dayu-plan", "--quick", "--nodes", "60", "--json", json.toString()));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    Set<String> measured = new TreeSet<>();
    for (JsonNode row : rows) {
      assertEquals(60, row.get("nodes").asInt());
      measured.add(row.get("algorithm").asText() + " " + row.get("oversubscription").asInt());
      assertTrue(row.get("tasks_per_s").asDouble() > 0);
      // The bound for sources is below the optimum, that of destinations is one.
      for (String key : new String[] {"dest_makespan_ratio", "source_makespan_ratio"}) {
        assertTrue(row.get(key).asDouble() >= 0.999, key);
      }
    }
    for (String algorithm : new String[] {"dayu", "hull", "g1", "g2", "b2r", "wr", "random"}) {
      assertTrue(measured.contains(algorithm + " 1"), measured::toString);
      assertTrue(measured.contains(algorithm + " 4"), measured::toString);
    }
  }

  @Test
  void explainsItselfWhenAsked() throws Exception {
    assertEquals(0, bench("--help"));
    assertEquals(0, bench("copy-sources", "--help"));
    assertTrue(printed.toString(StandardCharsets.UTF_8).startsWith("Usage:"), printed::toString);
  }

  @Test
  void namesWhatItDoesNotKnow() throws Exception {
    assertEquals(2, bench("choose-targets"));
    assertTrue(
        printed.toString(StandardCharsets.UTF_8).contains("'choose-targets'"), printed::toString);
  }
}
