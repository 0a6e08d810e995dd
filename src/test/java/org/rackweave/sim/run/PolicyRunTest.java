package org.rackweave.sim.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioLibrary;
import org.rackweave.sim.scenario.ScenarioText;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.workload.InputException;

class PolicyRunTest {
  private static final InputFiles NO_FILES = new InputFiles(List.of());

  private static final List<String> BUSY_HOUR =
      """
          cluster:
            racks: 10
            nodes-per-rack: 4
            oversubscription: 4
            disk-write: 50MB/s
          workloads:
            - kind: shuffles
            - kind: writes
              rate: 0.5/s
              size: 128MiB
          policies:
            - kind: stock
            - kind: uniform
              spread: distinct-racks
            - kind: least-loaded
            - kind: sinbad
            - name: oracle
              kind: sinbad
              knowledge: oracle
            - name: share
              kind: sinbad
              promise: share
          failures:
            - node: 3
              at: 60s
              return: 200s
            - rack: 7
              at: 100s
              return: 150s
          run:
            duration: 10min
            warm-up: 10s
          """
          .lines()
          .toList();

  /** One request an hour on average, and none in the first. */
  private static final long SEED_WITHOUT_REQUESTS = 2;

  private static RunInput input(List<String> text, long seed) throws InputException {
    Scenario scenario = ScenarioText.parse(Path.of("test.yaml"), text);
    return RunInput.of(scenario, NO_FILES, seed);
  }

  private static PolicyRecord run(RunInput input, String policy) {
    PolicySpec spec =
        input.scenario().policies().stream()
            .filter(one -> one.name().equals(policy))
            .findFirst()
            .orElseThrow();
    return new PolicyRun(input, spec).run((nanos, events) -> {});
  }

  @Test
  void everyPolicyWritesTheSameBlocksAndBreaksNoRule() throws InputException {
    RunInput input = input(BUSY_HOUR, 5);
    List<Long> expected = null;
    for (PolicySpec spec : input.scenario().policies()) {
      PolicyRecord seen = run(input, spec.name());
      List<Long> files = seen.blocks().stream().map(BlockOutcome::file).sorted().toList();
      expected = expected == null ? files : expected;
      assertEquals(expected, files, spec.name());
      assertEquals(0, seen.effort().unfinished(), spec.name());
      assertFalse(files.isEmpty());
    }
  }

  @Test
  void theSameSeedIsTheSameRun() throws InputException {
    PolicyRecord once = run(input(BUSY_HOUR, 9), "sinbad");
    PolicyRecord again = run(input(BUSY_HOUR, 9), "sinbad");
    assertEquals(ends(once), ends(again));
    assertArrayEquals(once.nodeBytes(), again.nodeBytes());
    assertEquals(once.effort(), again.effort());
    assertFalse(ends(once).equals(ends(run(input(BUSY_HOUR, 10), "sinbad"))));
  }

  @Test
  void energyFollowsFailuresAndSleep() throws InputException {
    List<String> idle =
        """
          cluster:
            racks: 2
            nodes-per-rack: 2
          workloads:
            - kind: writes
              rate: 1/h
          policies:
            - kind: stock
          failures:
            - node: 1
              at: 30min
          power:
            sleep-after: 15min
            sleep-watts: 10
          run:
            duration: 1h
          """
            .lines()
            .toList();
    // All awake for 15 minutes, then asleep; one of them only until it fails.
    double awake = 4 * 93.7 * 0.25;
    double asleep = 10 * (3 * 0.75 + 0.25);
    PolicyRecord seen = run(input(idle, SEED_WITHOUT_REQUESTS), "stock");
    assertEquals(List.of(), seen.blocks());
    assertEquals((awake + asleep) / 1000, seen.kilowattHours(), 1e-9);
  }

  @Test
  void readsGoToWhereBlocksLie() throws InputException {
    List<String> text =
        """
          cluster:
            racks: 5
            nodes-per-rack: 4
            disk-read: 100MB/s
          workloads:
            - kind: writes
              rate: 0.5/s
            - kind: reads
              rate: 2/s
              files: 50
          policies:
            - kind: stock
            - kind: sinbad
          failures:
            - rack: 1
              at: 60s
          run:
            duration: 5min
          """
            .lines()
            .toList();
    RunInput input = input(text, 3);
    PolicyRecord stock = run(input, "stock");
    PolicyRecord sinbad = run(input, "sinbad");
    assertEquals(0, stock.effort().unfinished());
    assertTrue(stock.reads().size() > 400, stock.reads().size() + " blocks read");
    assertEquals(asked(stock), asked(sinbad), "both are asked for the same");
    assertTrue(stock.reads().stream().filter(read -> read.isRead()).count() > 380);
    double mean =
        stock.reads().stream().mapToDouble(read -> read.seconds()).average().orElseThrow();
    assertTrue(mean > 1.1 && mean < 5, "128 MiB at 125 MB/s or less: " + mean);
  }

  private static List<String> asked(PolicyRecord record) {
    return record.reads().stream().map(read -> read.file() + " " + read.reader()).sorted().toList();
  }

  private static List<Long> ends(PolicyRecord record) {
    return record.blocks().stream().map(BlockOutcome::endedNanos).toList();
  }

  @Test
  void everyScenarioOfTheCheckoutCanBeRead() throws InputException {
    ScenarioLibrary library = new ScenarioLibrary(Path.of("scenarios"));
    assertTrue(library.names().contains("sinbad"));
    for (String name : library.names()) {
      Scenario scenario = library.read(name);
      assertFalse(scenario.about().isEmpty(), name);
      String baseline = scenario.policies().get(0).name();
      assertTrue(scenario.recovery().recovers() || baseline.equals("stock"), name);
    }
  }
}
