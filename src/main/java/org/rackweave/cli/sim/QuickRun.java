package org.rackweave.cli.sim;

import org.rackweave.sim.scenario.RunSpec;
import org.rackweave.sim.scenario.Scenario;

/** A scenario cut short, to see that it runs. */
final class QuickRun {
  private static final long DURATION_MS = 180_000;
  private static final long WARM_UP_MS = 20_000;

  /** Recoveries are of so many times fewer chunks, in clusters so many times smaller. */
  private static final int SMALLER = 40;

  private static final int RACKS_LEAST = 4;

  private QuickRun() {}

  /** The same for three minutes and one seed. */
  static Scenario of(Scenario scenario) {
    Scenario shorter = shorter(scenario);
    return scenario.recovery().recovers() ? smaller(shorter) : shorter;
  }

  private static Scenario smaller(Scenario scenario) {
    return scenario.resized(
        cluster -> cluster.withRacks(Math.max(RACKS_LEAST, cluster.racks() / SMALLER)),
        recovery -> recovery.withChunks(recovery.chunks() / SMALLER));
  }

  private static Scenario shorter(Scenario scenario) {
    RunSpec run = scenario.run();
    long duration = Math.min(DURATION_MS, run.durationMs());
    long warmUp = Math.min(WARM_UP_MS, run.warmUpMs());
    return ScenarioRuns.with(scenario, run.with(duration, warmUp, run.seed(), 1));
  }
}
