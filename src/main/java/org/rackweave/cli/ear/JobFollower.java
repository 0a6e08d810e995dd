package org.rackweave.cli.ear;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.ProgressBar;

/**
 * Shows how far a job in the NameNode is until it is over. Ctrl-C cancels the job.
 *
 * <p>Used once, by one thread.
 */
final class JobFollower {
  private static final long LOOK_MS = 500;
  private static final int BAR_CHARS = 24;

  private final NameNodeAdmin nameNode;
  private final PrintStream err;
  private final boolean terminal;
  private String phase = "";
  private long phaseBeganNanos;
  private int drawnChars;

  JobFollower(NameNodeAdmin nameNode, PrintStream err, boolean terminal) {
    this.nameNode = nameNode;
    this.err = err;
    this.terminal = terminal;
  }

  /** Waits for the end of a job that has begun. */
  JobView follow(JobView begun) throws IOException, InterruptedException {
    Thread onCancel = new Thread(this::cancel, "rackweave-cancel");
    Runtime.getRuntime().addShutdownHook(onCancel);
    JobView view = begun;
    while (!view.isOver()) {
      show(view);
      Thread.sleep(LOOK_MS);
      view = nameNode.ask("job");
    }
    Runtime.getRuntime().removeShutdownHook(onCancel);
    if (terminal && drawnChars > 0) {
      err.println();
    }
    return view;
  }

  private void cancel() {
    try {
      nameNode.ask("cancel");
      err.println("\ncancelled");
    } catch (IOException e) {
      err.println("\nnot cancelled: " + e.getMessage());
    }
  }

  private void show(JobView view) {
    if (!view.phase().equals(phase)) {
      phase = view.phase();
      phaseBeganNanos = System.nanoTime();
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

  private String line(JobView view) {
    if (view.total() == 0) {
      return phase + " ...";
    }
    double share = Math.min(1, (double) view.done() / view.total());
    double passed = (double) (System.nanoTime() - phaseBeganNanos) / TimeUnit.SECONDS.toNanos(1);
    long left = share <= 0 ? 0 : Math.round(passed / share - passed);
    return ProgressBar.line(
        share,
        left,
        BAR_CHARS,
        String.format(Locale.ROOT, "%s, %d of %d", phase, view.done(), view.total()));
  }
}
