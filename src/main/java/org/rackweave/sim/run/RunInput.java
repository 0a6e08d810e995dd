package org.rackweave.sim.run;

import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.Machines;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioWorkload;
import org.rackweave.sim.scenario.WorkloadSpec;
import org.rackweave.sim.workload.InputException;

/**
 * What all policies of a scenario meet in the run of one seed. Immutable.
 *
 * @param machines the cluster
 * @param workload what arrives
 * @param seed everything random is drawn from
 */
public record RunInput(Scenario scenario, Machines machines, ScenarioWorkload workload, long seed) {

  /**
   * Reads and checks every input of a scenario.
   *
   * @throws InputException naming file, line and reason of the first input that is wrong
   */
  public static RunInput of(Scenario scenario, InputFiles files, long seed) throws InputException {
    Machines machines = Machines.of(scenario, files);
    return new RunInput(
        scenario, machines, ScenarioWorkload.of(scenario, machines, files, seed), seed);
  }

  /** Whether anybody needs to know where blocks lie once they are written. */
  boolean readsOrDeletes() {
    return scenario.workloads().stream()
        .anyMatch(
            one ->
                one instanceof WorkloadSpec.Reads
                    || one instanceof WorkloadSpec.Audit
                    || one instanceof WorkloadSpec.Swim swim && swim.reads());
  }
}
