package org.rackweave.dayu;

/** A way to give rates to tasks whose source and destination are chosen (section 4.3). */
interface RateAllocation {
  /** Of each task of the batch, bytes per second; 0 for those that do not transfer. */
  double[] rates();
}
