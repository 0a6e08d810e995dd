package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.rackweave.sim.workload.InputException;

/**
 * One experiment, valid as a whole: the same input for each of its policies.
 *
 * @param name what the file is called, without its ending
 * @param about what it shows, in a sentence or two; may be empty
 * @param encoding stripes that EAR forms, and what of them is encoded
 * @param recovery of a failed node, what is left of it to copy
 * @param workloads what arrives, at least one
 * @param policies what is compared, at least one; the first is the baseline of the others
 * @param failures in order of time
 * @param variations what is tried besides, in the order written
 * @param expected output of an earlier run, line by line; empty when none was recorded
 * @param text as YAML, with what an operator put in place of what is written
 */
public record Scenario(
    String name,
    String about,
    ClusterSpec cluster,
    TelemetrySpec telemetry,
    PowerSpec power,
    EncodingSpec encoding,
    RecoverySpec recovery,
    List<WorkloadSpec> workloads,
    List<PolicySpec> policies,
    List<FailureSpec> failures,
    RunSpec run,
    List<Variation> variations,
    List<String> expected,
    String text) {

  private static final Set<String> RESERVED = Set.copyOf(ScenarioTree.SINGLE);

  /**
   * One setting tried with several values, all else as written.
   *
   * @param target {@code <section or name>.<key>}, for instance {@code writes.rate}
   * @param cases one for each value
   */
  public record Variation(String target, List<Case> cases) {
    public Variation {
      cases = List.copyOf(cases);
    }
  }

  /**
   * A scenario with one setting changed.
   *
   * @param value the setting as written
   * @param scenario without variations and expected output of its own
   */
  public record Case(String value, Scenario scenario) {}

  public Scenario {
    workloads = List.copyOf(workloads);
    policies = List.copyOf(policies);
    variations = List.copyOf(variations);
    expected = List.copyOf(expected);
    requireNames(workloads, policies);
    requireShuffles(workloads);
    encoding.requireRoom(cluster);
    recovery.requireFit(cluster, workloads, policies);
    requireParts(failures, cluster);
    failures = failures.stream().sorted(Comparator.comparingLong(FailureSpec::atMs)).toList();
  }

  private static void requireNames(List<WorkloadSpec> workloads, List<PolicySpec> policies) {
    Set<String> taken = new HashSet<>(RESERVED);
    requireNames("workloads", workloads.stream().map(WorkloadSpec::name).toList(), taken);
    requireNames("policies", policies.stream().map(PolicySpec::name).toList(), taken);
  }

  private static void requireNames(String section, List<String> names, Set<String> taken) {
    if (names.isEmpty()) {
      throw new BadValueException(section, "has no " + section + "; at least one is needed");
    }
    for (int i = 0; i < names.size(); i++) {
      if (!taken.add(names.get(i))) {
        throw new BadValueException(
            section + "/" + i, "the name " + InputException.quote(names.get(i)) + " is taken");
      }
    }
  }

  private static void requireShuffles(List<WorkloadSpec> workloads) {
    List<String> shuffles =
        workloads.stream()
            .filter(WorkloadSpec.Shuffles.class::isInstance)
            .map(WorkloadSpec::name)
            .toList();
    for (int i = 0; i < workloads.size(); i++) {
      if (workloads.get(i) instanceof WorkloadSpec.Writes writes
          && writes.reducersOf().filter(name -> !shuffles.contains(name)).isPresent()) {
        throw new BadValueException(
            "workloads/" + i + "/reducers-of",
            "reducers-of is "
                + InputException.quote(writes.reducersOf().get())
                + "; allowed: the name of a workload of kind shuffles"
                + (shuffles.isEmpty() ? ", of which there is none" : ", " + shuffles));
      }
    }
  }

  /** How many an operator's topology has is known when it is read. */
  private static void requireParts(List<FailureSpec> failures, ClusterSpec cluster) {
    for (int i = 0; i < failures.size() && cluster.topologyFile().isEmpty(); i++) {
      FailureSpec failure = failures.get(i);
      int there = cluster.racks() * (failure.rack().isPresent() ? 1 : cluster.nodesPerRack());
      if (failure.index() >= there) {
        throw new BadValueException(
            "failures/" + i + "/" + failure.part(),
            failure.part() + " is '" + failure.index() + "'; allowed: 0 to " + (there - 1));
      }
    }
  }

  /** The scenario and its variations with other machines, chunks and runs. */
  public Scenario resized(
      UnaryOperator<ClusterSpec> ofCluster,
      UnaryOperator<RecoverySpec> ofRecovery,
      UnaryOperator<RunSpec> ofRun) {
    List<Variation> resized = new ArrayList<>();
    for (Variation variation : variations) {
      List<Case> cases =
          variation.cases.stream()
              .map(one -> new Case(one.value, one.scenario.resized(ofCluster, ofRecovery, ofRun)))
              .toList();
      resized.add(new Variation(variation.target, cases));
    }
    return new Scenario(
        name,
        about,
        ofCluster.apply(cluster),
        telemetry,
        power,
        encoding,
        ofRecovery.apply(recovery),
        workloads,
        policies,
        failures,
        ofRun.apply(run),
        resized,
        List.of(),
        text);
  }
}
