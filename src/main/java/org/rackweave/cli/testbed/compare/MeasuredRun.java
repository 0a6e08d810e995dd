package org.rackweave.cli.testbed.compare;

import org.rackweave.cli.experiment.Contender;

/** One run of an experiment of one contender. */
interface MeasuredRun extends Trials.Attempt {

  Contender contender();

  /** What its plan was drawn from. */
  long seed();

  /** How often it had been tried before. */
  int attempt();

  /** What everybody used of all processors' time, a fraction. */
  double busyCpuShare();
}
