package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.sim.statistics.Sample;

/** The figures of a recovery. */
final class RecoveryFigures {

  private static final double TAIL = 0.9;

  static final Figure<RecoveryRun> DETECTION =
      Figure.seconds(
          "detection_s", "until the DataNode counts as dead", RecoveryRun::detectionSeconds);
  static final Figure<RecoveryRun> REBUILD =
      Figure.seconds("rebuild_s", "from then until all is rebuilt", RecoveryRun::rebuildSeconds);
  static final Figure<RecoveryRun> PER_BLOCK =
      new Figure<>(
          "rebuild_s_per_block",
          "rebuild, a block",
          "%.3f s",
          run -> run.rebuildSeconds() / run.blocks());
  static final Figure<RecoveryRun> OVER_IDEAL =
      Figure.number(
          "rebuild_over_ideal",
          "rebuild over ideal",
          run -> run.rebuildSeconds() / run.idealSeconds());
  static final Figure<RecoveryRun> RISE =
      Figure.number(
          "foreground_p90_ratio",
          "during over before, p90",
          run -> new Sample(run.during()).quantile(TAIL) / new Sample(run.before()).quantile(TAIL));
  static final Figure<RecoveryRun> BEFORE =
      new Figure<>(
          "foreground_p90_before_s",
          "other writes before, p90",
          "%.3f s",
          run -> new Sample(run.before()).quantile(TAIL));
  static final Figure<RecoveryRun> DURING =
      new Figure<>(
          "foreground_p90_during_s",
          "other writes during, p90",
          "%.3f s",
          run -> new Sample(run.during()).quantile(TAIL));

  /** All, in the order in which they are shown. */
  static final List<Figure<RecoveryRun>> ALL =
      List.of(
          DETECTION,
          REBUILD,
          PER_BLOCK,
          Figure.seconds(
              "ideal_s", "ideal by the links' idle bandwidth", RecoveryRun::idealSeconds),
          OVER_IDEAL,
          BEFORE,
          DURING,
          RISE,
          new Figure<>(
              "foreground_mean_before_s",
              "other writes before, mean",
              "%.3f s",
              run -> new Sample(run.before()).mean()),
          new Figure<>(
              "foreground_mean_during_s",
              "other writes during, mean",
              "%.3f s",
              run -> new Sample(run.during()).mean()),
          Figure.count("foreground_before", "other writes before", run -> run.before().length),
          Figure.count("foreground_during", "other writes during", run -> run.during().length),
          Figure.count("foreground_failed", "other writes that failed", RecoveryRun::failedWrites),
          Figure.count("blocks", "blocks rebuilt", RecoveryRun::blocks));

  private RecoveryFigures() {}
}
