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
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.PublishedStatistics;
import org.rackweave.sim.workload.TimedRequest;

/** The scenarios of this repository, and the page that documents them. */
class LibraryTest {
  private static final ScenarioLibrary LIBRARY = new ScenarioLibrary(Path.of("scenarios"));
  private static final Path MANUAL = Path.of("docs/scenarios.md");
  private static final String BEGIN = "<!-- keys of ";
  private static final String END = "<!-- end of keys -->";

  @Test
  void everyScenarioIsReadAndWrittenAgain() throws InputException {
    assertFalse(LIBRARY.names().isEmpty());
    for (String name : LIBRARY.names()) {
      Scenario scenario = LIBRARY.read(name);
      assertEquals(name, scenario.name());
      assertFalse(scenario.about().isEmpty(), name + " says what it is about");
      List<String> written = ScenarioText.write(scenario);
      assertEquals(scenario, ScenarioText.parse(LIBRARY.find(name), written), name);
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

  /** The manual's tables are those of the schemas; -Drackweave.rewrite=true makes them so. */
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
        current.addAll(schemas().get(section).manual());
        inTable = true;
      }
    }
    assertEquals(List.copyOf(schemas().keySet()), listed, "sections in the manual");
    if (Boolean.getBoolean(Expectation.REWRITE)) {
      Files.write(MANUAL, current);
    } else {
      assertEquals(Optional.empty(), Expectation.difference(manual, current));
    }
  }

  /** What the manual tells of the papers is what {@link PublishedStatistics} has. */
  @Test
  void manualWritesThePublishedStatistics() throws IOException, BadValueException {
    String manual = Files.readString(MANUAL);
    ValueKind<Distribution> bytes = DistributionText.kind(Units.BYTES, 1, 1e15);
    ValueKind<Distribution> numbers = DistributionText.kind(Units.NUMBER, 0, 1e6);
    for (String written :
        List.of(
            "size " + bytes.format(PublishedStatistics.sinbadBlockBytes()),
            "size " + bytes.format(PublishedStatistics.eafrFileBytes()),
            "drawn " + numbers.format(PublishedStatistics.eafrReadsPerFile()),
            "capacity " + bytes.format(PublishedStatistics.eafrCapacityBytes()),
            "read-slots " + numbers.format(PublishedStatistics.eafrServiceCapacity()),
            "rate " + Units.RATE.format(PublishedStatistics.SINBAD_LARGE_BLOCKS_PER_SEC),
            "size " + Units.BYTES.format(PublishedStatistics.EAR_BLOCK_BYTES))) {
      assertTrue(manual.contains(written.replace("quantiles 0 ", "quantiles 0% ")), written);
    }
    assertEquals(
        PublishedStatistics.eafrReadsPerFile(),
        numbers.parse("quantiles 0% 1 43% 30 96% 400 100% 15000"));
  }

  private static Map<String, Schema<?>> schemas() {
    Map<String, Schema<?>> schemas = new LinkedHashMap<>();
    schemas.put("cluster", ClusterSection.SCHEMA);
    schemas.put("telemetry", RunSections.TELEMETRY);
    schemas.put("encoding", EncodingSection.SCHEMA);
    schemas.put("recovery", RecoverySection.SCHEMA);
    schemas.put("run", RunSections.RUN);
    schemas.put("failure", RunSections.failure(FailureSpec.Part.NODE, 0));
    WorkloadSections.KINDS.values().forEach(schema -> schemas.put(schema.title(), schema));
    PolicySections.KINDS.values().stream()
        .filter(schema -> !schema.keys().isEmpty())
        .forEach(schema -> schemas.put(schema.title(), schema));
    return schemas;
  }
}
