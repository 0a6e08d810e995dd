package org.rackweave.cli.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.scenario.Expectation;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioLibrary;

/** Scenarios that say what they expect give just that. */
class ExpectedOutputTest {
  private static final Path SCENARIOS = Path.of("scenarios");

  @Test
  void scenariosGiveWhatTheyExpect() throws Exception {
    ScenarioLibrary library = new ScenarioLibrary(SCENARIOS);
    int compared = 0;
    for (String name : library.names()) {
      Scenario scenario = library.read(name);
      if (!scenario.expected().isEmpty() || name.equals("failing-racks")) {
        compared++;
        check(library.find(name), scenario);
      }
    }
    assertTrue(compared > 0);
  }

  private static void check(Path file, Scenario scenario) throws Exception {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    try (ScenarioRunner runner = new ScenarioRunner(2, new RunProgress(nowhere, false, () -> 0))) {
      List<String> lines =
          new ResultTable(
                  runner
                      .run(List.of(scenario), new InputFiles(List.of(SCENARIOS)))
                      .get(scenario.name()))
              .lines();
      if (Boolean.getBoolean(Expectation.REWRITE)) {
        Expectation.rewrite(file, lines);
      } else {
        assertEquals(
            Optional.empty(), Expectation.difference(scenario.expected(), lines), scenario.name());
      }
    }
  }
}
