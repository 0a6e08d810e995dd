package org.rackweave.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Shows how far a command is: one line that is drawn again and again on a terminal, one line for
 * each step anywhere else. Steps come with the time they are expected to take; what is left is
 * worked out from that.
 */
public final class Progress {

  /** Leaves room for two words beside it in a window of 80 columns. */
  private static final int BAR_CHARS = 16;

  /** A step that takes longer than expected stands still just before its end. */
  private static final double NEARLY_DONE = 0.98;

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier clockMs;
  private final List<Step> steps;
  private final long totalMs;
  private int current = -1;
  private long beganMs;
  private String detail = "";
  private int drawnChars;

  /**
   * A part of the work.
   *
   * @param expectedMs about how long it takes
   */
  public record Step(String name, long expectedMs) {}

  /**
   * Begins with nothing done.
   *
   * @param terminal whether {@code out} understands carriage returns
   * @param clockMs a clock that never goes back, in milliseconds
   */
  public Progress(PrintStream out, boolean terminal, LongSupplier clockMs, List<Step> steps) {
    this.out = out;
    this.terminal = terminal;
    this.clockMs = clockMs;
    this.steps = List.copyOf(steps);
    this.totalMs = steps.stream().mapToLong(Step::expectedMs).sum();
  }

  /** Goes on to the next step. */
  public synchronized void next() {
    current++;
    beganMs = clockMs.getAsLong();
    detail = "";
    if (terminal) {
      draw();
    } else {
      out.println(line());
    }
  }

  /** Shows where the current step is; does nothing but on a terminal. */
  public synchronized void update(String newDetail) {
    detail = newDetail;
    if (terminal) {
      draw();
    }
  }

  /** Leaves the line as it is and starts a new one. */
  public synchronized void end() {
    if (terminal && current >= 0) {
      current = steps.size();
      draw();
      out.println();
    }
    current = -1;
  }

  private void draw() {
    String line = line();
    int chars = line.length();
    out.print("\r" + line + " ".repeat(Math.max(0, drawnChars - chars)));
    out.flush();
    drawnChars = chars;
  }

  private String line() {
    boolean over = current >= steps.size();
    long doneMs = 0;
    for (int i = 0; i < Math.min(current, steps.size()); i++) {
      doneMs += steps.get(i).expectedMs();
    }
    if (!over) {
      long expectedMs = steps.get(current).expectedMs();
      doneMs += Math.min(clockMs.getAsLong() - beganMs, (long) (NEARLY_DONE * expectedMs));
    }
    double share = totalMs == 0 ? 1 : (double) doneMs / totalMs;
    long leftSeconds = (totalMs - doneMs + 999) / 1000;
    return ProgressBar.line(
        share,
        leftSeconds,
        BAR_CHARS,
        (over ? "done" : steps.get(current).name()) + (detail.isEmpty() ? "" : ", " + detail));
  }
}
