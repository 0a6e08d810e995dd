package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Rack;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.hdfs.EafrConfig;

/** Writes the files of a plan where it says, has them read, and measures after a warm-up. */
final class ReadsRunner {

  private static final long FILL_SECONDS = 240;

  /** A read that takes so long after the last one began is stuck. */
  private static final long DRAIN_MS = 120_000;

  private static final long DELETE_SECONDS = 120;
  private static final long LOOK_MS = 200;

  /** Of a link's speed; what shapers let through in a second differs by their bursts. */
  private static final double FULL = 0.9;

  private final Session session;
  private final Layout layout;
  private final ReadsSettings settings;
  private final CompareOptions options;
  private final NameNodeAdmin rackweave;
  private final NameNodeAdmin eafr;

  /**
   * @param rackweave where Rackweave is switched on and off
   * @param eafr where EAFR tells what it did
   */
  ReadsRunner(
      Session session,
      ReadsSettings settings,
      CompareOptions options,
      NameNodeAdmin rackweave,
      NameNodeAdmin eafr) {
    this.session = session;
    this.layout = session.layout();
    this.settings = settings;
    this.options = options;
    this.rackweave = rackweave;
    this.eafr = eafr;
  }

  /** What readers report. */
  private static final class Reads implements Crew.Results {
    private final List<Done> done = new ArrayList<>();
    private String failure;

    @Override
    public void done(Done result) {
      done.add(result);
    }

    @Override
    public void failed(String id, String reason) {
      failure = "read " + id + " failed: " + reason;
    }
  }

  /** Carries out a plan. */
  ReadsRun run(Entry<ReadsMethod> entry, ReadsPlan plan, int attempt)
      throws IOException, InterruptedException {
    try {
      fill(plan);
      session.testbed().usePolicy(entry.method().policy());
      rackweave.ask(entry.method().mode());
      return read(entry.contender(), plan, attempt);
    } finally {
      session.crew().stop();
      rackweave.ask(ReadsMethod.STOCK.mode());
      session.testbed().usePolicy(TestbedPolicy.STOCK);
      session.files().deleteAll(ReadsSettings.ROOT, DELETE_SECONDS);
    }
  }

  /** Before there is any load; where files are does not differ from one method to the other. */
  private void fill(ReadsPlan plan) throws IOException, InterruptedException {
    session.progress().update("writing " + plan.files().size() + " files");
    session.files().makeDirectory(ReadsSettings.ROOT);
    List<Host> hosts = layout.dataNodes();
    Map<String, List<Task>> tasks = new HashMap<>();
    for (ReadsPlan.Placed file : plan.files()) {
      Task write =
          new Task.Write(
              file.name(),
              file.atMs(),
              path(file.name()),
              settings.fileBytes(),
              settings.fileBytes(),
              file.replicas().stream().map(node -> hosts.get(node).address()).toList());
      add(tasks, file.replicas().get(0), write);
    }
    session.crew().begin(tasks);
    session.crew().await(plan.files().size(), FILL_SECONDS);
    session.crew().stop();
    checkFilled(plan);
  }

  private static String path(String name) {
    return ReadsSettings.ROOT + "/" + name;
  }

  private void add(Map<String, List<Task>> tasks, int node, Task task) {
    String host = layout.dataNodes().get(node).name();
    tasks.computeIfAbsent(host, name -> new ArrayList<>()).add(task);
  }

  /** What was asked for is only a hint to the NameNode. */
  private void checkFilled(ReadsPlan plan) throws IOException {
    Map<String, Set<Integer>> there = new HashMap<>();
    for (ClusterFiles.Stored file : session.files().list(ReadsSettings.ROOT)) {
      there.put(file.path(), new HashSet<>(file.replicas()));
    }
    for (ReadsPlan.Placed file : plan.files()) {
      Set<Integer> replicas = there.get(path(file.name()));
      if (!new HashSet<>(file.replicas()).equals(replicas)) {
        throw new IOException(
            path(file.name())
                + " should be on the DataNodes "
                + file.replicas()
                + " and is on "
                + replicas);
      }
    }
  }

  private ReadsRun read(Contender contender, ReadsPlan plan, int attempt)
      throws IOException, InterruptedException {
    JsonNode before = eafrFigures();
    List<ReadsRun.Look> looks = new ArrayList<>();
    Reads reads = new Reads();
    RunClock clock = session.crew().begin(tasks(plan));
    try (RunWatch watch =
        new RunWatch(
            session.testbed(), clock, atMs -> session.progress().update(detail(plan, atMs)))) {
      while (clock.nowUs() < settings.endMs() * 1000L) {
        // As many looks for each method, since every one is work for the NameNode.
        if (clock.nowUs() >= looks.size() * 1000L * settings.lookMs()) {
          looks.add(look(clock));
        }
        drain(reads, LOOK_MS);
      }
      awaitAll(plan, clock, reads);
      JsonNode after = eafrFigures();
      Served served = served(plan, reads.done);
      return new ReadsRun(
          contender,
          plan.seed(),
          attempt,
          served.seconds(),
          served.sameHostShare(),
          served.sameRackShare(),
          fullUplinkShare(watch.readings()),
          looks,
          EafrConfig.from(session.testbed().controlConf()).intervalMs() / 1000.0,
          settings.warmUpMs() / 1000.0,
          increase(before, after, "changes_add"),
          increase(before, after, "changes_delete"),
          watch.busyCpuShare(),
          watch.foreignCpuShare());
    }
  }

