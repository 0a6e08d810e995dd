package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Map;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Spread;

/**
 * The runs of a comparison.
 *
 * @param <R> what is measured of a run
 * @param facts what they were measured on
 * @param trials when runs were rejected
 * @param contenders who was compared, in the order asked for
 * @param baseline whom the others are compared with
 * @param runs those that count, in the order in which they ran
 * @param rejected those that were repeated
 */
record Results<R extends MeasuredRun>(
    Map<String, String> facts,
    Trials trials,
    List<? extends Contender> contenders,
    Contender baseline,
    List<R> runs,
    List<R> rejected) {

  /** The runs of a contender, by seed. */
  List<R> runsOf(Contender contender) {
    return runs.stream().filter(run -> run.contender().equals(contender)).toList();
  }

  /** A figure of a contender and its spread over seeds. */
  Spread spread(Contender contender, Figure<R> figure) {
    return Spread.of(figure.bySeed(runsOf(contender)));
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
  BesideBaseline<R> beside(Contender contender) {
    return new BesideBaseline<>(runsOf(baseline), runsOf(contender));
  }
}
