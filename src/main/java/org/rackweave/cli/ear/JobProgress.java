package org.rackweave.cli.ear;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rackweave.cli.ProgressBar;

/**
 * Shows how far a job is: on a terminal one line that is drawn anew, with the time that is left if
 * the rest of the phase goes as fast as its beginning did; otherwise a line for each phase.
 *
 * <p>Used once, by one thread.
 */
final class JobProgress {
  private static final int BAR_CHARS = 24;

  private final PrintStream err;
  private final boolean terminal;
  private final LongSupplier clockNanos;
  private String phase = "";
  private long phaseBeganNanos;
  private int drawnChars;

  JobProgress(PrintStream err, boolean terminal, LongSupplier clockNanos) {
    this.err = err;
    this.terminal = terminal;
    this.clockNanos = clockNanos;
  }

  /** Shows how it stands now. */
  void show(JobView view) {
    if (!view.phase().equals(phase)) {
      phase = view.phase();
      phaseBeganNanos = clockNanos.getAsLong();
      if (!terminal) {
        err.println(phase);
      }
    }
    if (terminal) {
      String line = line(view);
      err.print("\r" + line + " ".repeat(Math.max(0, drawnChars - line.length())));
      err.flush();
      drawnChars = line.length();
    }
  }

  /** It is over; what follows begins on a line of its own. */
  void end() {
    if (drawnChars > 0) {
      err.println();
    }
  }

  private String line(JobView view) {
    if (view.total() == 0) {
      return phase + " ...";
    }
    String what = String.format(Locale.ROOT, "%s, %d of %d", phase, view.done(), view.total());
    if (view.done() == 0) {
      return what + " ..."; // nobody knows how long it takes
    }
    double share = Math.min(1, (double) view.done() / view.total());
    double passed =
        (double) (clockNanos.getAsLong() - phaseBeganNanos) / TimeUnit.SECONDS.toNanos(1);
    return ProgressBar.line(share, Math.round(passed / share - passed), BAR_CHARS, what);
  }
}
