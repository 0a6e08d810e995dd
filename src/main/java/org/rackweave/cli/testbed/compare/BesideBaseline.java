package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Spread;

/**
 * A contender beside the baseline, seed by seed.
 *
 * @param <R> what is measured of a run
 * @param baseline runs of the baseline
 * @param runs runs of the contender, of the same seeds in the same order
 */
record BesideBaseline<R>(List<R> baseline, List<R> runs) {

  /** How many times as fast: the baseline's figure over the contender's. */
  Spread speedUp(Figure<R> figure) {
    return Spread.ofRatio(figure.bySeed(baseline), figure.bySeed(runs));
  }

  /** The contender's figure less the baseline's. */
  Spread difference(Figure<R> figure) {
    double[] differences = figure.bySeed(runs);
    double[] before = figure.bySeed(baseline);
    for (int i = 0; i < differences.length; i++) {
      differences[i] -= before[i];
    }
    return Spread.of(differences);
  }
}
