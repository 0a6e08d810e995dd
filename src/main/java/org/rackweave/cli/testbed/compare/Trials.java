package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rule by which runs are rejected, fixed before any of them begins: a run is repeated when
 * others used more of the processors than a limit, so many times at most. When all attempts were
 * disturbed the least disturbed one counts, and is marked.
 *
 * @param foreignCpuLimit share of all processors' time that others may use
 * @param repeatsMax how often a run may be repeated
 */
public record Trials(double foreignCpuLimit, int repeatsMax) {

  /** One attempt at a run. */
  public interface Attempt {
    /** What others used of all processors' time while it ran, a fraction. */
    double foreignCpuShare();
  }

  /** Runs something once; the argument is the number of the attempt, from 0. */
  public interface Run<T> {
    T run(int attempt) throws IOException, InterruptedException;
  }

  /**
   * What came out.
   *
   * @param accepted the attempt that counts
   * @param rejected the others, in the order in which they ran
   */
  public record Outcome<T>(T accepted, List<T> rejected) {}

  /** Whether an attempt was disturbed. */
  public boolean isDisturbed(Attempt attempt) {
    return attempt.foreignCpuShare() > foreignCpuLimit;
  }

  /** Runs until an attempt is undisturbed, or no repetition is left. */
  public <T extends Attempt> Outcome<T> run(Run<T> run) throws IOException, InterruptedException {
    List<T> attempts = new ArrayList<>();
    do {
      attempts.add(run.run(attempts.size()));
    } while (isDisturbed(attempts.get(attempts.size() - 1)) && attempts.size() <= repeatsMax);
    T accepted =
        attempts.stream().min(Comparator.comparingDouble(Attempt::foreignCpuShare)).orElseThrow();
    attempts.remove(accepted);
    return new Outcome<>(accepted, List.copyOf(attempts));
  }
}
