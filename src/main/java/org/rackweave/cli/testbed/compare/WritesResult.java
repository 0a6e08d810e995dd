package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Map;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * All that a comparison of writes found out.
 *
 * @param facts what it was measured on
 * @param settings how large it was
 * @param origin where background load was
 * @param trials when runs were rejected
 * @param policies who was compared, in the order asked for
 * @param runs those that count, in the order in which they ran
 * @param rejected those that were repeated
 */
public record WritesResult(
    Map<String, String> facts,
    WritesSettings settings,
    BackgroundOrigin origin,
    Trials trials,
    List<TestbedPolicy> policies,
    List<WritesRun> runs,
    List<WritesRun> rejected) {

  /** The runs of a policy, by seed. */
  List<WritesRun> runsOf(TestbedPolicy policy) {
    return runs.stream().filter(run -> run.policy() == policy).toList();
  }

  /** All seeds of a policy together. */
  WriteFigures figures(TestbedPolicy policy) {
    return WriteFigures.of(runsOf(policy).stream().map(WritesRun::measured).toList());
  }

  /** A figure of a policy and its spread over seeds. */
  Spread spread(TestbedPolicy policy, Figure figure) {
    return Spread.of(figure.bySeed(runsOf(policy)));
  }

  /** Whether stock was among the policies, so that there is something to compare with. */
  boolean hasStock() {
    return policies.contains(TestbedPolicy.STOCK);
  }

  /** A policy beside stock. */
  Comparison comparison(TestbedPolicy policy) {
    return new Comparison(runsOf(TestbedPolicy.STOCK), runsOf(policy));
  }

  /** The policies that are not stock; none if there is no stock to compare with. */
  List<TestbedPolicy> compared() {
    return hasStock()
        ? policies.stream().filter(policy -> policy != TestbedPolicy.STOCK).toList()
        : List.of();
  }
}
