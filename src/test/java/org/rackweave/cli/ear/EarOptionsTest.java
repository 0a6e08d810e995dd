package org.rackweave.cli.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.cli.UsageException;

class EarOptionsTest {
  private static final Set<String> ALL =
      Set.of(
          "--path",
          "--dry-run",
          "--bandwidth",
          "--engine",
          "--jobs-per-rack",
          "--audit",
          "--fix",
          "--json");

  private static EarOptions parse(String... args) {
    return EarOptions.parse(args, ALL);
  }

  @Test
  void hasDefaults() {
    EarOptions options = parse();
    assertEquals("/", options.path());
    assertEquals(0, options.bandwidth());
    assertFalse(options.dryRun() || options.audit() || options.fix() || options.help());
    assertTrue(options.json().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"/, /", "/a, /a", "/a/, /a", "/a/b//, /a/b"})
  void takesAbsolutePaths(String text, String path) {
    assertEquals(path, parse("--path", text).path());
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "50m, 52428800", "7k, 7168", "2g, 2147483648", "999999999999, 999999999999"})
  void understandsUnitsOfSpeed(String text, long bytesPerSec) {
    assertEquals(bytesPerSec, parse("--bandwidth", text).bandwidth());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "fast", "1.5m", "1t", "1000000000000", "1000g"})
  void refusesOtherSpeedsAndSaysWhatIsAllowed(String text) {
    String said = assertThrows(UsageException.class, () -> parse("--bandwidth", text)).getMessage();
    assertTrue(said.contains("'" + text + "'") && said.contains("999999999999"), said);
  }

  @Test
  void knowsWhoEncodes() {
    assertEquals(EarOptions.Engine.EMBEDDED, parse().engine());
    EarOptions yarn = parse("--engine", "yarn", "--jobs-per-rack", "16");
    assertEquals(EarOptions.Engine.YARN, yarn.engine());
    assertEquals(16, yarn.jobsPerRack());
  }

  @ParameterizedTest
  @CsvSource({
    "--engine, spark, embedded or yarn",
    "--engine, YARN, embedded or yarn",
    "--jobs-per-rack, 0, 1 to 16",
    "--jobs-per-rack, 17, 1 to 16",
    "--jobs-per-rack, many, 1 to 16"
  })
  void namesAnOptionItsValueAndWhatItAllows(String option, String value, String allowed) {
    String said = assertThrows(UsageException.class, () -> parse(option, value)).getMessage();
    assertTrue(said.startsWith(option + " '" + value + "'") && said.endsWith(allowed), said);
  }

  @Test
  void refusesWhatTheCommandDoesNotHave() {
    assertThrows(UsageException.class, () -> parse("--path", "a"));
    assertThrows(UsageException.class, () -> parse("--path"));
    assertThrows(UsageException.class, () -> parse("--fix"));
    assertThrows(
        UsageException.class, () -> EarOptions.parse(new String[] {"--audit"}, Set.of("--path")));
  }

  @Test
  void readsWhatTheNameNodeSays() {
    JobView view =
        JobView.of(
            "job=3\nname=encode\nstate=running\nphase=encoding\nreason=\ndone=5\ntotal=9\n"
                + "figure.files=2\nline=a=b\nline=c\nnonsense\n");
    assertEquals("encoding", view.phase());
    assertEquals(5, view.done());
    assertEquals(9, view.total());
    assertEquals(Map.of("files", 2L), view.figures());
    assertEquals(List.of("a=b", "c"), view.lines());
    assertFalse(view.isOver());
    assertTrue(JobView.of("state=done").isDone());
    assertTrue(JobView.of("state=failed").isOver());
  }
}
