package org.rackweave.sim.engine;

import java.util.Locale;

/** A rule of the simulated world did not hold after an event: the simulator is wrong. */
public final class BrokenInvariantException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  BrokenInvariantException(String rule, String fault, long nowNanos, long eventCount) {
    super(
        String.format(
            Locale.ROOT,
            "rule '%s' broken at %.9f s, event %d: %s",
            rule,
            nowNanos / 1e9,
            eventCount,
            fault));
  }
}
