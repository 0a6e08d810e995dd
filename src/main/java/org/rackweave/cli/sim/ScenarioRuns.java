package org.rackweave.cli.sim;

import java.util.List;
import org.rackweave.sim.scenario.RunSpec;
import org.rackweave.sim.scenario.Scenario;

/** Scenarios run for another time, or another number of times, than written. */
final class ScenarioRuns {
  private ScenarioRuns() {}

  /** The scenario and its variations with other runs. */
  static Scenario with(Scenario scenario, RunSpec run) {
    List<Scenario.Variation> variations =
        scenario.variations().stream()
            .map(
                variation ->
                    new Scenario.Variation(
                        variation.target(),
                        variation.cases().stream()
                            .map(one -> new Scenario.Case(one.value(), with(one.scenario(), run)))
                            .toList()))
            .toList();
    return new Scenario(
        scenario.name(),
        scenario.about(),
        scenario.cluster(),
        scenario.telemetry(),
        scenario.power(),
        scenario.encoding(),
        scenario.recovery(),
        scenario.workloads(),
        scenario.policies(),
        scenario.failures(),
        run,
        variations,
        scenario.expected());
  }
}
