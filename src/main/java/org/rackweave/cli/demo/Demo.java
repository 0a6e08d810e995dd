package org.rackweave.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Turns;

/**
 * Runs the rounds. The policies take turns, so that what else happens on the machine, and the JVM's
 * warming up, meets both.
 */
final class Demo {

  private static final long START_MS = 12_000;
  private static final long DRAIN_MS = 2_500;
  private static final int WARM_UP_MS = 2_000;
  private static final long TICK_MS = 500;

  private final DemoOptions options;
  private final DemoSettings settings;
  private final InputFiles files;
  private final HotSchedule schedule;

  Demo(DemoOptions options, DemoSettings settings) {
    this.options = options;
    this.settings = settings;
    this.files = InputFiles.list(options.input(), settings.maxFileBytes());
    this.schedule =
        HotSchedule.draw(
            options.seed(),
            settings.racks(),
            settings.hotRacks(),
            settings.hotPeriodMs(),
            settings.roundPairs() * periodsOfRound());
  }

  /** The files there are to copy. */
  InputFiles files() {
    return files;
  }

  /** What {@link #run} is going to do, one step each. */
  List<Progress.Step> steps() {
    long roundMs = settings.settleMs() + settings.arrivalsMs() + DRAIN_MS;
    List<Progress.Step> steps = new ArrayList<>();
    steps.add(new Progress.Step("starting HDFS", START_MS));
    steps.add(new Progress.Step("warming up", WARM_UP_MS));
    for (int pair = 0; pair < settings.roundPairs(); pair++) {
      for (Placement policy : Turns.of(options.policies(), pair)) {
        String name = "round " + (pair + 1) + " of " + settings.roundPairs();
        steps.add(new Progress.Step(name + " with " + policy.label(), roundMs));
      }
    }
    return steps;
  }

  /**
   * Runs everything.
   *
   * @param storage where DataNodes keep blocks for the time being
   */
  DemoResult run(Path storage, Progress progress) throws IOException, InterruptedException {
    progress.next();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try (Lab lab = Lab.start(settings, storage)) {
      var unused =
          clock.scheduleAtFixedRate(
              () -> progress.update(loaded(lab)), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
      progress.next();
      lab.warmUp(Arrivals.draw(settings, files.sampleOrder(options.seed()), WARM_UP_MS, -1));
      List<RoundOutcome> rounds = new ArrayList<>();
      for (int pair = 0; pair < settings.roundPairs(); pair++) {
        Round round = round(pair);
        for (Placement policy : Turns.of(options.policies(), pair)) {
          progress.next();
          rounds.add(lab.play(policy, pair, round));
        }
      }
      return new DemoResult(options, settings, schedule, rounds);
    } finally {
      clock.shutdownNow();
    }
  }

  private Round round(int pair) {
    long seed = options.seed() * 31 + pair;
    List<Arrival> arrivals =
        Arrivals.draw(settings, files.sampleOrder(seed), settings.arrivalsMs(), seed);
    int periods = periodsOfRound();
    return new Round(settings, schedule.part(pair * periods, (pair + 1) * periods), arrivals);
  }

  /** Periods that begin while files still arrive. */
  private int periodsOfRound() {
    int lastMs = settings.settleMs() + settings.arrivalsMs() - 1;
    return lastMs / settings.hotPeriodMs() + 1;
  }

  private static String loaded(Lab lab) {
    Set<Integer> racks = lab.cluster().hotRacks();
    if (racks.isEmpty()) {
      return "";
    }
    List<String> names = racks.stream().map(rack -> String.valueOf(rack + 1)).toList();
    return "racks " + String.join("+", names) + " hot";
  }
}
