package org.rackweave.cli.testbed.compare;

import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.WriteFigures;

/**
 * All that a comparison of writes found out.
 *
 * @param settings how large it was
 * @param results its runs
 */
record WritesResult(WritesSettings settings, Results<WritesRun> results) {

  /** All seeds of a policy together. */
  WriteFigures figures(Contender contender) {
    return WriteFigures.of(results.runsOf(contender).stream().map(WritesRun::measured).toList());
  }

  /** A policy beside stock. */
  WritesBesideStock beside(Contender contender) {
    return new WritesBesideStock(results.beside(contender));
  }
}
