package org.rackweave.cli.testbed.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.sim.statistics.Sample;

/** The figures of a run of writes. */
final class WritesFigures {

  private static final double GIGABYTE = 1e9;

  /** Two heartbeats. */
  private static final int SETTLED_MS = 2_000;

  static final Figure<WritesRun> MEAN =
      Figure.seconds("block_write_mean_s", "block write, mean", meanOf(null));
  static final Figure<WritesRun> P95 =
      Figure.seconds("block_write_p95_s", "block write, p95", p95Of(null));
  static final Figure<WritesRun> COLD_WRITER_MEAN =
      Figure.seconds(
          "cold_writer_mean_s", "writer cold, mean", run -> figures(run).coldWriterMeanSeconds());
  static final Figure<WritesRun> LINK_CV =
      Figure.number(
          "link_cv_median",
          "received by DataNodes, Cv in a window (median)",
          run -> figures(run).linkCvMedian());
  static final Figure<WritesRun> UPLINK_CV =
      Figure.number(
          "uplink_cv_median",
          "received by racks, Cv in a window (median)",
          run -> new Sample(variations(run.uplinkWindowsWithArrivals())).median());
  static final Figure<WritesRun> STORAGE_CV =
      Figure.number(
          "storage_cv", "bytes stored by DataNodes, sd/mean", run -> figures(run).storageCv());

  /** Of the blocks whose writer is in a cold rack, the share with a target in a hot one. */
  static final Figure<WritesRun> COLD_TO_HOT =
      new Figure<>(
          "cold_writer_hot_target_share",
          "writer cold: sent to a hot rack",
          "%.3f",
          run -> coldToHot(figures(run)));

  /**
   * The same without the writes that were due just after the load had moved on, of which no
   * measurement can tell yet.
   */
  static final Figure<WritesRun> SETTLED_COLD_TO_HOT =
      new Figure<>(
          "cold_writer_hot_target_share_settled",
          "  2 s and more after the load moved",
          "%.3f",
          WritesFigures::settledColdToHot);

  /**
   * The mean that is left when every block of a cold writer takes what those take that meet no hot
   * rack: what a policy can reach that chooses destinations and changes nothing else.
   */
  static final Figure<WritesRun> CEILING =
      Figure.seconds("ceiling_mean_s", "mean without hot targets", run -> ceiling(figures(run)));

  /** Of writes whose writer's rack stays cold until they end. */
  static final Figure<WritesRun> COLD_WHILE_WRITTEN =
      Figure.seconds(
          "cold_writer_throughout_mean_s",
          "writer cold until the end, mean",
          run -> meanWhileWritten(run, block -> !block.writerHot()));

  /** All, in the order in which they are shown. */
  static final List<Figure<WritesRun>> ALL =
      List.of(
          MEAN,
          P95,
          COLD_WRITER_MEAN,
          classMean(Situation.WRITER_AND_TARGET_FREE),
          classP95(Situation.WRITER_AND_TARGET_FREE),
          classMean(Situation.WRITER_FREE_TARGET_HOT),
          classP95(Situation.WRITER_FREE_TARGET_HOT),
          classMean(Situation.WRITER_HOT),
          classP95(Situation.WRITER_HOT),
          COLD_WHILE_WRITTEN,
          whileWritten(Situation.WRITER_AND_TARGET_FREE, "  targets too, mean"),
          whileWritten(Situation.WRITER_FREE_TARGET_HOT, "  target hot at some time, mean"),
          whileWritten(Situation.WRITER_HOT, "writer hot at some time, mean"),
          COLD_TO_HOT,
          SETTLED_COLD_TO_HOT,
          CEILING,
          LINK_CV,
          UPLINK_CV,
          STORAGE_CV,
          Figure.number(
              "background_bytes",
              "background load carried, GB",
              run -> (run.backgroundUpBytes() + run.backgroundDownBytes()) / GIGABYTE),
          Figure.number(
              "background_load",
              "background load of hot uplinks",
              run -> figures(run).backgroundLoad()),
          Figure.count("blocks", "blocks", run -> figures(run).blocks()),
          Figure.count("fallbacks", "decisions left to stock", run -> figures(run).fallbacks()),
          new Figure<>(
              "heartbeats_of_regular",
              "heartbeats, of regular ones",
              "%.3f",
              WritesRun::heartbeatsOfRegular));

  private WritesFigures() {}

  private static Figure<WritesRun> classMean(Situation situation) {
    return Figure.seconds(
        key(situation, "mean"), "  " + label(situation) + ", mean", meanOf(situation));
  }

  private static Figure<WritesRun> classP95(Situation situation) {
    return Figure.seconds(
        key(situation, "p95"), "  " + label(situation) + ", p95", p95Of(situation));
  }

  /** A class in the words of this comparison, in which racks are hot or cold. */
  static String label(Situation situation) {
    return switch (situation) {
      case WRITER_AND_TARGET_FREE -> "writer and target cold";
      case WRITER_FREE_TARGET_HOT -> "writer cold, target hot";
      case WRITER_HOT -> "writer hot";
    };
  }

  private static String key(Situation situation, String what) {
    return situation.name().toLowerCase(Locale.ROOT) + "_" + what + "_s";
  }

  private static ToDoubleFunction<WritesRun> meanOf(Situation situation) {
    return run -> new Sample(times(situation).apply(figures(run))).mean();
  }

  private static ToDoubleFunction<WritesRun> p95Of(Situation situation) {
    return run -> new Sample(times(situation).apply(figures(run))).quantile(0.95);
  }

  private static Figure<WritesRun> whileWritten(Situation situation, String label) {
    return Figure.seconds(
        key(situation, "throughout_mean"),
        label,
        run -> meanWhileWritten(run, block -> block.situation() == situation));
  }

  private static double meanWhileWritten(WritesRun run, Predicate<BlockWrite> which) {
    return new Sample(
            run.whileWritten().stream().filter(which).mapToDouble(BlockWrite::seconds).toArray())
        .mean();
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
        .mapToDouble(window -> new Sample(window.receivedBytesPerSec()).variation())
        .toArray();
  }

  private static double coldToHot(WriteFigures figures) {
    double hot = figures.bySituation().get(Situation.WRITER_FREE_TARGET_HOT).length;
    return hot / (hot + figures.bySituation().get(Situation.WRITER_AND_TARGET_FREE).length);
  }

  private static double settledColdToHot(WritesRun run) {
    return run.measured().blocks().stream()
        .filter(block -> !block.writerHot())
        .filter(block -> block.startNs() / 1_000_000 % run.hotPeriodMs() >= SETTLED_MS)
        .mapToDouble(block -> block.targetHot() ? 1 : 0)
        .average()
        .orElse(Double.NaN);
  }

  private static double ceiling(WriteFigures figures) {
    double[] hotWriters = figures.bySituation().get(Situation.WRITER_HOT);
    double cold = new Sample(figures.bySituation().get(Situation.WRITER_AND_TARGET_FREE)).mean();
    int coldWriters = figures.blocks() - hotWriters.length;
    return (Arrays.stream(hotWriters).sum() + coldWriters * cold) / figures.blocks();
  }
}
