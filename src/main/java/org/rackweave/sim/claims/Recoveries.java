package org.rackweave.sim.claims;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;

/** Figures of recoveries, case by case. */
final class Recoveries {
  private static final double PERCENT = 100;

  private Recoveries() {}

  static Estimate figure(
      ScenarioResult result, String policy, ToDoubleFunction<RecoveryOutcome> figure) {
    return Estimate.of(result.of(policy), record -> figure.applyAsDouble(record.recovery()));
  }

  static Estimate overIdeal(ScenarioResult result, String policy) {
    return figure(result, policy, RecoveryOutcome::overIdeal);
  }

  static Estimate seconds(ScenarioResult result, String policy) {
    return figure(result, policy, RecoveryOutcome::seconds);
  }

  /** The interference factor in percent. */
  static Estimate interference(ScenarioResult result, String policy) {
    return figure(result, policy, outcome -> PERCENT * outcome.interference());
  }

  /** Recovery time of one policy over another's in the same cases. */
  static Estimate ratio(ScenarioResult result, String policy, String over) {
    List<PolicyRecord> upper = result.of(policy);
    List<PolicyRecord> lower = result.of(over);
    double[] ratios = new double[upper.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = upper.get(i).recovery().seconds() / lower.get(i).recovery().seconds();
    }
    return Estimate.of(ratios);
  }

  /** What one policy saves of another's recovery time, as a fraction. */
  static Estimate saving(ScenarioResult result, String policy, String of) {
    Estimate ratio = ratio(result, policy, of);
    return new Estimate(
        1 - ratio.mean(), ratio.halfWidth(), 1 - ratio.most(), 1 - ratio.least(), ratio.seeds());
  }
}
