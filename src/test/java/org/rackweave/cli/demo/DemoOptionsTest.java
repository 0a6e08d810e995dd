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
import org.rackweave.cli.UsageException;
import org.rackweave.cli.demo.DemoOptions.Feature;

class DemoOptionsTest {

  @TempDir Path directory;

  private static DemoOptions parse(String... args) {
    return DemoOptions.parse(args, 123_456_789);
  }

  @Test
  void copiesTheJdkWithBothPoliciesWhenNothingIsAsked() {
    DemoOptions options = parse();
    assertEquals(Path.of(System.getProperty("java.home")), options.input());
    assertEquals(List.of(Placement.STOCK, Placement.SINBAD), options.policies());
    assertEquals(456_789, options.seed());
    assertEquals(Feature.ALL, options.feature());
    assertNull(options.json());
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
    assertEquals(
        new DemoOptions(Feature.SINBAD, Path.of("/in"), json, List.of(Placement.SINBAD), -4, false),
        options);
    assertTrue(parse("--help").help());
  }

  @ParameterizedTest
  @CsvSource({
    "--policy|fast, --policy is 'fast'",
    "--policy|fast, allowed are sinbad",
    "--feature|ear, --feature is 'ear'",
    "--feature|ear, allowed are all and sinbad",
    "--policy|stock, --policy goes with --feature sinbad",
    "--seed|x, --seed is 'x'",
    "--seed, --seed needs a value",
    "--input|--json, --input needs a value",
    "--polcy|stock, no option '--polcy'",
    "stock, no option 'stock'",
  })
  void namesWhatIsWrong(String args, String message) {
    UsageException refused = assertThrows(UsageException.class, () -> parse(args.split("\\|")));
    assertTrue(refused.getMessage().contains(message.strip()), refused.getMessage());
  }

  @Test
  void refusesAJsonFileThatCannotBeWrittenBeforeAnyWork() {
    String missing = directory.resolve("missing").resolve("f.json").toString();
    UsageException refused = assertThrows(UsageException.class, () -> parse("--json", missing));
    assertTrue(refused.getMessage().contains("there is no directory"));
    refused = assertThrows(UsageException.class, () -> parse("--json", directory.toString()));
    assertTrue(refused.getMessage().contains("is a directory"));
  }
}
