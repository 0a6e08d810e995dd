package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.rackweave.chart.GroupedBars;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Seeded;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.LinkBytes;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;

/**
 * {@code compare encode}: a replicated file is copied into a directory with erasure coding, which
 * is how stock HDFS encodes what is there already.
 */
final class EncodeProcedure implements Procedure {

  private static final String CODE = "RS-3-2-1024k";
  private static final String ROOT = "/encode";
  private static final String FROM = ROOT + "/replicated";
  private static final String TO = ROOT + "/encoded";
  private static final int HOT_RACKS = 2;
  private static final int HOT_PERIOD_MS = 20_000;
  private static final int SETTLE_MS = 4_000;
  private static final long BLOCK_BYTES = 8L << 20;
  private static final long WRITE_GAP_MS = 1_000;
  private static final long DEADLINE_SECONDS = 600;

  /** Shapers count frames, of which 1,448 of 1,514 bytes are the background load's own. */
  private static final double FRAME_OVER_PAYLOAD = 1514.0 / 1448;

  /** Background load is planned for as long as that. */
  private static final int LOAD_MS = 1_000 * (int) DEADLINE_SECONDS;

  private static final Figure<Run> RATE =
      Figure.number(
          "encode_mb_per_s", "encoded, MB/s", run -> run.dataBytes() / 1e6 / run.seconds());
  private static final Figure<Run> CROSS_RACK =
      Figure.number(
          "cross_rack_bytes_per_byte",
          "bytes between racks, a byte of data",
          run -> run.crossRackBytes() / (double) run.dataBytes());
  private static final List<Figure<Run>> ALL =
      List.of(
          RATE,
          CROSS_RACK,
          Figure.seconds("encode_s", "from the first byte to the last", Run::seconds),
          Figure.count("data_mib", "data, MiB", run -> run.dataBytes() / (double) (1 << 20)));

  private final CompareOptions options;
  private final ComparedRuns runs;
  private final int filesPerHost;

  EncodeProcedure(CompareOptions options) {
    this.options = options;
    this.runs = new ComparedRuns(options);
    this.filesPerHost = options.quick() ? 1 : 2;
  }

  /**
   * One run.
   *
   * @param dataBytes bytes encoded, parity not counted
   * @param seconds from the first byte to the last
   * @param crossRackBytes what all racks' uplinks carried out of their racks meanwhile, background
   *     load not counted
   */
  record Run(
      TestbedPolicy policy,
      long seed,
      int attempt,
      long dataBytes,
      double seconds,
      long crossRackBytes,
      double busyCpuShare,
      double foreignCpuShare)
      implements MeasuredRun {}

  @Override
  public List<Progress.Step> steps() {
    long dataBytes = filesPerHost * 12 * BLOCK_BYTES;
    return runs.steps(SETTLE_MS + filesPerHost * WRITE_GAP_MS + dataBytes / 8_000 + 20_000);
  }

  @Override
  public Findings run(Session session) throws IOException, InterruptedException {
    if (session.layout().dataNodes().size() < 5) {
      throw new IOException(CODE + " needs five DataNodes");
    }
    session.files().fileSystem().enableErasureCodingPolicy(CODE);
    Results<Run> results =
        runs.run(
            Facts.of(session.testbed(), options.origin(), options.flowsPerRack()),
            session.progress(),
            (policy, seed, attempt) -> run(session, policy, seed, attempt));
    return new Found(results);
  }

  private Run run(Session session, TestbedPolicy policy, long seed, int attempt)
      throws IOException, InterruptedException {
    session.testbed().usePolicy(policy);
    prepare(session);
    Layout layout = session.layout();
    HotSchedule schedule =
        HotSchedule.draw(
            seed, layout.racks().size(), HOT_RACKS, HOT_PERIOD_MS, LOAD_MS / HOT_PERIOD_MS);
    Map<String, Long> backgroundBefore = session.crew().receivedBytes();
    RunClock clock = session.crew().begin(copies(layout, schedule, seed));
    try (RunWatch watch =
        new RunWatch(
            session.testbed(),
            clock,
            atMs -> session.progress().update(WritesProcedure.detail(schedule, atMs)))) {
      Thread.sleep(clock.untilUs(0) / 1000);
      Counters before = session.testbed().counters();
      Done copy = session.crew().await(1, DEADLINE_SECONDS).get(0);
      Counters after = session.testbed().counters();
      session.crew().stop();
      String sink = layout.sink().name();
      long backgroundUp = session.crew().receivedBytes().get(sink) - backgroundBefore.get(sink);
      Run run =
          new Run(
              policy,
              seed,
              attempt,
              copy.sizeBytes(),
              copy.seconds(),
              leftRacks(before, after) - (long) (backgroundUp * FRAME_OVER_PAYLOAD),
              watch.busyCpuShare(),
              watch.foreignCpuShare());
      verify(session);
      return run;
    } finally {
      session.crew().stop();
      session.files().deleteAll(ROOT, DEADLINE_SECONDS);
    }
  }

