package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.rackweave.chart.CumulativeChart;
import org.rackweave.chart.GroupedBars.Series;
import org.rackweave.chart.Page;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Statistics;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;

/**
 * {@code compare reads}: files are written by everybody, then read by a closed set of readers, one
 * after the other as fast as they come, while background load moves.
 */
final class ReadsProcedure implements Procedure {

  private static final int HOT_RACKS = 2;
  private static final int HOT_PERIOD_MS = 20_000;
  private static final int SETTLE_MS = 4_000;
  private static final int READERS_PER_HOST = 2;
  private static final int FILES_PER_HOST = 8;
  private static final long FILE_BYTES = 8L << 20;
  private static final long WRITE_GAP_MS = 2_500;
  private static final String DIRECTORY = "/reads";
  private static final long DEADLINE_SECONDS = 180;
  private static final long DRAIN_MS = 500;

  private static final Figure<Run> MEAN =
      Figure.seconds("read_mean_s", "read, mean", run -> Statistics.mean(run.seconds()));
  private static final Figure<Run> P95 =
      Figure.seconds("read_p95_s", "read, p95", run -> Statistics.quantile(run.seconds(), 0.95));
  private static final Figure<Run> RATE =
      Figure.number(
          "read_mb_per_s",
          "read by everybody, MB/s",
          run -> run.seconds().length * FILE_BYTES / 1e6 / run.lengthSeconds());
  private static final Figure<Run> LOCAL =
      Figure.number("same_host_share", "from the reader's own host", Run::sameHostShare);
  private static final Figure<Run> LOCAL_RACK =
      Figure.number("same_rack_share", "from the reader's own rack", Run::sameRackShare);
  private static final List<Figure<Run>> ALL =
      List.of(
          MEAN,
          P95,
          RATE,
          LOCAL,
          LOCAL_RACK,
          Figure.count("reads", "reads", run -> run.seconds().length));

  private final CompareOptions options;
  private final ComparedRuns<TestbedPolicy> runs;
  private final int readMs;

  ReadsProcedure(CompareOptions options) {
    this.options = options;
    this.runs = new ComparedRuns<>(options, CompareOptions.POLICIES, TestbedPolicy.STOCK);
    this.readMs = options.quick() ? 36_000 : 116_000;
  }

  /**
   * One run.
   *
   * @param seconds of every read
   * @param sameHostShare share of them served by the reader's own host
   * @param sameRackShare share of them served in the reader's own rack, its own host included
   * @param lengthSeconds how long reads began
   */
  record Run(
      TestbedPolicy contender,
      long seed,
      int attempt,
      double[] seconds,
      double sameHostShare,
      double sameRackShare,
      double lengthSeconds,
      double busyCpuShare,
      double foreignCpuShare)
      implements MeasuredRun {}

  @Override
  public List<Progress.Step> steps() {
    return runs.steps(FILES_PER_HOST * WRITE_GAP_MS + SETTLE_MS + readMs + 20_000);
  }

  @Override
  public Findings run(Session session) throws IOException, InterruptedException {
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
    write(session);
    HotSchedule schedule =
        HotSchedule.draw(
            seed,
            session.layout().racks().size(),
            HOT_RACKS,
            HOT_PERIOD_MS,
            (SETTLE_MS + readMs) / HOT_PERIOD_MS + 1);
    RunClock clock = session.crew().begin(readers(session.layout(), schedule, seed));
    Reads reads = new Reads();
    try (RunWatch watch =
        new RunWatch(
            session.testbed(),
            clock,
            atMs -> session.progress().update(WritesProcedure.detail(schedule, atMs)))) {
      int loops = session.layout().dataNodes().size() * READERS_PER_HOST;
      long deadlineUs = 1000L * (SETTLE_MS + readMs) + TimeUnit.SECONDS.toMicros(DEADLINE_SECONDS);
      while (reads.ended < loops && clock.nowUs() < deadlineUs) {
        session.crew().drain(reads, DRAIN_MS);
      }
      if (reads.failure != null || reads.ended < loops) {
        throw new IOException("Reading failed: " + reads.failure);
      }
      return outcome(session.layout(), policy, seed, attempt, reads.done, watch);
    } finally {
      session.crew().stop();
      session.files().deleteAll(DIRECTORY, DEADLINE_SECONDS);
    }
  }

  /** What readers report. */
  private static final class Reads implements Crew.Results {
    private final List<Done> done = new ArrayList<>();
    private int ended;
    private String failure;

