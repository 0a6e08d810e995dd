package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.RecoveryWatch;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;

/** Fills a DataNode, kills it, and watches. */
final class RecoveryRunner {

  private static final String ROOT = "/recovery";
  private static final String FILLED = ROOT + "/filled";
  private static final String FOREGROUND = ROOT + "/foreground";
  private static final int REPLICATION = 3;
  private static final long FILL_SECONDS = 240;
  private static final int FILL_ROUNDS = 3;
  private static final long LOOK_MS = 200;
  private static final long LEFTOVER_MS = 20_000;
  private static final long DELETE_SECONDS = 120;
  private static final Duration RESTART_DEADLINE = Duration.ofSeconds(90);

  private final Testbed testbed;
  private final Layout layout;
  private final Crew crew;
  private final ClusterFiles files;
  private final Progress progress;
  private final RecoverySettings settings;
  private final CompareOptions options;

  RecoveryRunner(Session session, RecoverySettings settings, CompareOptions options) {
    this.testbed = session.testbed();
    this.layout = session.layout();
    this.crew = session.crew();
    this.files = session.files();
    this.progress = session.progress();
    this.settings = settings;
    this.options = options;
  }

  /** Carries out a plan. */
  RecoveryRun run(Entry<RecoveryMethod> entry, RecoveryPlan plan, int attempt)
      throws IOException, InterruptedException {
    Host victim = layout.dataNodes().get(plan.victim());
    fill(plan);
    testbed.usePolicy(entry.method().policy(), entry.method().settings());
    Foreground foreground = new Foreground();
    RecoveryWatch watch = new RecoveryWatch();
    RunClock clock = crew.begin(tasks(plan));
    boolean killed = false;
    try (RunWatch machine =
        new RunWatch(
            testbed,
            clock,
            atMs -> progress.update(WritesProcedure.detail(plan.schedule(), atMs)))) {
      while (clock.nowUs() < settings.killAtMs() * 1000L) {
        crew.drain(foreground, Math.min(LOOK_MS, 1 + clock.untilUs(settings.killAtMs()) / 1000));
      }
      IdleLinks links = idleLinks(plan, machine.readings());
      killed = true;
      testbed.killDataNode(victim.name());
      long killedUs = clock.nowUs();
      follow(watch, plan, clock, killedUs, foreground);
      long overUs = killedUs + (long) (1e6 * (watch.detectionSeconds() + watch.rebuildSeconds()));
      awaitWritesDueBefore(overUs, plan, clock, foreground);
      crew.stop();
      return new RecoveryRun(
          entry.contender(),
          plan.seed(),
          attempt,
          victim.name(),
          plan.filled().size(),
          watch.detectionSeconds(),
          watch.rebuildSeconds(),
          idealSeconds(plan, links, killedUs / 1000 + (long) (1e3 * watch.detectionSeconds())),
          watch.missing(),
          foreground.seconds(settings.settleMs() * 1000L, killedUs),
          foreground.seconds(killedUs, overUs),
          foreground.failedOrLeft(plan, overUs),
          machine.busyCpuShare(),
          machine.foreignCpuShare());
    } finally {
      crew.stop();
      restore(victim, killed);
    }
  }

  private IdleLinks idleLinks(RecoveryPlan plan, List<RunWatch.LinkReading> readings) {
    return IdleLinks.of(
        layout,
        plan.schedule(),
        readings.stream().filter(reading -> reading.atMs() >= settings.settleMs()).toList(),
        RecoverySettings.BANDWIDTH);
  }

  private double idealSeconds(RecoveryPlan plan, IdleLinks links, long fromMs) {
    int racks = layout.racks().size();
    int nodesPerRack = layout.dataNodes().size() / racks;
    return IdealRebuild.seconds(plan, settings, links, racks, nodesPerRack, fromMs);
  }

  /** The foreground writes that are done, and those that failed. */
  private static final class Foreground implements Crew.Results {
    private final List<Done> done = new ArrayList<>();
    private int failed;

    @Override
    public void done(Done result) {
      done.add(result);
    }

    @Override
    public void failed(String id, String reason) {
      failed++;
    }

    double[] seconds(long fromUs, long toUs) {
      return done.stream()
          .filter(write -> write.scheduledUs() >= fromUs && write.scheduledUs() < toUs)
          .mapToDouble(Done::seconds)
          .toArray();
    }

    /** Writes due by then of which nothing is known yet, and those that failed. */
    int failedOrLeft(RecoveryPlan plan, long dueUs) {
      long due = plan.writes().stream().filter(write -> write.atMs() * 1000L < dueUs).count();
      long doneOfThese = done.stream().filter(write -> write.scheduledUs() < dueUs).count();
      return (int) (due - doneOfThese);
    }

    int failed() {
      return failed;
    }
  }

  private void fill(RecoveryPlan plan) throws IOException, InterruptedException {
    testbed.usePolicy(TestbedPolicy.STOCK);
    files.makeDirectory(FILLED);
    files.makeDirectory(FOREGROUND);
    progress.update("filling " + layout.dataNodes().get(plan.victim()).name());
    List<RecoveryPlan.Filled> left = plan.filled();
    for (int round = 0; round < FILL_ROUNDS && !left.isEmpty(); round++) {
      write(left);
      left = notOnVictim(plan);
    }
    if (!left.isEmpty()) {
      throw new IOException(
          "The DataNode to be killed lacks "
              + left.size()
              + " of "
              + plan.filled().size()
              + " blocks that were written to it in each of "
              + FILL_ROUNDS
              + " rounds");
    }
  }

