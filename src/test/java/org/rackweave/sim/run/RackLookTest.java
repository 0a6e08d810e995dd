package org.rackweave.sim.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioText;
import org.rackweave.sim.workload.InputException;

/** Writers that all see the same free rack. */
class RackLookTest {
  private static final List<String> ONE_FREE_RACK =
      """
          cluster:
            racks: 6
            nodes-per-rack: 4
          telemetry:
            interval: 3s
          workloads:
            - name: busy
              kind: hot-racks
              out: 0%
            - name: copies
              kind: steady-writes
              at-a-time: 20
          policies:
            - kind: stock
            - name: before
              kind: sinbad
            - name: shipped
              kind: sinbad
              promise: share
          run:
            duration: 3min
            warm-up: 20s
            look: 1s
          """
          .lines()
          .toList();

  private static PolicyRecord run(String policy) throws InputException {
    Scenario scenario = ScenarioText.parse(Path.of("test.yaml"), ONE_FREE_RACK);
    PolicySpec spec =
        scenario.policies().stream().filter(one -> one.name().equals(policy)).findFirst().get();
    return new PolicyRun(RunInput.of(scenario, new InputFiles(List.of()), 1), spec)
        .run((share, remaining) -> {});
  }

  @Test
  void looksTellWhatIsFreeAndWhatIsWrittenThere() throws InputException {
    PolicyRecord record = run("stock");
    assertEquals(160, record.looks().size());
    int steady = 0;
    for (PolicyRecord.RackLook look : record.looks()) {
      assertEquals(1, look.freeRacks().count());
      int free = look.freeRacks().findFirst().getAsInt();
      assertEquals(0, look.occupied()[free]);
      assertEquals(0.8, look.occupied()[(free + 1) % 6], 1e-9);
      steady += Double.isNaN(look.load()[free]) ? 0 : 1;
    }
    // None is before the first; in another each of the other times the free rack changes.
    assertEquals(160 - 8, steady);
    assertArrayEquals(
        record.looks().get(2).freeRacks().toArray(), record.looks().get(1).freeRacks().toArray());
  }

  /** No herd: all of them use the rack, and go on to, until it is free no more. */
  @Test
  void writersThatSeeTheSameFreeRackUseItSteadily() throws InputException {
    PolicyFigures stock = PolicyFigures.of(run("stock"));
    PolicyFigures before = PolicyFigures.of(run("before"));
    PolicyFigures shipped = PolicyFigures.of(run("shipped"));
    String figures = List.of(stock, before, shipped).toString();
    assertTrue(shipped.freeLoad() > 1.5 * stock.freeLoad(), figures);
    assertTrue(shipped.freeSwing() / shipped.freeLoad() < 0.25, figures);
    assertTrue(shipped.meanSec() < 0.8 * before.meanSec(), figures);
    assertTrue(shipped.p95Sec() < stock.p95Sec(), figures);
  }
}
