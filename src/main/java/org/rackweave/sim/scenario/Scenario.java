package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

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
    List<String> expected) {

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

    String section() {
      return target.substring(0, target.lastIndexOf('.'));
    }

    String key() {
      return target.substring(target.lastIndexOf('.') + 1);
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
    failures = List.copyOf(failures);
    variations = List.copyOf(variations);
    expected = List.copyOf(expected);
  }

  Scenario withVariations(List<Variation> tried) {
    return new Scenario(
        name, about, cluster, telemetry, power, encoding, recovery, workloads, policies, failures,
        run, tried, expected);
  }

  /** The scenario on the operator's cluster, from the text of {@code -printTopology}. */
  public Scenario withTopology(String topologyFile) {
    return with(
        cluster.withTopology(topologyFile),
        workloads,
        inEachCase(variations, one -> one.withTopology(topologyFile)));
  }

  /**
   * The scenario with the operator's clients in place of its own. Traffic that clients do not make
   * stays; what varied the clients is dropped.
   *
   * @param logFiles parts of one audit log, the oldest first
   * @param listingFile text of the namespace, if there is one
   */
  public Scenario withAudit(List<String> logFiles, Optional<String> listingFile) {
    List<WorkloadSpec> kept = new ArrayList<>();
    kept.add(WorkloadSections.audit(logFiles, listingFile));
    List<String> dropped = new ArrayList<>();
    for (WorkloadSpec workload : workloads) {
      if (workload.byClients()) {
        dropped.add(workload.name());
      } else {
        kept.add(workload);
      }
    }
    List<Variation> still =
        variations.stream().filter(one -> !dropped.contains(one.section())).toList();
    return with(cluster, kept, inEachCase(still, one -> one.withAudit(logFiles, listingFile)));
  }

  /** The scenario and its variations with other numbers of machines and chunks. */
  public Scenario resized(
      UnaryOperator<ClusterSpec> ofCluster, UnaryOperator<RecoverySpec> ofRecovery) {
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
        run,
        inEachCase(variations, one -> one.resized(ofCluster, ofRecovery)),
        List.of());
  }

  private Scenario with(
      ClusterSpec newCluster, List<WorkloadSpec> newWorkloads, List<Variation> newVariations) {
    return new Scenario(
        name,
        about,
        newCluster,
        telemetry,
        power,
        encoding,
        recovery,
        newWorkloads,
        policies,
        failures,
        run,
        newVariations,
        List.of());
  }

  private static List<Variation> inEachCase(
      List<Variation> variations, UnaryOperator<Scenario> change) {
    List<Variation> changed = new ArrayList<>();
    for (Variation variation : variations) {
      List<Case> cases =
          variation.cases.stream()
              .map(one -> new Case(one.value, change.apply(one.scenario)))
              .toList();
      changed.add(new Variation(variation.target, cases));
    }
    return changed;
  }
}
