package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new DemoCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            DemoSettings.brief(),
            AllFeaturesSettings.brief(),
            directory)
        .run(args);
  }

  @Test
  void endsWithTwoAndTheAllowedValuesWhenAnOptionIsWrong() throws Exception {
    assertEquals(2, run("--policy", "fast"));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("[SINBAD, STOCK, BOTH]"));
  }

  @Test
  void endsWithTwoWhenThereIsNothingToCopy() throws Exception {
    assertEquals(2, run("--input", directory.resolve("missing").toString()));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("does not exist"));
    assertEquals(2, run("--input", directory.toString()));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("no readable file"));
  }

  @Test
  void explainsItself() throws Exception {
    assertEquals(0, run("--help"));
    String usage = out.toString(StandardCharsets.UTF_8);
    assertTrue(usage.startsWith("Usage: bin/rackweave demo"), usage);
    assertTrue(usage.contains("--policy=sinbad|stock|both"), usage);
  }
}
