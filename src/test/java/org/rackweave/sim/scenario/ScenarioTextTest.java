package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.MixedRandom;
import org.rackweave.sim.workload.InputException;

class ScenarioTextTest {
  private static final Path CASES = Path.of("src/test/resources/scenarios/cases.txt");
  private static final Path NAME = Path.of("case.scenario");

  @TempDir Path directory;

  /** The scenario as written again, or what is wrong with it. */
  private static List<String> outcome(List<String> text) {
    try {
      return ScenarioText.write(ScenarioText.parse(NAME, text));
    } catch (InputException e) {
      return List.of(e.getMessage());
    }
  }

  @Test
  void saysWhatItReadsAndWhatIsWrong() throws IOException {
    Optional<String> difference = new CasesFile(CASES).check(one -> outcome(one.input()));
    assertEquals(Optional.empty(), difference);
  }

  @Test
  void readsAgainWhatItWrites() throws IOException, InputException {
    int read = 0;
    for (CasesFile.Case one : new CasesFile(CASES).cases()) {
      Scenario scenario;
      try {
        scenario = ScenarioText.parse(NAME, one.input());
      } catch (InputException e) {
        continue;
      }
      assertEquals(scenario, ScenarioText.parse(NAME, ScenarioText.write(scenario)), one.title());
      read++;
    }
    assertTrue(read >= 3, read + " cases are scenarios");
  }

  /** Random settings from what the keys allow, for hundreds of scenarios. */
  @Test
  void readsAgainWhateverItWrites() throws InputException {
    for (long seed = 0; seed < 300; seed++) {
      List<String> text = RandomScenario.lines(MixedRandom.of(seed));
      Scenario scenario = ScenarioText.parse(NAME, text);
      List<String> written = ScenarioText.write(scenario);
      assertEquals(scenario, ScenarioText.parse(NAME, written), "seed " + seed);
      assertEquals(written, ScenarioText.write(ScenarioText.parse(NAME, written)), "seed " + seed);
    }
  }

  @Test
  void keepsExpectedOutputAsItIs() throws InputException {
    List<String> text = new ArrayList<>(RandomScenario.lines(new Random(1)));
    text.addAll(List.of("expect", "  policy   mean", "", "  # 1.5", "    indented", "", ""));
    Scenario scenario = ScenarioText.parse(NAME, text);
    assertEquals(List.of("policy   mean", "", "# 1.5", "  indented"), scenario.expected());
    assertEquals(scenario, ScenarioText.parse(NAME, ScenarioText.write(scenario)));
  }

  @Test
  void casesOfAVariationDifferInOneSetting() throws InputException {
    Scenario scenario =
        ScenarioText.parse(
            NAME,
            List.of(
                "cluster",
                "  racks 2",
                "  nodes-per-rack 3",
                "workload writes",
                "  rate 4/s",
                "policy stock",
                "vary writes.rate 2/s | 8/s",
                "vary telemetry.alpha 1"));
    List<Scenario.Case> rates = scenario.variations().get(0).cases();
    assertEquals("8/s", rates.get(1).value());
    Scenario eight = rates.get(1).scenario();
    assertEquals(8, ((WorkloadSpec.Writes) eight.workloads().get(0)).ratePerSec());
    assertEquals(scenario.cluster(), eight.cluster());
    assertEquals(List.of(), eight.variations());
    assertEquals(1, scenario.variations().get(1).cases().get(0).scenario().telemetry().alpha());
  }

  @Test
  void operatorsInputsTakeThePlaceOfTheScenarios() throws InputException {
    Scenario scenario =
        ScenarioText.parse(
            NAME,
            List.of(
                "cluster",
                "  racks 2",
                "  nodes-per-rack 3",
                "  host-link 10Gbps",
                "workload writes",
                "  rate 4/s",
                "workload shuffles",
                "policy stock",
                "vary writes.rate 2/s",
                "vary shuffles.speed 2"));
    Scenario theirs =
        scenario
            .withTopology("racks.txt")
            .withAudit(List.of("audit.log.1", "audit.log"), Optional.of("files.txt"));
    assertEquals(Optional.of("racks.txt"), theirs.cluster().topologyFile());
    assertEquals(10e9 / 8, theirs.cluster().hostLinkBytesPerSec());
    assertEquals(
        List.of("audit", "shuffles"), theirs.workloads().stream().map(WorkloadSpec::name).toList());
    assertEquals(1, theirs.variations().size());
    assertEquals(
        theirs.workloads().get(0),
        theirs.variations().get(0).cases().get(0).scenario().workloads().get(0));
    assertEquals(theirs, ScenarioText.parse(NAME, ScenarioText.write(theirs)));
  }

  @Test
  void auditByCommandLineIsAsByKey() throws InputException {
    Scenario written =
        ScenarioText.parse(
            NAME,
            List.of("cluster", "  topology t", "workload audit", "  log a, b", "policy stock"));
    assertEquals(
        WorkloadSections.audit(List.of("a", "b"), Optional.empty()), written.workloads().get(0));
  }

  @Test
  void libraryFindsByNameAndByPath() throws IOException, InputException {
    Files.write(directory.resolve("one.scenario"), RandomScenario.lines(new Random(1)));
    Files.write(directory.resolve("two.scenario"), RandomScenario.lines(new Random(2)));
    Files.writeString(directory.resolve("notes.txt"), "not one of them");
    ScenarioLibrary library = new ScenarioLibrary(directory);
    assertEquals(List.of("one", "two"), library.names());
    assertEquals("two", library.read("two").name());
    assertEquals(library.read("one"), library.read(directory.resolve("one.scenario").toString()));
    InputException e = assertThrows(InputException.class, () -> library.read("tow"));
    assertEquals(
        "there is no scenario 'tow' (did you mean 'two'?); there are one, two, or give a path that"
            + " ends in .scenario",
        e.reason());
    assertThrows(InputException.class, () -> new ScenarioLibrary(directory.resolve("x")).names());
    assertEquals(
        "there is no such file",
        assertThrows(InputException.class, () -> library.read("./nowhere.scenario")).reason());
  }

  @Test
  void rewritingReplacesTheExpectedOutputOnly() throws IOException, InputException {
    Path file = directory.resolve("one.scenario");
    List<String> text = new ArrayList<>(RandomScenario.lines(new Random(3)));
    text.add("# the last comment");
    Files.write(file, text);
    Expectation.rewrite(file, List.of("first", "", "  second"));
    Expectation.rewrite(file, List.of("other", "lines"));
    List<String> expected = new ArrayList<>(text);
    expected.addAll(List.of("", "expect", "  other", "  lines"));
    assertEquals(expected, Files.readAllLines(file));
    assertEquals(List.of("other", "lines"), ScenarioText.read(file).expected());
  }

  @Test
  void differenceNamesTheFirstLine() {
    assertEquals(Optional.empty(), Expectation.difference(List.of("a"), List.of("a")));
    String text = Expectation.difference(List.of("a", "b"), List.of("a")).orElseThrow();
    assertEquals(
        List.of(
            "line 2 differs",
            "  expected: b",
            "  actual:   (no more lines)",
            "write what is actual with -Drackweave.rewrite=true"),
        Arrays.asList(text.split("\n")));
  }

  @Test
  void refusesAScenarioNobodyReads() throws IOException {
    Path file = directory.resolve("long.scenario");
    Files.writeString(file, "# comment\n".repeat(10_001));
    InputException e = assertThrows(InputException.class, () -> ScenarioText.read(file));
    assertEquals(10_001, e.line());
  }
}
