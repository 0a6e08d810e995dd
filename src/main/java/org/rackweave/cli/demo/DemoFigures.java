package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.sim.statistics.Sample;

/** Which figures of a policy are shown. */
final class DemoFigures {
  private static final Figure<PolicyFigures> LINK_CV =
      Figure.number(
          "link_cv_median",
          "link load over DataNodes, Cv (median)",
          one -> one.writes().linkCvMedian());
  private static final Figure<PolicyFigures> STORAGE_CV =
      Figure.number(
          "storage_cv", "bytes placed over DataNodes, Cv", one -> one.writes().storageCv());

  /** All, in the order in which they are shown. */
  static final List<Figure<PolicyFigures>> ALL =
      Stream.of(
              times("", "block write", one -> one.writes().blockSeconds()),
              ofClass(Situation.WRITER_AND_TARGET_FREE),
              ofClass(Situation.WRITER_FREE_TARGET_HOT),
              ofClass(Situation.WRITER_HOT),
              ofAllBlocks())
          .flatMap(List::stream)
          .toList();

  /** Those of which less is better: times, and how unevenly DataNodes are used. */
  static final List<Figure<PolicyFigures>> COMPARED =
      ALL.stream().filter(one -> one.isTime() || one == LINK_CV || one == STORAGE_CV).toList();

  private DemoFigures() {}

  private static List<Figure<PolicyFigures>> ofClass(Situation situation) {
    String key = situation.name().toLowerCase(Locale.ROOT) + "_";
    String label = "  " + situation.label();
    Function<PolicyFigures, double[]> seconds = one -> one.writes().bySituation().get(situation);
    List<Figure<PolicyFigures>> figures = new ArrayList<>(times(key, label, seconds));
    figures.add(Figure.count(key + "blocks", label + ", blocks", one -> seconds.apply(one).length));
    return figures;
  }

  private static List<Figure<PolicyFigures>> times(
      String key, String label, Function<PolicyFigures, double[]> seconds) {
    return List.of(
        new Figure<>(
            key + "block_write_mean_s",
            label + ", mean",
            "%.3f s",
            one -> new Sample(seconds.apply(one)).mean()),
        new Figure<>(
            key + "block_write_p95_s",
            label + ", p95",
            "%.3f s",
            one -> new Sample(seconds.apply(one)).quantile(0.95)));
  }

  private static List<Figure<PolicyFigures>> ofAllBlocks() {
    return List.of(
        new Figure<>(
            "file_mean_s", "file, mean", "%.3f s", one -> new Sample(one.fileSeconds()).mean()),
        Figure.percent(
            "hot_target_avoided",
            "blocks sent to no hot target",
            one -> one.writes().hotTargetAvoided()),
        LINK_CV,
        Figure.percent(
            "background_load",
            "background load of hot links",
            one -> one.writes().backgroundLoad()),
        STORAGE_CV,
        Figure.count("blocks", "blocks", one -> one.writes().blocks()),
        Figure.count("fallbacks", "decisions left to stock", one -> one.writes().fallbacks()),
        new Figure<>(
            "bytes_verified",
            "verified by checksum",
            "%.1f MiB",
            one -> one.writes().bytesVerified()));
  }
}
