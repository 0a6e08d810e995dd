package org.rackweave.sim.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.WorkloadSpec;
import org.rackweave.sim.statistics.Estimate;

/**
 * What was seen of a scenario.
 *
 * @param scenario as it was run
 * @param records of each policy, one for each seed, in the order of the seeds
 * @param cases results of the scenario's variations, by {@code <target>=<value>}
 * @param notices what a reader should know, a sentence each
 */
public record ScenarioResult(
    Scenario scenario,
    Map<String, List<PolicyRecord>> records,
    Map<String, ScenarioResult> cases,
    List<String> notices) {

  public ScenarioResult {
    records = new LinkedHashMap<>(records);
    cases = new LinkedHashMap<>(cases);
    notices = List.copyOf(notices);
  }

  /** Names of the policies, the baseline first. */
  public List<String> policies() {
    return scenario.policies().stream().map(PolicySpec::name).toList();
  }

  /** The policy that all others are compared with. */
  public String baseline() {
    return scenario.policies().get(0).name();
  }

  /**
   * Whether the policies meet the same blocks at the same times, so that these can be compared one
   * by one: not where a client writes the sooner the faster the last block was written.
   */
  public boolean hasSameBlocks() {
    return scenario.workloads().stream().noneMatch(WorkloadSpec.Steady.class::isInstance);
  }

  /** What was seen of a policy, by seed. */
  public List<PolicyRecord> of(String policy) {
    List<PolicyRecord> found = records.get(policy);
    if (found == null) {
      throw new NoSuchElementException("no policy " + policy + " in " + scenario.name());
    }
    return found;
  }

  /** A figure of a policy over the seeds. */
  public Estimate figure(String policy, ToDoubleFunction<PolicyFigures> figure) {
    return Estimate.of(of(policy).stream().map(PolicyFigures::of).toList(), figure);
  }

  /** What a policy is against the baseline, by seed. */
  public List<Improvement> improvements(String policy) {
    List<Improvement> improvements = new ArrayList<>();
    for (int seed = 0; seed < of(policy).size(); seed++) {
      improvements.add(Improvement.of(of(baseline()).get(seed), of(policy).get(seed)));
    }
    return improvements;
  }

  /** A figure of a policy against the baseline, over the seeds. */
  public Estimate improvement(String policy, ToDoubleFunction<Improvement> figure) {
    return Estimate.of(improvements(policy), figure);
  }

  /** The result of one variation. */
  public ScenarioResult variation(String target, String value) {
    ScenarioResult found = cases.get(target + "=" + value);
    if (found == null) {
      throw new NoSuchElementException("no " + target + " " + value + " in " + scenario.name());
    }
    return found;
  }
}
