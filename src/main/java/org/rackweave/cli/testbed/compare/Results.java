package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Map;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * The runs of a comparison.
 *
 * @param <R> what is measured of a run
 * @param facts what they were measured on
 * @param trials when runs were rejected
 * @param policies who was compared, in the order asked for
 * @param runs those that count, in the order in which they ran
 * @param rejected those that were repeated
 */
record Results<R extends MeasuredRun>(
    Map<String, String> facts,
    Trials trials,
    List<TestbedPolicy> policies,
    List<R> runs,
    List<R> rejected) {

  /** The runs of a policy, by seed. */
  List<R> runsOf(TestbedPolicy policy) {
    return runs.stream().filter(run -> run.policy() == policy).toList();
  }

  /** A figure of a policy and its spread over seeds. */
  Spread spread(TestbedPolicy policy, Figure<R> figure) {
    return Spread.of(figure.bySeed(runsOf(policy)));
  }

  /** The policies that are not stock; none if there is no stock to compare with. */
  List<TestbedPolicy> compared() {
    return policies.contains(TestbedPolicy.STOCK)
        ? policies.stream().filter(policy -> policy != TestbedPolicy.STOCK).toList()
        : List.of();
  }

  /** A policy beside stock. */
  BesideStock<R> beside(TestbedPolicy policy) {
    return new BesideStock<>(runsOf(TestbedPolicy.STOCK), runsOf(policy));
  }
}
