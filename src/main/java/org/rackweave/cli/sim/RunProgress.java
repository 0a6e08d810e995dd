package org.rackweave.cli.sim;

import java.io.PrintStream;
import java.util.function.LongSupplier;
import org.rackweave.cli.ProgressBar;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.Scenario;

/**
 * Shows how far simulations are: on a terminal a bar with the time left, anywhere else a line for
 * every run that ends. What is left is worked out from the simulated time that has passed.
 */
final class RunProgress {
  private static final int BAR_CHARS = 24;
  private static final long REDRAW_MS = 200;

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier clockMs;
  private final long beganMs;
  private double expectedSec;
  private double simulatedSec;
  private int runs;
  private int runsDone;
  private long drawnMs;

  RunProgress(PrintStream out, boolean terminal, LongSupplier clockMs) {
    this.out = out;
    this.terminal = terminal;
    this.clockMs = clockMs;
    beganMs = clockMs.getAsLong();
  }

  /** Counts a run of a scenario. */
  synchronized void expect(Scenario scenario) {
    runs++;
    expectedSec += scenario.run().durationMs() / 1e3;
  }

  /** One run. */
  final class Share {
    private final String name;
    private final double durationSec;
    private double atSec;

    private Share(String name, double durationSec) {
      this.name = name;
      this.durationSec = durationSec;
    }

    /** Tells how far the run is. */
    void at(long simulatedNanos) {
      synchronized (RunProgress.this) {
        double now = Math.min(durationSec, SimTime.toSeconds(simulatedNanos));
        simulatedSec += now - atSec;
        atSec = now;
        if (terminal && clockMs.getAsLong() - drawnMs >= REDRAW_MS) {
          draw();
        }
      }
    }

    /** Tells that the run has ended. */
    void done() {
      at(Long.MAX_VALUE);
      synchronized (RunProgress.this) {
        runsDone++;
        if (!terminal) {
          out.println(line() + ", " + name);
        }
      }
    }
  }

  /** A run begins. */
  Share begin(Scenario scenario, String policy, long seed) {
    return new Share(
        scenario.name() + " " + policy + " seed " + seed, scenario.run().durationMs() / 1e3);
  }

  /** Everything has ended. */
  synchronized void end() {
    if (terminal && runs > 0) {
      draw();
      out.println();
    }
  }

  private void draw() {
    drawnMs = clockMs.getAsLong();
    out.print("\r" + line() + "  ");
    out.flush();
  }

  private String line() {
    double share = expectedSec == 0 ? 1 : simulatedSec / expectedSec;
    double passedSec = (clockMs.getAsLong() - beganMs) / 1e3;
    long leftSec = share <= 0 ? 0 : Math.round(passedSec / share - passedSec);
    return ProgressBar.line(
        share,
        leftSec,
        BAR_CHARS,
        "run " + Math.min(runs, runsDone + (terminal ? 1 : 0)) + " of " + runs);
  }
}
