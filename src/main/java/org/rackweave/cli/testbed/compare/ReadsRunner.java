package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Rack;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.namenode.RuntimeSwitch;

/**
 * Writes the files of a plan where it says, has them read, and measures after a warm-up. EAFR is
 * there for all, and is switched on and off.
 */
final class ReadsRunner implements Experiment.Stage<ReadsRun> {
  private static final long FILL_SECONDS = 240;

  /** A read that takes so long after the last one began is stuck. */
  private static final long DRAIN_MS = 120_000;

  private static final long DELETE_SECONDS = 120;

  /** Of a link's speed; what shapers let through in a second differs by their bursts. */
  private static final double FULL = 0.9;

  private final Session session;
  private final Layout layout;
  private final ReadsSettings settings;
  private final CompareOptions options;
  private final double intervalSeconds;

  /** Where Rackweave is switched on and off. */
  private final NameNodeAdmin rackweave;

  /** Where EAFR tells what it did. */
  private final NameNodeAdmin eafr;

  ReadsRunner(Session session, ReadsSettings settings, CompareOptions options) throws IOException {
    this.session = session;
    this.layout = session.layout();
    this.settings = settings;
    this.options = options;
    Configuration conf = session.testbed().controlConf();
    EafrConfig config = EafrConfig.from(conf);
    if (config.paths().of(path(0)).isEmpty()) {
      throw new IOException(
          ConfiguredRules.HEAT
              + " is '"
              + conf.get(ConfiguredRules.HEAT)
              + "' and says nothing of "
              + ReadsSettings.ROOT);
    }
    intervalSeconds = config.intervalMs() / 1000.0;
    rackweave = NameNodeAdmin.connect(conf, RuntimeSwitch.IDENTIFIER);
    eafr = NameNodeAdmin.connect(conf, EafrAdmin.IDENTIFIER);
    eafr.ask("status"); // not only after minutes
  }

  private static String path(int file) {
    return ReadsSettings.ROOT + "/" + file;
  }

  @Override
  public Experiment.Measured<ReadsRun> run(Method method, long seed)
      throws IOException, InterruptedException {
    int racks = layout.racks().size();
    int nodesPerRack = layout.racks().get(0).dataNodes().size();
    ReadsPlan plan =
        ReadsPlan.draw(settings, racks, nodesPerRack, layout.uplinkBytesPerSec(), seed);
    try {
      fill(plan);
      session.testbed().usePolicy(method.policy());
      rackweave.ask(method.isStock() ? "off" : "active");
      return read(plan);
    } finally {
      session.workers().stop();
      rackweave.ask("off");
      session.testbed().usePolicy(TestbedPolicy.STOCK);
      session.files().deleteAll(ReadsSettings.ROOT, DELETE_SECONDS);
    }
  }

  /** Before there is any load; where files are does not differ from one method to the other. */
  private void fill(ReadsPlan plan) throws IOException, InterruptedException {
    session.progress().update("writing " + plan.files().size() + " files");
    session.files().makeDirectory(ReadsSettings.ROOT);
    HostTasks tasks = new HostTasks(layout);
    for (ReadsPlan.Placed file : plan.files()) {
      tasks.add(
          file.replicas().get(0),
          new Task.Write(
              file.name(),
              file.atMs(),
              path(file.number()),
              settings.fileBytes(),
              settings.fileBytes(),
              layout.addresses(file.replicas())));
    }
    session.perform(tasks, FILL_SECONDS);
    checkFilled(plan);
  }

  /** What was asked for is only a hint to the NameNode. */
  private void checkFilled(ReadsPlan plan) throws IOException {
    Map<String, Set<Integer>> there = new HashMap<>();
    for (ClusterFiles.Stored file : session.files().list(ReadsSettings.ROOT)) {
      there.put(file.path(), new HashSet<>(file.replicas()));
    }
    for (ReadsPlan.Placed file : plan.files()) {
      Set<Integer> replicas = there.get(path(file.number()));
      if (!new HashSet<>(file.replicas()).equals(replicas)) {
        throw new IOException(
            path(file.number())
                + " should be on the DataNodes "
                + file.replicas()
                + " and is on "
                + replicas);
      }
    }
  }

  private Experiment.Measured<ReadsRun> read(ReadsPlan plan)
      throws IOException, InterruptedException {
    JsonNode before = eafr.ask("status");
    List<ReadsRun.Look> looks = new ArrayList<>();
    HostTasks tasks = new HostTasks(layout);
    for (ReadsPlan.Planned read : plan.reads()) {
      String path = path(read.file());
      tasks.add(read.reader(), new Task.Read(read.id(), read.atMs(), path, path));
    }
    tasks.addLoad(plan.schedule(), options, Task.Load.UNTIL_TOLD);
    try (LiveRun run = new LiveRun(session, tasks, atMs -> detail(plan, atMs))) {
      // As many looks for each method, since every one is work for the NameNode.
      for (long atMs = 0; atMs < settings.endMs(); atMs += settings.lookMs()) {
        run.until(atMs);
        looks.add(look(run.nowUs() / 1e6));
      }
      run.until(settings.endMs());
      run.awaitAll(plan.reads().size(), settings.endMs() + DRAIN_MS);
      JsonNode after = eafr.ask("status");
      Map<String, Done> done =
          run.done("").stream().collect(Collectors.toMap(Done::id, Function.identity()));
      List<ReadsPlan.Planned> measured = plan.dueFrom(settings.warmUpMs());
      return run.measured(
          new ReadsRun(
              measured.stream().mapToDouble(read -> done.get(read.id()).seconds()).toArray(),
              share(measured, done, Host::equals),
              share(measured, done, (reader, server) -> reader.rack() == server.rack()),
              fullUplinkShare(run.watch().readings()),
              looks,
              intervalSeconds,
              settings.warmUpMs() / 1000.0,
              increase(before, after, "changes_add"),
              increase(before, after, "changes_delete")));
    }
  }

  private static long increase(JsonNode before, JsonNode after, String figure) {
    return after.path(figure).asLong() - before.path(figure).asLong();
  }

  /** Share of reads of which that is true of reader and server. */
  private double share(
      List<ReadsPlan.Planned> reads, Map<String, Done> done, BiPredicate<Host, Host> holds) {
    double count =
        reads.stream()
            .filter(
                read ->
                    holds.test(
                        layout.dataNodes().get(read.reader()),
                        layout.host(done.get(read.id()).server())))
            .count();
    return count / reads.size();
  }

  private String detail(ReadsPlan plan, long atMs) {
    String phase = atMs < settings.warmUpMs() ? "warm-up" : "measured";
    return options.origin() == BackgroundOrigin.NONE
        ? phase
        : phase + ", " + WritesRunner.hotRacks(plan.schedule(), atMs);
  }

  private ReadsRun.Look look(double seconds) throws IOException {
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

  @Override
  public void close() throws IOException {
    rackweave.close();
    eafr.close();
  }
}
