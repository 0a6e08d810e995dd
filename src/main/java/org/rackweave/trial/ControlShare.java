package org.rackweave.trial;

import java.util.List;
import java.util.random.RandomGenerator;
import org.rackweave.trial.Canary.State;
import org.rackweave.trial.WriteTrials.Running;

/**
 * A few files that stock HDFS places while placement is active, beside as many of ours, so that it
 * is known when ours are worse: surely beyond {@value #CONDITION}, of blocks of at most {@value
 * #WINDOW_MS} ms. By the median: some writers think for so long that they would hide all others in
 * a mean. Set apart from {@value #AFTER_MS} ms on that placement is active. One thread's.
 */
public final class ControlShare {
  static final String CONDITION = "write_p50>+20%";
  static final long AFTER_MS = 600_000;
  static final long WINDOW_MS = 21_600_000;
  private static final double PERCENT = 1;
  private static final long SALT = 0x5261636b77656176L;

  private Running running;
  private long dueMs;

  /**
   * Begins when it is time, and ends with active placement.
   *
   * @param isOn whether our decisions are carried out
   * @return what is compared now, {@code null} for nothing
   */
  public Running look(boolean isOn, long nowMs) {
    if (!isOn) {
      dueMs = nowMs + AFTER_MS;
      running = null;
    } else if (running == null && nowMs >= dueMs) {
      Canary files = new Canary(State.RUNNING, "/", PERCENT, SALT, 0, 0, CONDITION, "");
      running = new Running(files, new ArmSamples(), true);
    }
    return running;
  }

  /**
   * By how much ours are worse, in words, empty when they surely are not; {@code null} when it is
   * not time to look, or not sure.
   */
  public String worse(long nowMs, RandomGenerator random) {
    if (running == null || !running.samples().hasGrown()) {
      return null;
    }
    List<Comparison> found = running.samples().compare(nowMs - WINDOW_MS, random);
    if (running.canary().isBroken(found)) {
      return running.canary().watched(found).get(0).sentence();
    }
    return running.canary().isKept(found) ? "" : null;
  }
}
