package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.MixedRandom;
import org.rackweave.sim.workload.InputException;

class ScenarioTextTest {
  private static final Path CASES = Path.of("src/test/resources/scenarios/cases.txt");
  private static final Path NAME = Path.of("case.yaml");

  @TempDir Path directory;

  /** What is understood, a line for each part, or what is wrong. */
  private static List<String> outcome(List<String> text) {
    try {
      Scenario scenario = ScenarioText.parse(NAME, text);
      List<String> parts = new ArrayList<>();
      parts.add(scenario.about());
      parts.add(scenario.cluster().toString());
      parts.add(scenario.telemetry().toString());
      parts.add(scenario.encoding().toString());
      scenario.workloads().forEach(workload -> parts.add(workload.toString()));
      scenario.policies().forEach(policy -> parts.add(policy.toString()));
      scenario.failures().forEach(failure -> parts.add(failure.toString()));
      parts.add(scenario.run().toString());
      for (Scenario.Variation variation : scenario.variations()) {
        List<String> values = variation.cases().stream().map(Scenario.Case::value).toList();
        parts.add("vary " + variation.target() + " " + values);
      }
      return parts;
    } catch (InputException e) {
      return List.of(e.getMessage());
    }
  }

  @Test
  void saysWhatItReadsAndWhatIsWrong() throws IOException {
    Optional<String> difference = new CasesFile(CASES).check(one -> outcome(one.input()));
    assertEquals(Optional.empty(), difference);
  }

  /** Random settings from what the keys allow, for hundreds of scenarios. */
  @Test
  void readsAgainWhatItShows() throws InputException {
    for (long seed = 0; seed < 300; seed++) {
      Scenario scenario = ScenarioText.parse(NAME, RandomScenario.lines(MixedRandom.of(seed)));
      List<String> shown = scenario.text().lines().toList();
      assertEquals(scenario, ScenarioText.parse(NAME, shown), "seed " + seed);
    }
  }

  @Test
  void keepsExpectedOutputAsItIs() throws InputException {
    List<String> text = new ArrayList<>(RandomScenario.lines(new Random(1)));
    text.addAll(List.of("expect: |2", "    policy   mean", "", "  # 1.5", "    indented", "", ""));
    Scenario scenario = ScenarioText.parse(NAME, text);
    assertEquals(List.of("  policy   mean", "", "# 1.5", "  indented"), scenario.expected());
  }

  @Test
  void casesOfAVariationDifferInOneSetting() throws InputException {
    Scenario scenario =
        ScenarioText.parse(
            NAME,
            List.of(
                "cluster: {racks: 2, nodes-per-rack: 3}",
                "workloads: [{kind: writes, rate: 4/s}]",
                "policies: [{kind: stock}]",
                "vary: {writes.rate: [2/s, 8/s], telemetry.alpha: 1}"));
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
    List<String> text =
        List.of(
            "cluster: {racks: 2, nodes-per-rack: 3, host-link: 10Gbps}",
            "workloads: [{kind: writes, rate: 4/s}, {kind: shuffles}]",
            "policies: [{kind: stock}]",
            "vary: {writes.rate: 2/s, cluster.racks: 5, shuffles.speed: 2}");
    Overrides overrides =
        new Overrides(
            OptionalLong.of(7),
            OptionalInt.of(3),
            Optional.of("racks.txt"),
            List.of("audit.log.1", "audit.log"),
            Optional.of("files.txt"));
    Scenario theirs = ScenarioText.parse(NAME, text, overrides);
    assertEquals(7, theirs.run().seed());
    assertEquals(3, theirs.variations().get(0).cases().get(0).scenario().run().runs());
    assertEquals(Optional.of("racks.txt"), theirs.cluster().topologyFile());
    assertEquals(10e9 / 8, theirs.cluster().hostLinkBytesPerSec());
    assertEquals(
        List.of("audit", "shuffles"), theirs.workloads().stream().map(WorkloadSpec::name).toList());
    assertEquals(1, theirs.variations().size());
    assertEquals(
        theirs.workloads().get(0),
        theirs.variations().get(0).cases().get(0).scenario().workloads().get(0));
    assertEquals(theirs, ScenarioText.parse(NAME, theirs.text().lines().toList()));
  }

  @Test
  void libraryFindsByNameAndByPath() throws IOException, InputException {
    Files.write(directory.resolve("one.yaml"), RandomScenario.lines(new Random(1)));
    Files.write(directory.resolve("two.yaml"), RandomScenario.lines(new Random(2)));
    Files.writeString(directory.resolve("notes.txt"), "not one of them");
    ScenarioLibrary library = new ScenarioLibrary(directory);
    assertEquals(List.of("one", "two"), library.names());
    assertEquals("two", library.read("two").name());
    assertEquals(library.read("one"), library.read(directory.resolve("one.yaml").toString()));
    InputException e = assertThrows(InputException.class, () -> library.read("tow"));
    assertEquals(
        "there is no scenario 'tow' (did you mean 'two'?); there are one, two, or give a path that"
            + " ends in .yaml",
        e.reason());
    assertThrows(InputException.class, () -> new ScenarioLibrary(directory.resolve("x")).names());
    assertEquals(
        "there is no such file",
        assertThrows(InputException.class, () -> library.read("./nowhere.yaml")).reason());
  }

  @Test
  void rewritingReplacesTheExpectedOutputOnly() throws IOException, InputException {
    Path file = directory.resolve("one.yaml");
    List<String> text = new ArrayList<>(RandomScenario.lines(new Random(3)));
    text.add("# the last comment");
    Files.write(file, text);
    Expectation.rewrite(file, List.of("first", "", "  second"));
    Expectation.rewrite(file, List.of("other", "lines"));
    List<String> expected = new ArrayList<>(text);
    expected.addAll(List.of("", "expect: |2", "  other", "  lines"));
    assertEquals(expected, Files.readAllLines(file));
    assertEquals(List.of("other", "lines"), ScenarioText.read(file, Overrides.NONE).expected());
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
    Path file = directory.resolve("long.yaml");
    Files.writeString(file, "# comment\n".repeat(10_001));
    InputException e =
        assertThrows(InputException.class, () -> ScenarioText.read(file, Overrides.NONE));
    assertEquals(10_001, e.line());
  }
}
