package org.rackweave.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Side;
import org.rackweave.cli.experiment.SideOutcome;
import org.rackweave.cli.experiment.SidesResult;

/**
 * Shows all features at once beside stock HDFS: the same course, on a cluster of its own for each
 * side.
 */
final class AllFeatures {

  /** Hadoop keeps the first way of sending heartbeats of a process, and stock's knows no agents. */
  private static final List<Side> ORDER = List.of(Side.RACKWEAVE, Side.STOCK);

  private final AllFeaturesSettings settings;
  private final long seed;
  private final InputFiles files;
  private final HotSchedule schedule;

  AllFeatures(AllFeaturesSettings settings, Path input, long seed) {
    this.settings = settings;
    this.seed = seed;
    DemoSettings cluster = settings.cluster();
    this.files = InputFiles.list(input, cluster.maxFileBytes());
    this.schedule =
        HotSchedule.draw(
            seed,
            cluster.racks(),
            cluster.hotRacks(),
            cluster.hotPeriodMs(),
            (settings.writesUntilMs() - 1) / cluster.hotPeriodMs() + 1);
  }

  /** The files there are to copy. */
  InputFiles files() {
    return files;
  }

  /** What {@link #run} is going to do, one step each. */
  List<Progress.Step> steps() {
    return ORDER.stream().flatMap(side -> SideRun.steps(settings, side).stream()).toList();
  }

  /**
   * Runs both sides.
   *
   * @param storage where DataNodes keep blocks for the time being
   */
  AllFeaturesResult run(Path storage, Progress progress) throws IOException, InterruptedException {
    DemoSettings cluster = settings.cluster();
    List<Arrival> arrivals =
        Arrivals.draw(cluster, files.sampleOrder(seed), cluster.arrivalsMs(), seed);
    Map<Side, List<SideOutcome>> outcomes = new EnumMap<>(Side.class);
    for (Side side : ORDER) {
      Round writes = new Round(cluster, schedule, arrivals);
      Path own = storage.resolve(side.label());
      outcomes.put(side, List.of(SideRun.run(settings, side, writes, seed, own, progress)));
    }
    return new AllFeaturesResult(
        settings, files.directory(), seed, new SidesResult(new ContenderRuns<>(outcomes)));
  }
}