  private JsonNode eafrFigures() throws IOException {
    return eafr.ask("status");
  }

  private static long increase(JsonNode before, JsonNode after, String figure) {
    return after.path(figure).asLong() - before.path(figure).asLong();
  }

  private String detail(ReadsPlan plan, long atMs) {
    String phase = atMs < settings.warmUpMs() ? "warm-up" : "measured";
    return options.origin() == BackgroundOrigin.NONE
        ? phase
        : phase + ", " + WritesProcedure.detail(plan.schedule(), atMs);
  }

  private Map<String, List<Task>> tasks(ReadsPlan plan) {
    Map<String, List<Task>> tasks = new HashMap<>();
    for (ReadsPlan.Planned read : plan.reads()) {
      String path = path(plan.files().get(read.file()).name());
      add(tasks, read.reader(), new Task.Read(read.id(), read.atMs(), path, path));
    }
    BackgroundPlan.addTo(tasks, layout, plan.schedule(), options.origin(), options.flowsPerRack());
    return tasks;
  }

  private void drain(Reads reads, long waitMs) throws IOException, InterruptedException {
    session.crew().drain(reads, waitMs);
    if (reads.failure != null) {
      throw new IOException(reads.failure);
    }
  }

  /** The slow ones count most, so they are waited for. */
  private void awaitAll(ReadsPlan plan, RunClock clock, Reads reads)
      throws IOException, InterruptedException {
    long deadlineUs = 1000L * (settings.endMs() + DRAIN_MS);
    while (reads.done.size() < plan.reads().size()) {
      if (clock.nowUs() > deadlineUs) {
        throw new IOException(
            "only "
                + reads.done.size()
                + " of "
                + plan.reads().size()
                + " reads are done: the cluster has more load than it can carry");
      }
      drain(reads, LOOK_MS);
    }
  }

  private ReadsRun.Look look(RunClock clock) throws IOException {
    double seconds = clock.nowUs() / 1e6;
    List<ClusterFiles.Stored> files = session.files().list(ReadsSettings.ROOT);
    double replicas = files.stream().mapToInt(file -> file.replicas().size()).sum();
    long bytes = files.stream().mapToLong(file -> file.sizeBytes() * file.replicas().size()).sum();
    return new ReadsRun.Look(seconds, replicas / files.size(), bytes);
  }

  private double fullUplinkShare(List<RunWatch.LinkReading> readings) {
    double limit = FULL * layout.uplinkBytesPerSec();
    int full = 0;
    int all = 0;
    for (int i = 1; i < readings.size(); i++) {
      RunWatch.LinkReading from = readings.get(i - 1);
      RunWatch.LinkReading to = readings.get(i);
      if (from.atMs() < settings.warmUpMs() || to.atMs() > settings.endMs()) {
        continue;
      }
      for (Rack rack : layout.racks()) {
        full += sentPerSec(from.counters(), to.counters(), rack) >= limit ? 1 : 0;
        all++;
      }
    }
    return (double) full / all;
  }

  private static double sentPerSec(Counters from, Counters to, Rack rack) {
    long bytes = to.uplinks().get(rack.number()).since(from.uplinks().get(rack.number())).txBytes();
    return bytes * 1e9 / (to.atNanos() - from.atNanos());
  }

  /** Of the reads that are measured how long they took, and from where they were served. */
  private record Served(double[] seconds, double sameHostShare, double sameRackShare) {}

  private Served served(ReadsPlan plan, List<Done> done) {
    Map<String, Done> byId = new HashMap<>();
    done.forEach(read -> byId.put(read.id(), read));
    List<ReadsPlan.Planned> measured = plan.dueFrom(settings.warmUpMs());
    double[] seconds = new double[measured.size()];
    double sameHost = 0;
    double sameRack = 0;
    for (int i = 0; i < seconds.length; i++) {
      ReadsPlan.Planned planned = measured.get(i);
      Done read = byId.get(planned.id());
      seconds[i] = read.seconds();
      Host reader = layout.dataNodes().get(planned.reader());
      Host server = layout.host(read.server());
      sameHost += reader.equals(server) ? 1 : 0;
      sameRack += reader.rack() == server.rack() ? 1 : 0;
    }
    return new Served(seconds, sameHost / seconds.length, sameRack / seconds.length);
  }
}
