package org.rackweave.cli.sim;

import org.rackweave.sim.scenario.RunSpec;
import org.rackweave.sim.scenario.Scenario;

/** A scenario cut short, to see that it runs. */
final class QuickRun {
  private static final long DURATION_MS = 180_000;
  private static final long WARM_UP_MS = 20_000;

  private QuickRun() {}

  /** The same for three minutes and one seed. */
  static Scenario of(Scenario scenario) {
    RunSpec run = scenario.run();
    long duration = Math.min(DURATION_MS, run.durationMs());
    long warmUp = Math.min(WARM_UP_MS, run.warmUpMs());
    return ScenarioRuns.with(scenario, run.with(duration, warmUp, run.seed(), 1));
  }
}
