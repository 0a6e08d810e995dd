package org.rackweave.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the bench runs, that both ways agree, and that its rows keep their keys. */
class EarMatchBenchTest {
  @TempDir Path directory;

  @Test
  void writesOneRowForEachLimitWithTheKeysOfTheContract() throws Exception {
    Path json = directory.resolve("rows.json");
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    String[] args = {"ear-match", "--quick", "--json", json.toString()};
    assertEquals(0, ToolRunner.run(new Configuration(), new Bench(out, out), args));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    int[] limits = {1, 2, 4};
    assertEquals(limits.length, rows.size());
    for (int i = 0; i < limits.length; i++) {
      JsonNode row = rows.get(i);
      assertEquals(14, row.get("n").asInt());
      assertEquals(10, row.get("k").asInt());
      assertEquals(20, row.get("racks").asInt());
      assertEquals(limits[i], row.get("c").asInt());
      assertTrue(row.get("ours_ns").isNumber());
      assertTrue(row.get("rebuild_ns").isNumber());
      assertTrue(row.get("draws_per_block").asDouble() >= 1);
    }
  }
}
