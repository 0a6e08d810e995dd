package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole demo once, a few seconds long. What it measures is not tested: machines differ. */
@Tag("newest-hadoop")
class DemoIT {

  @TempDir Path directory;

  private Path inputOf(int files, int bytes) throws IOException {
    Path input = Files.createDirectory(directory.resolve("input"));
    Random random = new Random(1);
    for (int i = 0; i < files; i++) {
      byte[] content = new byte[bytes];
      random.nextBytes(content);
      Files.write(input.resolve("file-" + i), content);
    }
    return input;
  }

  @Test
  void writesVerifiesAndReportsWithBothPolicies() throws Exception {
    Path input = inputOf(4, 1_500_000);
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
            .run(
                new String[] {
                  "--feature",
                  "sinbad",
                  "--input",
                  input.toString(),
                  "--json",
                  json.toString(),
                  "--seed",
                  "3"
                });
    assertEquals(0, exit, err.toString(StandardCharsets.UTF_8));
    JsonNode figures = new ObjectMapper().readTree(json.toFile());
    JsonNode stock = figures.path("stock");
    JsonNode sinbad = figures.path("sinbad");
    assertTrue(stock.path("blocks").asInt() > 0);
    assertEquals(stock.path("blocks").asInt(), sinbad.path("blocks").asInt());
    assertEquals(stock.path("files").asLong() * 1_500_000, stock.path("bytes_verified").asLong());
    assertEquals(stock.path("bytes_verified"), sinbad.path("bytes_verified"));
    assertEquals(0, sinbad.path("fallbacks").asInt());
    for (JsonNode policy : List.of(stock, sinbad)) {
      assertTrue(policy.path("background_load").asDouble() > 0.2, "links were really loaded");
    }
    assertTrue(Files.readString(home.resolve("report.html")).contains("</html>"));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("block write, mean"));
    try (Stream<Path> left = Files.list(home)) {
      assertEquals(List.of(home.resolve("report.html")), left.toList(), "no blocks stay behind");
    }
  }
}
