package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Turns;
import org.rackweave.cli.testbed.TestbedPolicy;

/** Has every policy of every seed run, in turns, and repeats what was disturbed. */
final class ComparedRuns {

  private static final int REPEATS_MAX = 2;

  private final CompareOptions options;
  private final Trials trials;

  ComparedRuns(CompareOptions options) {
    this.options = options;
    this.trials = new Trials(options.foreignCpuLimit(), options.quick() ? 0 : REPEATS_MAX);
  }

  /** One run of an experiment. */
  interface OneRun<R> {
    R run(TestbedPolicy policy, long seed, int attempt) throws IOException, InterruptedException;
  }

  /**
   * One step for every run.
   *
   * @param expectedMs about how long each takes
   */
  List<Progress.Step> steps(long expectedMs) {
    List<Progress.Step> steps = new ArrayList<>();
    for (int i = 0; i < options.seeds().size(); i++) {
      for (TestbedPolicy policy : Turns.of(options.policies(), i)) {
        String name = "seed " + options.seeds().get(i) + ", " + policy.label();
        steps.add(new Progress.Step(name, expectedMs));
      }
    }
    return steps;
  }

  /** Runs all of them. */
  <R extends MeasuredRun> Results<R> run(
      Map<String, String> facts, Progress progress, OneRun<R> one)
      throws IOException, InterruptedException {
    List<R> runs = new ArrayList<>();
    List<R> rejected = new ArrayList<>();
    for (int i = 0; i < options.seeds().size(); i++) {
      long seed = options.seeds().get(i);
      for (TestbedPolicy policy : Turns.of(options.policies(), i)) {
        progress.next();
        Trials.Outcome<R> outcome = trials.run(attempt -> one.run(policy, seed, attempt));
        runs.add(outcome.accepted());
        rejected.addAll(outcome.rejected());
      }
    }
    return new Results<>(facts, trials, options.policies(), runs, rejected);
  }
}
