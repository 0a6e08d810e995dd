package org.rackweave.cli.sim;

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
    boolean recovers = scenario.recovery().recovers();
    return scenario.resized(
        cluster ->
            recovers
                ? cluster.withRacks(Math.max(RACKS_LEAST, cluster.racks() / SMALLER))
                : cluster,
        recovery -> recovers ? recovery.withChunks(recovery.chunks() / SMALLER) : recovery,
        run ->
            run.with(
                Math.min(DURATION_MS, run.durationMs()), Math.min(WARM_UP_MS, run.warmUpMs()), 1));
  }
}
