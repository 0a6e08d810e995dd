package org.rackweave.sim.engine;

/** A rule that holds after every event. */
@FunctionalInterface
public interface Invariant {
  /** What is wrong, or {@code null} when the rule holds. */
  String fault();
}
