package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Statistics;

/** The figures of a run of reads. */
final class ReadsFigures {

  private static final double MEBIBYTE = 1 << 20;

  static final Figure<ReadsRun> P50 = quantile("read_p50_s", "read, median", 0.5);
  static final Figure<ReadsRun> P95 = quantile("read_p95_s", "read, p95", 0.95);
  static final Figure<ReadsRun> P99 = quantile("read_p99_s", "read, p99", 0.99);
  static final Figure<ReadsRun> MEAN =
      seconds("read_mean_s", "read, mean", run -> Statistics.mean(run.seconds()));
  static final Figure<ReadsRun> REPLICAS =
      Figure.number("replicas_per_file", "replicas of a file, mean", ReadsRun::replicasPerFile);
  static final Figure<ReadsRun> STORED =
      Figure.count("stored_mib", "stored, MiB, mean", run -> run.storedBytes() / MEBIBYTE);

  /** All, in the order in which they are shown. */
  static List<Figure<ReadsRun>> all(ReadsSettings settings) {
    return List.of(
        P50,
        P95,
        P99,
        MEAN,
        seconds("read_max_s", "read, longest", run -> Statistics.quantile(run.seconds(), 1)),
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
        Figure.seconds("warm_up_s", "warm-up under the same load", ReadsRun::measuredFromSeconds));
  }

  private ReadsFigures() {}

  private static Figure<ReadsRun> quantile(String key, String label, double fraction) {
    return seconds(key, label, run -> Statistics.quantile(run.seconds(), fraction));
  }

  private static Figure<ReadsRun> seconds(String key, String label, ToDoubleFunction<ReadsRun> of) {
    return new Figure<>(key, label, "%.3f s", of);
  }
}
