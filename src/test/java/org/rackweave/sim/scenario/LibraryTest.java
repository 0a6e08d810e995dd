package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.Popularity;
import org.rackweave.sim.workload.PublishedStatistics;
import org.rackweave.sim.workload.TimedRequest;

/** The scenarios of this repository, and the page that documents them. */
class LibraryTest {
  private static final ScenarioLibrary LIBRARY = new ScenarioLibrary(Path.of("scenarios"));
  private static final Path MANUAL = Path.of("docs/scenarios.md");
  private static final String BEGIN = "<!-- keys of ";
  private static final String END = "<!-- end of keys -->";

  @Test
  void everyScenarioIsReadAndShownAgain() throws InputException {
    assertFalse(LIBRARY.names().isEmpty());
    for (String name : LIBRARY.names()) {
      Scenario scenario = LIBRARY.read(name);
      assertEquals(name, scenario.name());
      assertFalse(scenario.about().isEmpty(), name + " says what it is about");
      List<String> shown = scenario.text().lines().toList();
      Scenario again = ScenarioText.parse(LIBRARY.find(name), shown);
      assertEquals(scenario.variations(), again.variations(), name);
      assertEquals(scenario.text(), again.text(), name);
    }
  }

  @Test
  void everyScenarioHasRequestsWithoutAnyTrace() throws InputException {
    InputFiles nowhere = new InputFiles(List.of());
    for (String name : LIBRARY.names()) {
      Scenario scenario = LIBRARY.read(name);
      ScenarioWorkload workload =
          ScenarioWorkload.of(scenario, Machines.of(scenario, nowhere), nowhere, 1);
      assertTrue(
          workload.requests().requests().limit(100).allMatch(TimedRequest.class::isInstance));
      assertTrue(workload.requests().requests().findFirst().isPresent(), name);
    }
  }

  /** The manual's tables are those of the records; -Drackweave.rewrite=true makes them so. */
  @Test
  void manualListsEveryKey() throws IOException {
    List<String> manual = Files.readAllLines(MANUAL);
    List<String> current = new ArrayList<>();
    List<String> listed = new ArrayList<>();
    boolean inTable = false;
    for (String line : manual) {
      if (line.equals(END)) {
        inTable = false;
      }
      if (!inTable) {
        current.add(line);
      }
      if (line.startsWith(BEGIN)) {
        String section = line.substring(BEGIN.length(), line.indexOf(" -->"));
        listed.add(section);
        current.addAll(table(sections().get(section)));
        inTable = true;
      }
    }
    assertEquals(List.copyOf(sections().keySet()), listed, "sections in the manual");
    if (Boolean.getBoolean(Expectation.REWRITE)) {
      Files.write(MANUAL, current);
    } else {
      assertEquals(Optional.empty(), Expectation.difference(manual, current));
    }
  }

  /** The example in the manual is a scenario. */
  @Test
  void manualsExampleIsUnderstood() throws IOException, InputException {
    List<String> manual = Files.readAllLines(MANUAL);
    int begin = manual.indexOf("```yaml");
    int end = begin + manual.subList(begin, manual.size()).indexOf("```");
    Scenario scenario = ScenarioText.parse(MANUAL, manual.subList(begin + 1, end));
    assertEquals(2, scenario.variations().get(0).cases().size());
    assertEquals(
        List.of("stock", "sinbad", "patient"),
        scenario.policies().stream().map(PolicySpec::name).toList());
  }

  /** What the manual tells of the papers is what {@link PublishedStatistics} has. */
  @Test
  void manualWritesThePublishedStatistics() throws IOException {
    assertEquals(
        PublishedStatistics.sinbadBlockBytes(),
        told("size: 32%", WorkloadSpec.Writes.class, "size"));
    assertEquals(
        PublishedStatistics.eafrFileBytes(), told("size: log", WorkloadSpec.Reads.class, "size"));
    assertEquals(
        new Popularity.Drawn(PublishedStatistics.eafrReadsPerFile()),
        told("popularity: drawn", WorkloadSpec.Reads.class, "popularity"));
    assertEquals(
        PublishedStatistics.eafrCapacityBytes(),
        told("capacity: choice", ClusterSpec.class, "capacity"));
    assertEquals(
        PublishedStatistics.eafrServiceCapacity(),
        told("read-slots: normal", ClusterSpec.class, "read-slots"));
    assertEquals(
        PublishedStatistics.SINBAD_LARGE_BLOCKS_PER_SEC,
        told("rate: 4", WorkloadSpec.Writes.class, "rate"));
    assertEquals(
        PublishedStatistics.EAR_BLOCK_BYTES, told("block: 64", WorkloadSpec.Writes.class, "block"));
  }

  /** A setting of the manual's, from its first letters in backquotes. */
  private static Object told(String beginning, Class<?> section, String name) throws IOException {
    String manual = Files.readString(MANUAL);
    int from = manual.indexOf("`" + beginning) + 1;
    assertTrue(from > 0, beginning);
    String text = manual.substring(from + name.length() + 2, manual.indexOf('`', from));
    return Setting.of(section).stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow()
        .parse(text);
  }

  private static List<String> table(Class<?> section) {
    List<String> lines = new ArrayList<>();
    lines.add("| key | allowed | if left out | meaning |");
    lines.add("|---|---|---|---|");
    for (Setting setting : Setting.of(section)) {
      String standard = setting.standard() == null ? "required" : "`" + setting.standard() + "`";
      lines.add(
          String.format(
              "| `%s` | %s | %s | %s |",
              setting.name(), setting.kind().allowed(), standard, setting.meaning()));
    }
    return lines;
  }

  /** What has settings, as the manual calls it. */
  private static Map<String, Class<?>> sections() {
    Map<String, Class<?>> sections = new LinkedHashMap<>();
    sections.put("cluster", ClusterSpec.class);
    sections.put("telemetry", TelemetrySpec.class);
    sections.put("power", PowerSpec.class);
    sections.put("encoding", EncodingSpec.class);
    sections.put("recovery", RecoverySpec.class);
    sections.put("run", RunSpec.class);
    sections.put("failures", FailureSpec.class);
    Setting.kinds(WorkloadSpec.class).forEach((kind, one) -> sections.put("workload " + kind, one));
    Setting.kinds(PolicySpec.class).forEach((kind, one) -> sections.put("policy " + kind, one));
    sections.values().removeIf(one -> Setting.of(one).isEmpty());
    return sections;
  }

  /** Whatever is left out is allowed. */
  @Test
  void everyDefaultIsAllowed() {
    for (Class<?> section : sections().values()) {
      for (Setting setting : Setting.of(section)) {
        if (setting.standard() != null) {
          setting.parse(setting.standard());
        }
      }
    }
  }
}
