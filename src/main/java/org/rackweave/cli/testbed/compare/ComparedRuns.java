package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Turns;

/**
 * Has every contender of every seed run, in turns, and repeats what was disturbed.
 *
 * @param <C> who is compared
 */
final class ComparedRuns<C extends Contender> {

  private static final int REPEATS_MAX = 2;

  private final List<Long> seeds;
  private final List<C> contenders;
  private final C baseline;
  private final Trials trials;

  /**
   * @param all who can be compared with one another
   * @param baseline with whom the others are
   */
  ComparedRuns(CompareOptions options, List<C> all, C baseline) {
    this.seeds = options.seeds();
    this.contenders = options.contendersOf(all);
    this.baseline = baseline;
    this.trials = new Trials(options.foreignCpuLimit(), options.quick() ? 0 : REPEATS_MAX);
  }

  /** One run of an experiment. */
  interface OneRun<C, R> {
    R run(C contender, long seed, int attempt) throws IOException, InterruptedException;
  }

  /**
   * One step for every run.
   *
   * @param expectedMs about how long each takes
   */
  List<Progress.Step> steps(long expectedMs) {
    List<Progress.Step> steps = new ArrayList<>();
    for (int i = 0; i < seeds.size(); i++) {
      for (C contender : Turns.of(contenders, i)) {
        String name = "seed " + seeds.get(i) + ", " + contender.label();
        steps.add(new Progress.Step(name, expectedMs));
      }
    }
    return steps;
  }

  /** Runs all of them. */
  <R extends MeasuredRun> Results<R> run(
      Map<String, String> facts, Progress progress, OneRun<C, R> one)
      throws IOException, InterruptedException {
    List<R> runs = new ArrayList<>();
    List<R> rejected = new ArrayList<>();
    for (int i = 0; i < seeds.size(); i++) {
      long seed = seeds.get(i);
      for (C contender : Turns.of(contenders, i)) {
        progress.next();
        Trials.Outcome<R> outcome = trials.run(attempt -> one.run(contender, seed, attempt));
        runs.add(outcome.accepted());
        rejected.addAll(outcome.rejected());
      }
    }
    return new Results<>(facts, trials, contenders, baseline, runs, rejected);
  }
}
