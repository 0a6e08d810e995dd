package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.experiment.Spread;

/**
 * A policy beside stock, seed by seed.
 *
 * @param <R> what is measured of a run
 * @param stock runs of stock
 * @param policy runs of the other, of the same seeds in the same order
 */
record BesideStock<R>(List<R> stock, List<R> policy) {

  /** How many times as fast: stock's figure over the policy's. */
  Spread speedUp(Figure<R> figure) {
    return Spread.ofRatio(figure.bySeed(stock), figure.bySeed(policy));
  }

  /** The policy's figure less stock's. */
  Spread difference(Figure<R> figure) {
    double[] differences = figure.bySeed(policy);
    double[] before = figure.bySeed(stock);
    for (int i = 0; i < differences.length; i++) {
      differences[i] -= before[i];
    }
    return Spread.of(differences);
  }
}
