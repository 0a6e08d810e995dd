package org.rackweave.cli.testbed.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.experiment.Statistics;
import org.rackweave.cli.experiment.WriteFigures;

/**
 * One figure of a run of writes.
 *
 * @param key name in JSON
 * @param label name for people
 * @param pattern how it is printed
 * @param of takes it from a run
 */
record Figure(String key, String label, String pattern, ToDoubleFunction<WritesRun> of) {

  private static final String SECONDS = "%.2f s";
  private static final String PLAIN = "%.2f";
  private static final double GIGABYTE = 1e9;

  static final Figure MEAN = seconds("block_write_mean_s", "block write, mean", meanOf(null));
  static final Figure P95 = seconds("block_write_p95_s", "block write, p95", p95Of(null));
  static final Figure COLD_WRITER_MEAN =
      seconds(
          "cold_writer_mean_s", "writer cold, mean", run -> figures(run).coldWriterMeanSeconds());
  static final Figure LINK_CV =
      new Figure(
          "link_cv_median",
          "received by DataNodes, Cv in a window (median)",
          PLAIN,
          run -> figures(run).linkCvMedian());
  static final Figure UPLINK_CV =
      new Figure(
          "uplink_cv_median",
          "received by racks, Cv in a window (median)",
          PLAIN,
          run -> Statistics.quantile(variations(run.uplinkWindows()), 0.5));
  static final Figure STORAGE_CV =
      new Figure(
          "storage_cv",
          "bytes stored by DataNodes, sd/mean",
          PLAIN,
          run -> figures(run).storageCv());

  /** Of the blocks whose writer is in a cold rack, the share with a target in a hot one. */
  static final Figure COLD_TO_HOT =
      new Figure(
          "cold_writer_hot_target_share",
          "writer cold: sent to a hot rack",
          "%.3f",
          run -> coldToHot(figures(run)));

  /**
   * The mean that is left when every block of a cold writer takes what stock's take that meet no
   * hot rack: what a policy can reach that chooses destinations and changes nothing else.
   */
  static final Figure CEILING =
      seconds("ceiling_mean_s", "mean without hot targets", run -> ceiling(figures(run)));

  /** All, in the order in which they are shown. */
  static final List<Figure> ALL =
      List.of(
          MEAN,
          P95,
          COLD_WRITER_MEAN,
          classMean(Situation.WRITER_AND_TARGET_FREE, "writer and target cold"),
          classP95(Situation.WRITER_AND_TARGET_FREE, "writer and target cold"),
          classMean(Situation.WRITER_FREE_TARGET_HOT, "writer cold, target hot"),
          classP95(Situation.WRITER_FREE_TARGET_HOT, "writer cold, target hot"),
          classMean(Situation.WRITER_HOT, "writer hot"),
          classP95(Situation.WRITER_HOT, "writer hot"),
          COLD_TO_HOT,
          CEILING,
          LINK_CV,
          UPLINK_CV,
          STORAGE_CV,
          new Figure(
              "background_bytes",
              "background load carried, GB",
              PLAIN,
              run -> (run.backgroundUpBytes() + run.backgroundDownBytes()) / GIGABYTE),
          new Figure(
              "background_load",
              "background load of hot uplinks",
              PLAIN,
              run -> figures(run).backgroundLoad()),
          new Figure("blocks", "blocks", "%.0f", run -> figures(run).blocks()),
          new Figure(
              "fallbacks", "decisions left to stock", "%.0f", run -> figures(run).fallbacks()),
          new Figure(
              "foreign_cpu", "processors used by others", "%.3f", WritesRun::foreignCpuShare));

  private static Figure seconds(String key, String label, ToDoubleFunction<WritesRun> of) {
    return new Figure(key, label, SECONDS, of);
  }

  private static Figure classMean(Situation situation, String label) {
    return seconds(key(situation, "mean"), "  " + label + ", mean", meanOf(situation));
  }

  private static Figure classP95(Situation situation, String label) {
    return seconds(key(situation, "p95"), "  " + label + ", p95", p95Of(situation));
  }

  private static String key(Situation situation, String what) {
    return situation.name().toLowerCase(Locale.ROOT) + "_" + what + "_s";
  }

  private static ToDoubleFunction<WritesRun> meanOf(Situation situation) {
    return run -> Statistics.mean(times(situation).apply(figures(run)));
  }

  private static ToDoubleFunction<WritesRun> p95Of(Situation situation) {
    return run -> Statistics.quantile(times(situation).apply(figures(run)), 0.95);
  }

  private static Function<WriteFigures, double[]> times(Situation situation) {
    return situation == null
        ? WriteFigures::blockSeconds
        : figures -> figures.bySituation().get(situation);
  }

  private static WriteFigures figures(WritesRun run) {
    return WriteFigures.of(List.of(run.measured()));
  }

  private static double[] variations(List<LinkWindow> windows) {
    return windows.stream()
        .mapToDouble(window -> Statistics.variation(window.receivedBytesPerSec()))
        .toArray();
  }

  private static double coldToHot(WriteFigures figures) {
    double hot = figures.bySituation().get(Situation.WRITER_FREE_TARGET_HOT).length;
    return hot / (hot + figures.bySituation().get(Situation.WRITER_AND_TARGET_FREE).length);
  }

  private static double ceiling(WriteFigures figures) {
    double[] hotWriters = figures.bySituation().get(Situation.WRITER_HOT);
    double cold = Statistics.mean(figures.bySituation().get(Situation.WRITER_AND_TARGET_FREE));
    int coldWriters = figures.blocks() - hotWriters.length;
    return (Arrays.stream(hotWriters).sum() + coldWriters * cold) / figures.blocks();
  }

  /** The figure of every run, in their order. */
  double[] bySeed(List<WritesRun> runs) {
    return runs.stream().mapToDouble(of).toArray();
  }

  /** A value as it is printed. */
  String text(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, pattern, value) : "-";
  }
}
