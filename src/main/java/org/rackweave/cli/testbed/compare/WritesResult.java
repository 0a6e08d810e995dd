package org.rackweave.cli.testbed.compare;

import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * All that a comparison of writes found out.
 *
 * @param settings how large it was
 * @param results its runs
 */
record WritesResult(WritesSettings settings, Results<WritesRun> results) {

  /** All seeds of a policy together. */
  WriteFigures figures(TestbedPolicy policy) {
    return WriteFigures.of(results.runsOf(policy).stream().map(WritesRun::measured).toList());
  }

  /** A policy beside stock. */
  WritesBesideStock beside(TestbedPolicy policy) {
    return new WritesBesideStock(results.beside(policy));
  }
}
