package org.rackweave.cli.testbed.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Spread;

/**
 * The runs of a comparison.
 *
 * @param <M> what is measured of a run
 * @param facts what they were measured on
 * @param trials when runs were rejected
 * @param contenders who was compared, in the order asked for
 * @param baseline whom the others are compared with
 * @param runs those that count, in the order in which they ran
 * @param rejected those that were repeated
 */
record Results<M>(
    Map<String, String> facts,
    Trials trials,
    List<? extends Contender> contenders,
    Contender baseline,
    List<Run<M>> runs,
    List<Run<M>> rejected) {

  /**
   * One run of one contender.
   *
   * @param seed what its plan was drawn from
   * @param attempt how often it had been tried before
   */
  record Run<M>(Contender contender, long seed, int attempt, Experiment.Measured<M> measured)
      implements Trials.Attempt {
    M figures() {
      return measured.figures();
    }

    @Override
    public double foreignCpuShare() {
      return measured.foreignCpuShare();
    }
  }

  /**
   * A contender beside the baseline, seed by seed.
   *
   * @param baseline runs of the baseline
   * @param runs runs of the contender, of the same seeds in the same order
   */
  record Pair<M>(List<M> baseline, List<M> runs) {
    /** How many times as fast: the baseline's figure over the contender's. */
    Spread speedUp(Figure<M> figure) {
      return Spread.ofRatio(figure.bySeed(baseline), figure.bySeed(runs));
    }

    /** The contender's figure less the baseline's. */
    Spread difference(Figure<M> figure) {
      double[] differences = figure.bySeed(runs);
      double[] before = figure.bySeed(baseline);
      for (int i = 0; i < differences.length; i++) {
        differences[i] -= before[i];
      }
      return Spread.of(differences);
    }
  }

  /** What was measured of a contender, by seed. */
  List<M> of(Contender contender) {
    return runs.stream()
        .filter(run -> run.contender().equals(contender))
        .map(Run::figures)
        .toList();
  }

  /** What was measured of everybody. */
  ContenderRuns<M> byContender() {
    Map<Contender, List<M>> all = new LinkedHashMap<>();
    contenders.forEach(one -> all.put(one, of(one)));
    return new ContenderRuns<>(all);
  }

  /** A figure of a contender and its spread over seeds. */
  Spread spread(Contender contender, Figure<M> figure) {
    return figure.spread(of(contender));
  }

  /** All but the baseline; none if that was not run. */
  List<Contender> compared() {
    return contenders.contains(baseline)
        ? contenders.stream()
            .<Contender>map(one -> one)
            .filter(one -> !one.equals(baseline))
            .toList()
        : List.of();
  }

  /** A contender beside the baseline. */
  Pair<M> beside(Contender contender) {
    return new Pair<>(of(baseline), of(contender));
  }
}
