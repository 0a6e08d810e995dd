package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.WriteRun;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;

/** Carries plans of writes out on a testbed. */
final class WritesRunner {
  private static final String ROOT = "/compare";

  /** A write that takes so long after the last one began is stuck. */
  private static final long DRAIN_MS = 240_000;

  private static final long VERIFY_SECONDS = 120;
  private static final long DELETE_SECONDS = 90;

  private final Session session;
  private final Layout layout;
  private final ClusterFiles files;
  private final WritesSettings settings;
  private final CompareOptions options;

  WritesRunner(Session session, WritesSettings settings, CompareOptions options) {
    this.session = session;
    this.layout = session.layout();
    this.files = session.files();
    this.settings = settings;
    this.options = options;
  }

  /** Runs a plan, reads a sample back, looks where everything went, and deletes it. */
  Experiment.Measured<WritesRun> run(Method method, long seed)
      throws IOException, InterruptedException {
    int nodes = layout.dataNodes().size();
    WritesPlan plan = WritesPlan.draw(settings, layout.racks().size(), nodes, seed);
    session.testbed().usePolicy(method.policy());
    files.makeDirectory(ROOT);
    long fallbacksBefore = files.fallbacks();
    long reportsBefore = files.reports();
    long startNanos = System.nanoTime();
    CoreTraffic before = CoreTraffic.now(session);
    try (LiveRun run = new LiveRun(session, tasks(plan), atMs -> hotRacks(plan.schedule(), atMs))) {
      run.awaitAll(plan.writes().size(), settings.endMs() + DRAIN_MS);
      double seconds = Math.max(1, run.nowUs() / 1_000_000);
      List<RunWatch.LinkReading> readings = run.watch().readings();
      run.close();
      CoreTraffic after = CoreTraffic.now(session);
      double regular = nodes * ((System.nanoTime() - startNanos) / 1e9) / session.heartbeatSec();
      double heartbeats = (files.reports() - reportsBefore) / regular;
      long fallbacks = method.isStock() ? 0 : files.fallbacks() - fallbacksBefore;
      long verifiedBytes = verify(plan);
      List<ClusterFiles.Stored> stored = files.list(ROOT);
      files.deleteAll(ROOT, DELETE_SECONDS);
      long upBytes = after.backgroundUpBytes() - before.backgroundUpBytes();
      long downBytes = after.backgroundDownBytes() - before.backgroundDownBytes();
      // Of what background load could have taken of the hot racks' uplinks, both directions.
      double possible = 2.0 * settings.hotRacks() * layout.uplinkBytesPerSec() * seconds;
      WritesOutcome outcome = new WritesOutcome(layout, settings, plan, run.done(""), readings);
      return run.measured(
          new WritesRun(
              settings.hotPeriodMs(),
              new WriteRun(
                  outcome.blocks(stored),
                  outcome.nodeWindowsWithArrivals(),
                  (upBytes + downBytes) / possible,
                  outcome.placedBytes(stored),
                  verifiedBytes,
                  fallbacks),
              outcome.blocksWhileWritten(stored),
              outcome.uplinkWindows(),
              outcome.uplinkWindowsWithArrivals(),
              upBytes,
              downBytes,
              outcome.latestStartSeconds(),
              heartbeats));
    }
  }

  /** The racks that are hot at a moment, as people count them, for the line of progress. */
  static String hotRacks(HotSchedule schedule, long atMs) {
    return "racks "
        + schedule.hotAt(atMs).stream()
            .map(rack -> String.valueOf(rack + 1))
            .collect(Collectors.joining("+"))
        + " hot";
  }

  private HostTasks tasks(WritesPlan plan) {
    HostTasks tasks = new HostTasks(layout);
    for (PoissonWrites.Planned write : plan.writes()) {
      tasks.add(
          write.writer(),
          Task.Write.block(
              write.name(), write.atMs(), ROOT + "/" + write.name(), settings.blockBytes()));
    }
    return tasks.addLoad(plan.schedule(), options, Task.Load.UNTIL_TOLD);
  }

  /** Has some files of every writer read by the writer after it, which is elsewhere. */
  private long verify(WritesPlan plan) throws IOException, InterruptedException {
    int[] left = new int[layout.dataNodes().size()];
    Arrays.fill(left, settings.verifiedPerWriter());
    HostTasks tasks = new HostTasks(layout);
    for (PoissonWrites.Planned write : plan.writes()) {
      if (left[write.writer()]-- > 0) {
        String path = ROOT + "/" + write.name();
        tasks.add((write.writer() + 1) % left.length, new Task.Read(write.name(), 0, path, path));
      }
    }
    return session.perform(tasks, VERIFY_SECONDS).stream().mapToLong(Done::sizeBytes).sum();
  }
}
