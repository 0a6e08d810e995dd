package org.rackweave.cli.testbed.compare;

import org.rackweave.cli.testbed.TestbedPolicy;

/** One run of an experiment under one policy. */
interface MeasuredRun extends Trials.Attempt {

  TestbedPolicy policy();

  /** What its plan was drawn from. */
  long seed();

  /** How often it had been tried before. */
  int attempt();

  /** What everybody used of all processors' time, a fraction. */
  double busyCpuShare();
}
