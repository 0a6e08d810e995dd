package org.rackweave.sim.scenario;

import java.util.List;

/**
 * One experiment, valid as a whole: the same input for each of its policies.
 *
 * @param name what the file is called, without its ending
 * @param about what it shows, in a sentence or two
 * @param workloads what arrives, at least one
 * @param policies what is compared, at least one; the first is the baseline of the others
 * @param failures in order of time
 * @param expected output of an earlier run, line by line; empty when none was recorded
 */
public record Scenario(
    String name,
    String about,
    ClusterSpec cluster,
    TelemetrySpec telemetry,
    List<WorkloadSpec> workloads,
    List<PolicySpec> policies,
    List<FailureSpec> failures,
    RunSpec run,
    List<String> expected) {
  public Scenario {
    workloads = List.copyOf(workloads);
    policies = List.copyOf(policies);
    failures = List.copyOf(failures);
    expected = List.copyOf(expected);
  }
}