  private void write(List<RecoveryPlan.Filled> blocks) throws IOException, InterruptedException {
    Map<String, List<Task>> tasks = new HashMap<>();
    long firstMs = blocks.get(0).atMs();
    for (RecoveryPlan.Filled block : blocks) {
      List<String> favored =
          block.replicas().stream().map(node -> layout.dataNodes().get(node).address()).toList();
      Task.Write write =
          new Task.Write(
              "fill-" + block.number(),
              block.atMs() - firstMs,
              path(block),
              settings.blockBytes(),
              settings.blockBytes(),
              favored);
      add(tasks, block.writer(), write);
    }
    crew.begin(tasks);
    crew.await(blocks.size(), FILL_SECONDS);
    crew.stop();
  }

  private static String path(RecoveryPlan.Filled block) {
    return FILLED + "/" + block.number();
  }

  /**
   * Blocks that the NameNode has placed elsewhere: what was asked for is only a hint to it. They
   * are deleted. A file is complete when one DataNode has told of its block; others do so later.
   */
  private List<RecoveryPlan.Filled> notOnVictim(RecoveryPlan plan)
      throws IOException, InterruptedException {
    files.awaitReplicas(FILLED, REPLICATION, FILL_SECONDS);
    Set<String> there = new HashSet<>();
    for (ClusterFiles.Stored file : files.list(FILLED)) {
      if (file.replicas().contains(plan.victim())) {
        there.add(file.path());
      }
    }
    List<RecoveryPlan.Filled> elsewhere =
        plan.filled().stream().filter(block -> !there.contains(path(block))).toList();
    for (RecoveryPlan.Filled block : elsewhere) {
      files.delete(path(block));
    }
    return elsewhere;
  }

  private void add(Map<String, List<Task>> tasks, int node, Task task) {
    String host = layout.dataNodes().get(node).name();
    tasks.computeIfAbsent(host, name -> new ArrayList<>()).add(task);
  }

  private Map<String, List<Task>> tasks(RecoveryPlan plan) {
    Map<String, List<Task>> tasks = new HashMap<>();
    for (PoissonWrites.Planned write : plan.writes()) {
      add(
          tasks,
          write.writer(),
          new Task.Write(
              write.name(),
              write.atMs(),
              FOREGROUND + "/" + write.name(),
              settings.writeBytes(),
              settings.writeBytes(),
              List.of()));
    }
    BackgroundPlan.addTo(tasks, layout, plan.schedule(), options.origin(), options.flowsPerRack());
    return tasks;
  }

  private void follow(
      RecoveryWatch watch, RecoveryPlan plan, RunClock clock, long killedUs, Foreground foreground)
      throws IOException, InterruptedException {
    while (!watch.isOver()) {
      double seconds = (clock.nowUs() - killedUs) / 1e6;
      boolean dead = files.state().get("NumDeadDataNodes").asInt() > 0;
      watch.look(seconds, dead, missing(plan));
      if (seconds * 1000 > RecoverySettings.LONGEST_MS) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%d replicas are not rebuilt %.0f s after the kill; the cluster has %s blocks short"
                    + " of replicas and %s transfers: it has more load than it can carry",
                missing(plan),
                seconds,
                files.state().get("LowRedundancyBlocks"),
                files.state().get("TotalLoad")));
      }
      crew.drain(foreground, LOOK_MS);
    }
  }

  /** The slow ones count most, so they are waited for. */
  private void awaitWritesDueBefore(
      long dueUs, RecoveryPlan plan, RunClock clock, Foreground foreground)
      throws IOException, InterruptedException {
    long deadlineUs = clock.nowUs() + TimeUnit.MILLISECONDS.toMicros(LEFTOVER_MS);
    while (foreground.failedOrLeft(plan, dueUs) > foreground.failed()
        && clock.nowUs() < deadlineUs) {
      crew.drain(foreground, LOOK_MS);
    }
  }

  /** Replicas that blocks of the killed DataNode lack, its own not counted. */
  private long missing(RecoveryPlan plan) throws IOException {
    long missing = 0;
    for (ClusterFiles.Stored file : files.list(FILLED)) {
      long live = file.replicas().stream().filter(node -> node != plan.victim()).count();
      missing += Math.max(0, REPLICATION - live);
    }
    return missing;
  }

  /** Starts the DataNode again and empties the cluster. */
  private void restore(Host victim, boolean killed) throws IOException, InterruptedException {
    progress.update("restarting " + victim.name());
    if (killed) {
      testbed.startDataNode(victim.name());
      testbed.awaitLiveDataNodes(layout.dataNodes().size(), RESTART_DEADLINE);
      files.awaitBlocksOf(victim.name(), RESTART_DEADLINE.toSeconds());
    }
    files.deleteAll(ROOT, DELETE_SECONDS);
  }
}
