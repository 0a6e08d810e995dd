package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.sim.statistics.Sample;

/**
 * {@code compare reads}: the same files on the same DataNodes are read by the same readers at the
 * same times, some files far more than others.
 */
final class ReadsExperiment implements Experiment<ReadsRun> {
  /** Three replicas for all files, the nearest first. */
  static final Method STOCK = Method.of("stock", "stock", TestbedPolicy.STOCK);

  /** As many as readers need, the shortest queue of the nearest first. */
  static final Method EAFR = Method.of("eafr", "sinbad", TestbedPolicy.EAFR);

  static final List<Method> METHODS = List.of(STOCK, EAFR);

  /** Filling, the last reads, deleting. */
  private static final long AROUND_MS = 25_000;

  private static final double MEBIBYTE = 1 << 20;
  private static final double P99_SPEED_UP_MIN = 1.3;

  private static final Figure<ReadsRun> P50 = quantile("read_p50_s", "read, median", 0.5);
  private static final Figure<ReadsRun> P95 = quantile("read_p95_s", "read, p95", 0.95);
  private static final Figure<ReadsRun> P99 = quantile("read_p99_s", "read, p99", 0.99);
  private static final Figure<ReadsRun> MEAN =
      seconds("read_mean_s", "read, mean", run -> new Sample(run.seconds()).mean());
  private static final Figure<ReadsRun> REPLICAS =
      Figure.number("replicas_per_file", "replicas of a file, mean", ReadsRun::replicasPerFile);
  private static final Figure<ReadsRun> STORED =
      Figure.count("stored_mib", "stored, MiB, mean", run -> run.storedBytes() / MEBIBYTE);

  /** What is wanted of EAFR: a 99th percentile that much better than stock's. */
  private static final Beside<ReadsRun> P99_SPEED_UP =
      Beside.speedUp("read_p99_speed_up", "read, p99: times as fast", P99)
          .wants(
              EAFR::is,
              String.format(Locale.ROOT, "%.1f or more", P99_SPEED_UP_MIN),
              mean -> mean >= P99_SPEED_UP_MIN);

  private final CompareOptions options;
  private final ReadsSettings settings;

  ReadsExperiment(CompareOptions options) {
    this.options = options;
    this.settings =
        options.quick()
            ? ReadsSettings.quick(options.tunings())
            : ReadsSettings.standard(options.tunings());
  }

  private static Figure<ReadsRun> quantile(String key, String label, double fraction) {
    return seconds(key, label, run -> new Sample(run.seconds()).quantile(fraction));
  }

  private static Figure<ReadsRun> seconds(String key, String label, ToDoubleFunction<ReadsRun> of) {
    return new Figure<>(key, label, "%.3f s", of);
  }

  @Override
  public Definition<ReadsRun> definition() {
    return new Definition<>(
        "reads",
        "Skewed reads on a testbed",
        METHODS,
        settings.endMs() + AROUND_MS,
        List.of(
            P50,
            P95,
            P99,
            MEAN,
            seconds("read_max_s", "read, longest", run -> new Sample(run.seconds()).max()),
            Figure.count("reads", "reads", run -> run.seconds().length),
            Figure.number("same_host_share", "from the reader's own host", ReadsRun::sameHostShare),
            Figure.number("same_rack_share", "from the reader's own rack", ReadsRun::sameRackShare),
            Figure.number(
                "full_uplink_share", "seconds a rack's uplink was full", ReadsRun::fullUplinkShare),
            REPLICAS,
            STORED,
            Figure.number(
                "stored_over_three_way",
                "stored, of three replicas each",
                run -> run.storedBytes() / settings.storedBytes()),
            Figure.count("replicas_added", "replicas added in the run", ReadsRun::added),
            Figure.count("replicas_removed", "replicas removed in the run", ReadsRun::removed),
            Figure.number(
                "warm_up_intervals",
                "warm-up under the same load, intervals of EAFR",
                run -> run.measuredFromSeconds() / run.intervalSeconds()),
            Figure.seconds(
                "warm_up_s", "warm-up under the same load", ReadsRun::measuredFromSeconds)),
        List.of(P50, P95, P99, REPLICAS, STORED),
        List.of(
            P99_SPEED_UP,
            Beside.speedUp("read_p95_speed_up", "read, p95: times as fast", P95),
            Beside.speedUp("read_p50_speed_up", "read, median: times as fast", P50),
            Beside.speedUp("read_mean_speed_up", "read, mean: times as fast", MEAN),
            Beside.difference(
                "replicas_per_file_difference", "replicas of a file, more than stock", REPLICAS),
            Beside.difference("stored_mib_difference", "stored, MiB more than stock", STORED)));
  }

  @Override
  public Map<String, String> settings(Method method, Tuning tuning) throws IOException {
    return tuning.settings(TestbedPolicy.EAFR, ReadsSettings.needed(), settings.tuned(), options);
  }

  @Override
  public void addFacts(Map<String, String> facts, Session session) {
    facts.put(
        "load",
        String.format(
            Locale.ROOT,
            "%d files of %.0f MiB, Zipf exponent %.1f, %d readers, %.1f reads a second each",
            settings.files(),
            settings.fileBytes() / MEBIBYTE,
            settings.zipfExponent(),
            session.layout().dataNodes().size(),
            settings.readsPerSec()));
    facts.put(
        "measured",
        String.format(
            Locale.ROOT,
            "%d s, after %d s of the same load",
            settings.measureMs() / 1000,
            settings.warmUpMs() / 1000));
  }

  @Override
  public Stage<ReadsRun> open(Session session) throws IOException {
    return new ReadsRunner(session, settings, options);
  }

  @Override
  public void addJson(ObjectNode root, Results<ReadsRun> results) {
    for (Contender contender : results.compared()) {
      double p99 = P99_SPEED_UP.of().apply(results.beside(contender)).mean();
      ObjectNode wanted = root.putObject(contender.label() + "_wanted");
      wanted.put("read_p99_speed_up", p99);
      wanted.put("read_p99_speed_up_min", P99_SPEED_UP_MIN);
      wanted.put("reached", P99_SPEED_UP.isReached().test(p99));
    }
  }

  @Override
  public List<String> introduction(Results<ReadsRun> results) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. %s; a read's time runs from the moment it was"
                + " due. For both methods the same files are on the same DataNodes at first, and"
                + " the same reads are due at the same times. Measured: %s.",
            results.facts().get("testbed"),
            results.facts().get("load"),
            results.facts().get("measured")));
  }

  @Override
  public void addCharts(Page page, Results<ReadsRun> results) {
    ContenderRuns<ReadsRun> all = results.byContender();
    page.section("Read times")
        .chart(all.distribution("Read times", ReadsRun::seconds))
        .paragraph("Share of measured reads done within a time, all seeds together.");
    page.section("Replicas of a file")
        .chart(
            all.lines(
                "Replicas of a file",
                "replicas",
                "seconds after the load began",
                run -> run.looks().stream().mapToDouble(ReadsRun.Look::seconds).toArray(),
                run -> run.looks().stream().mapToDouble(ReadsRun.Look::replicasPerFile).toArray()))
        .paragraph("Mean over files, one line for every run, warm-up included.");
  }
}
