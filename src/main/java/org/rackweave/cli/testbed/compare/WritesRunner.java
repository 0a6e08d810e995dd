package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.WriteRun;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;

/** Carries plans of writes out on a testbed. */
final class WritesRunner {

  /** A write that takes so long after the last one began is stuck. */
  private static final long DRAIN_SECONDS = 240;

  private static final long VERIFY_SECONDS = 120;
  private static final long DELETE_SECONDS = 90;

  private final Testbed testbed;
  private final Layout layout;
  private final Crew crew;
  private final ClusterFiles files;
  private final Progress progress;
  private final long heartbeatSec;
  private final WritesSettings settings;
  private final CompareOptions options;

  WritesRunner(Session session, WritesSettings settings, CompareOptions options) {
    this.testbed = session.testbed();
    this.layout = session.layout();
    this.crew = session.crew();
    this.files = session.files();
    this.progress = session.progress();
    this.heartbeatSec = session.heartbeatSec();
    this.settings = settings;
    this.options = options;
  }

  /** What the workers and the watch saw of a run. */
  private record Trace(
      List<Done> writes,
      List<RunWatch.LinkReading> readings,
      long seconds,
      long upBytes,
      long downBytes,
      double busyCpuShare,
      double foreignCpuShare) {}

  /** Runs a plan, reads a sample back, looks where everything went, and deletes it. */
  WritesRun run(Entry<TestbedPolicy> entry, WritesPlan plan, int attempt)
      throws IOException, InterruptedException {
    testbed.usePolicy(entry.method());
    String directory = "/compare/" + entry.contender().label() + "-" + plan.seed() + "-" + attempt;
    files.makeDirectory(directory);
    long fallbacksBefore = files.fallbacks();
    long startNanos = System.nanoTime();
    long reportsBefore = files.reports();
    Trace trace = trace(plan, directory);
    double regular = layout.dataNodes().size() * seconds(startNanos) / heartbeatSec;
    double heartbeats = (files.reports() - reportsBefore) / regular;
    long fallbacks = files.fallbacks() - fallbacksBefore;
    long verifiedBytes = verify(plan, directory);
    List<ClusterFiles.Stored> stored = files.list(directory);
    files.deleteAll(directory, DELETE_SECONDS);
    WritesOutcome outcome =
        new WritesOutcome(layout, settings, plan, trace.writes(), trace.readings());
    WriteRun measured =
        new WriteRun(
            outcome.blocks(stored),
            outcome.nodeWindowsWithArrivals(),
            backgroundLoad(trace),
            outcome.placedBytes(stored),
            verifiedBytes,
            entry.method() == TestbedPolicy.STOCK ? 0 : fallbacks);
    return new WritesRun(
        entry.contender(),
        plan.seed(),
        attempt,
        settings.hotPeriodMs(),
        measured,
        outcome.blocksWhileWritten(stored),
        outcome.uplinkWindows(),
        outcome.uplinkWindowsWithArrivals(),
        trace.upBytes(),
        trace.downBytes(),
        outcome.latestStartSeconds(),
        heartbeats,
        trace.busyCpuShare(),
        trace.foreignCpuShare());
  }

  private Trace trace(WritesPlan plan, String directory) throws IOException, InterruptedException {
    Map<String, Long> before = crew.receivedBytes();
    RunClock clock = crew.begin(tasks(plan, directory));
    try (RunWatch watch =
        new RunWatch(
            testbed,
            clock,
            atMs -> progress.update(WritesProcedure.detail(plan.schedule(), atMs)))) {
      List<Done> writes = crew.await(plan.writes().size(), settings.endMs() / 1000 + DRAIN_SECONDS);
      long seconds = Math.max(1, clock.nowUs() / 1_000_000);
      List<RunWatch.LinkReading> readings = watch.readings();
      crew.stop();
      Map<String, Long> after = crew.receivedBytes();
      String sink = layout.sink().name();
      long upBytes = after.get(sink) - before.get(sink);
      return new Trace(
          writes,
          readings,
          seconds,
          upBytes,
          sum(after) - sum(before) - upBytes,
          watch.busyCpuShare(),
          watch.foreignCpuShare());
    } finally {
      crew.stop();
    }
  }

  private static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1e9;
  }

  private static long sum(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<String, List<Task>> tasks(WritesPlan plan, String directory) {
    Map<String, List<Task>> tasks = new HashMap<>();
    List<Host> hosts = layout.dataNodes();
    for (PoissonWrites.Planned write : plan.writes()) {
      String path = directory + "/" + write.name();
      tasks
          .computeIfAbsent(hosts.get(write.writer()).name(), name -> new ArrayList<>())
          .add(
              new Task.Write(
                  write.name(),
                  write.atMs(),
                  path,
                  settings.blockBytes(),
                  settings.blockBytes(),
                  List.of()));
    }
    BackgroundPlan.addTo(tasks, layout, plan.schedule(), options.origin(), options.flowsPerRack());
    return tasks;
  }

  /** Of what background load could have taken of the hot racks' uplinks, both directions. */
  private double backgroundLoad(Trace trace) {
    double possible = 2.0 * settings.hotRacks() * layout.uplinkBytesPerSec() * trace.seconds();
    return (trace.upBytes() + trace.downBytes()) / possible;
  }

  /** Has some files of every writer read by the writer after it, which is elsewhere. */
  private long verify(WritesPlan plan, String directory) throws IOException, InterruptedException {
    List<Host> hosts = layout.dataNodes();
    int[] left = new int[hosts.size()];
    Arrays.fill(left, settings.verifiedPerWriter());
    Map<String, List<Task>> tasks = new HashMap<>();
    int count = 0;
    for (PoissonWrites.Planned write : plan.writes()) {
      if (left[write.writer()]-- > 0) {
        String path = directory + "/" + write.name();
        String reader = hosts.get((write.writer() + 1) % hosts.size()).name();
        tasks
            .computeIfAbsent(reader, name -> new ArrayList<>())
            .add(new Task.Read(write.name(), 0, path, path));
        count++;
      }
    }
    crew.begin(tasks);
    long bytes = crew.await(count, VERIFY_SECONDS).stream().mapToLong(Done::sizeBytes).sum();
    crew.stop();
    return bytes;
  }
}