  private static long leftRacks(Counters before, Counters after) {
    long bytes = 0;
    for (Map.Entry<Integer, LinkBytes> uplink : after.uplinks().entrySet()) {
      bytes += uplink.getValue().since(before.uplinks().get(uplink.getKey())).txBytes();
    }
    return bytes;
  }

  private void prepare(Session session) throws IOException, InterruptedException {
    session.files().makeDirectory(FROM);
    session.files().makeDirectory(TO);
    DistributedFileSystem files = session.files().fileSystem();
    files.setErasureCodingPolicy(new Path(TO), CODE);
    Map<String, List<Task>> tasks = new HashMap<>();
    for (Host host : session.layout().dataNodes()) {
      for (int i = 0; i < filesPerHost; i++) {
        String name = name(host, i);
        add(
            tasks,
            host,
            new Task.Write(
                name, i * WRITE_GAP_MS, FROM + "/" + name, BLOCK_BYTES, BLOCK_BYTES, List.of()));
      }
    }
    session.crew().begin(tasks);
    session.crew().await(session.layout().dataNodes().size() * filesPerHost, DEADLINE_SECONDS);
    session.crew().stop();
  }

  private static String name(Host host, int number) {
    return host.name() + "-" + number;
  }

  private static void add(Map<String, List<Task>> tasks, Host host, Task task) {
    tasks.computeIfAbsent(host.name(), name -> new ArrayList<>()).add(task);
  }

  /** One client copies everything, wherever it is: so does a tool that encodes. */
  private Map<String, List<Task>> copies(Layout layout, HotSchedule schedule, long seed) {
    Map<String, List<Task>> tasks = new HashMap<>();
    List<Host> hosts = layout.dataNodes();
    Host copier = hosts.get(Seeded.random(seed).nextInt(hosts.size()));
    add(tasks, copier, new Task.Copy("copy", SETTLE_MS, FROM, TO));
    BackgroundPlan.addTo(tasks, layout, schedule, options.origin(), options.flowsPerRack());
    return tasks;
  }

  /** Has every encoded file read back and compared with what was written at first. */
  private void verify(Session session) throws IOException, InterruptedException {
    Map<String, List<Task>> tasks = new HashMap<>();
    for (Host host : session.layout().dataNodes()) {
      for (int i = 0; i < filesPerHost; i++) {
        String name = name(host, i);
        add(tasks, host, new Task.Read(name, 0, TO + "/" + name, FROM + "/" + name));
      }
    }
    session.crew().begin(tasks);
    session.crew().await(session.layout().dataNodes().size() * filesPerHost, DEADLINE_SECONDS);
    session.crew().stop();
  }

  private record Found(Results<Run> results) implements Findings {

    @Override
    public String text() {
      return ResultTables.figures(results, ALL).text()
          + "\n"
          + ResultTables.runs(results, List.of(RATE, CROSS_RACK)).text();
    }

    @Override
    public ObjectNode json() {
      ObjectNode root = ResultJson.root("encode", results);
      root.put("code", CODE);
      ResultJson.putMeans(root, results, ALL);
      ResultJson.putSpreadsAndRuns(root, results, ALL);
      return root;
    }

    @Override
    public String html() {
      Page page = new Page("Encoding on a testbed");
      page.paragraph(
          String.format(
              Locale.ROOT,
              "Real DataNodes behind shaped links: %s. A client on one of the machines copies replicated"
                  + " files of %.0f MiB into a directory with %s, one after the other; bytes between"
                  + " racks are what left the racks, background load not counted.",
              results.facts().get("testbed"),
              BLOCK_BYTES / (double) (1 << 20),
              CODE));
      ResultPage.addFigures(page, results, ALL);
      page.section("Speed and traffic").chart(bars(RATE, "MB/s")).chart(bars(CROSS_RACK, "bytes"));
      ResultPage.addRunsAndFacts(page, results, List.of(RATE, CROSS_RACK));
      return page.html();
    }

    private String bars(Figure<Run> figure, String unit) {
      List<String> seeds =
          results.runsOf(results.policies().get(0)).stream()
              .map(run -> "seed " + run.seed())
              .toList();
      List<Series> series = new ArrayList<>();
      for (TestbedPolicy policy : results.policies()) {
        series.add(ResultPage.series(policy, figure.bySeed(results.runsOf(policy))));
      }
      return new GroupedBars(figure.label(), unit, seeds, series).svg();
    }
  }
}
