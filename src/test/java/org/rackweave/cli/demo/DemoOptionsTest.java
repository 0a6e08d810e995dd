package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.UsageException;
import picocli.CommandLine.ParameterException;

class DemoOptionsTest {

  @TempDir Path directory;

  private static DemoOptions parse(String... args) {
    DemoOptions options = new DemoOptions();
    ToolCommand.parser(options).parseArgs(args);
    return options;
  }

  @Test
  void copiesTheJdkWithBothPoliciesWhenNothingIsAsked() {
    DemoOptions options = parse();
    assertEquals(Path.of(System.getProperty("java.home")), options.input());
    assertEquals(List.of(Placement.STOCK, Placement.SINBAD), options.policies());
    assertTrue(options.seed() >= 0 && options.seed() < 1_000_000, "one can type it");
    assertNull(options.json());
    assertEquals(DemoOptions.Feature.ALL, options.feature());
  }

  @Test
  void takesEveryOption() {
    Path json = directory.resolve("figures.json");
    DemoOptions options =
        parse(
            "--policy",
            "sinbad",
            "--input",
            "/in",
            "--json",
            json.toString(),
            "--seed",
            "-4",
            "--feature",
            "sinbad");
    assertEquals(DemoOptions.Feature.SINBAD, options.feature());
    assertEquals(Path.of("/in"), options.input());
    assertEquals(json, options.json());
    assertEquals(List.of(Placement.SINBAD), options.policies());
    assertEquals(-4, options.seed());
  }

  @Test
  void policiesAreNamedForWritesAlone() {
    UsageException refused =
        assertThrows(UsageException.class, () -> parse("--policy", "stock").feature());
    assertEquals("--policy goes with --feature sinbad", refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "--policy|fast, 'expected one of [SINBAD, STOCK, BOTH]'",
    "--policy|fast, was 'fast'",
    "--feature|ear, 'expected one of [ALL, SINBAD]'",
    "--seed|x, option '--seed': 'x' is not a long",
    "--seed, Missing required parameter for option '--seed' (N)",
    "--input|--json, Expected parameter for option '--input' but found '--json'",
    "--polcy|stock, '--polcy'",
    "stock, 'stock' ",
  })
  void namesWhatIsWrong(String args, String message) {
    ParameterException refused =
        assertThrows(ParameterException.class, () -> parse(args.split("\\|")));
    assertTrue(refused.getMessage().contains(message.strip()), refused.getMessage());
  }

  @Test
  void refusesAJsonFileThatCannotBeWrittenBeforeAnyWork() {
    String missing = directory.resolve("missing").resolve("f.json").toString();
    ParameterException refused =
        assertThrows(ParameterException.class, () -> parse("--json", missing));
    assertTrue(refused.getMessage().contains("there is no directory"));
    refused = assertThrows(ParameterException.class, () -> parse("--json", directory.toString()));
    assertTrue(refused.getMessage().contains("is a directory"));
  }
}