    @Override
    public void done(Done result) {
      if (result.id().equals(Task.ReadLoop.END)) {
        ended++;
      } else {
        done.add(result);
      }
    }

    @Override
    public void failed(String id, String reason) {
      failure = "reader " + id + ", " + reason;
    }
  }

  private static void write(Session session) throws IOException, InterruptedException {
    session.files().makeDirectory(DIRECTORY);
    Map<String, List<Task>> tasks = new HashMap<>();
    List<Host> hosts = session.layout().dataNodes();
    for (int i = 0; i < hosts.size(); i++) {
      List<Task> its = new ArrayList<>();
      for (int file = 0; file < FILES_PER_HOST; file++) {
        String name = i + "-" + file;
        long atMs = file * WRITE_GAP_MS + i * WRITE_GAP_MS / hosts.size();
        its.add(
            new Task.Write(name, atMs, DIRECTORY + "/" + name, FILE_BYTES, FILE_BYTES, List.of()));
      }
      tasks.put(hosts.get(i).name(), its);
    }
    session.crew().begin(tasks);
    session.crew().await(hosts.size() * FILES_PER_HOST, DEADLINE_SECONDS);
    session.crew().stop();
  }

  private Map<String, List<Task>> readers(Layout layout, HotSchedule schedule, long seed) {
    Map<String, List<Task>> tasks = new HashMap<>();
    List<Host> hosts = layout.dataNodes();
    for (int i = 0; i < hosts.size(); i++) {
      List<Task> its = new ArrayList<>();
      for (int reader = 0; reader < READERS_PER_HOST; reader++) {
        String id = hosts.get(i).address();
        long readerSeed = (seed * hosts.size() + i) * READERS_PER_HOST + reader;
        its.add(new Task.ReadLoop(id, SETTLE_MS, SETTLE_MS + (long) readMs, readerSeed, DIRECTORY));
      }
      tasks.put(hosts.get(i).name(), its);
    }
    BackgroundPlan.addTo(tasks, layout, schedule, options.origin(), options.flowsPerRack());
    return tasks;
  }

  private Run outcome(
      Layout layout,
      TestbedPolicy contender,
      long seed,
      int attempt,
      List<Done> reads,
      RunWatch watch) {
    double sameHost = reads.stream().filter(read -> read.id().equals(read.server())).count();
    double sameRack =
        reads.stream()
            .filter(read -> layout.host(read.id()).rack() == layout.host(read.server()).rack())
            .count();
    return new Run(
        contender,
        seed,
        attempt,
        reads.stream().mapToDouble(Done::seconds).toArray(),
        sameHost / reads.size(),
        sameRack / reads.size(),
        readMs / 1000.0,
        watch.busyCpuShare(),
        watch.foreignCpuShare());
  }

  private record Found(Results<Run> results) implements Findings {

    @Override
    public String text() {
      return ResultTables.figures(results, ALL).text()
          + "\n"
          + ResultTables.runs(results, List.of(MEAN, P95, RATE)).text();
    }

    @Override
    public ObjectNode json() {
      ObjectNode root = ResultJson.root("reads", results);
      ResultJson.putMeans(root, results, ALL);
      ResultJson.putSpreadsAndRuns(root, results, ALL);
      return root;
    }

    @Override
    public String html() {
      Page page = new Page("Reads on a testbed");
      page.paragraph(
          String.format(
              Locale.ROOT,
              "Real DataNodes behind shaped links: %s. On every DataNode's machine %d readers read files"
                  + " of %.0f MiB, drawn from all there are, one after the other; as many files were"
                  + " written on every machine.",
              results.facts().get("testbed"),
              READERS_PER_HOST,
              FILE_BYTES / (double) (1 << 20)));
      ResultPage.addFigures(page, results, ALL);
      List<Series> series = new ArrayList<>();
      List<double[]> all = new ArrayList<>();
      for (Contender contender : results.contenders()) {
        double[] seconds =
            results.runsOf(contender).stream()
                .flatMapToDouble(run -> Arrays.stream(run.seconds()))
                .toArray();
        series.add(ResultPage.series(contender, seconds));
        all.add(seconds);
      }
      page.section("Read times")
          .chart(
              new CumulativeChart(
                      "Read times", "seconds", series, CumulativeChart.rangeOf(all), 900)
                  .svg())
          .paragraph("Share of reads done within a time, all seeds together.");
      ResultPage.addRunsAndFacts(page, results, List.of(MEAN, P95, RATE));
      return page.html();
    }
  }
}
