package org.rackweave.sim.engine;

/** Hears how far a run is. */
@FunctionalInterface
public interface ProgressListener {
  /**
   * @param nowNanos simulated time
   * @param eventCount events that have happened
   */
  void at(long nowNanos, long eventCount);
}
